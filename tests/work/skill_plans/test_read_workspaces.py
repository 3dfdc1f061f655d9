"""A composite skill's flow of blocks, read into steps, or the block that cannot be read."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.pace import within
from tests.work.skill_plans.plan_desk import (
    Json,
    agent,
    around,
    ask,
    block,
    blocks,
    branch,
    chained,
    composite,
    invoke,
    output,
    plan,
    put,
    row,
    simple,
    workspace,
)
from tests.work.skill_plans.random_plans import step_lists

from loreweave.contracts.skill_plan import SkillSpec
from loreweave.work.skill_plans.plan_faults import PlanFailure
from loreweave.work.skill_plans.read_plan import keep_run, kept_run, read_run
from loreweave.work.skill_plans.read_workspace import read_workspace, step_ids


def skill(value: Any) -> SkillSpec:
    return SkillSpec(id="flow", name="Flow", prompt="", category="composite", workspace=value)


def steps_of(value: Any) -> list[Json]:
    return [step.model_dump() for step in read_workspace(skill(value))]


def failure(value: Any) -> str:
    with pytest.raises(PlanFailure) as caught:
        read_workspace(skill(value))
    return caught.value.sentence


EVERY_KIND = [
    ask(),
    branch("b", "colour", "red", put("p", "k", "{{colour}}"), branch("deep", "k", "", output("o2", "x"))),
    invoke("i", "other"),
    agent("a", "Draw {{colour}}"),
    output("o", "done"),
]


@pytest.mark.holds("session.plan.workspace.blocks")
def test_every_kind_of_block_becomes_its_step() -> None:
    assert steps_of(workspace(blocks(EVERY_KIND))) == EVERY_KIND


@given(step_lists())
@pytest.mark.holds("session.plan.workspace.blocks")
def test_what_is_drawn_as_blocks_is_read_as_the_same_steps(steps: list[Json]) -> None:
    assert steps_of(workspace(blocks(steps))) == steps


@pytest.mark.holds("session.plan.workspace.blocks")
def test_options_are_split_at_commas() -> None:
    texts = {"QUESTION": "q", "HEADER": "h", "STORE_AS": "s"}
    read = steps_of(workspace(block("skill_ask_user", "a", **texts, OPTIONS=" red,blue ,, dark green,")))
    assert read[0]["options"] == ["red", "blue", "dark green"]
    assert steps_of(workspace(block("skill_ask_user", "a", **texts)))[0]["options"] == []


@pytest.mark.holds("session.plan.workspace.blocks")
def test_blocks_that_hang_nowhere_do_not_count() -> None:
    value = workspace(block("skill_output", "o", TEMPLATE="t"))
    value["blocks"]["blocks"] = [block("skill_output", "loose"), 7, *value["blocks"]["blocks"], block("strange", "x")]
    assert [step["id"] for step in steps_of(value)] == ["o"]


@pytest.mark.holds("session.plan.workspace.blocks")
def test_a_flow_with_a_start_and_nothing_else_has_no_steps() -> None:
    assert steps_of(workspace(None)) == []


@pytest.mark.holds("session.plan.workspace.fields")
@pytest.mark.parametrize(("value", "text"), [(3, "3"), (2.5, "2.5"), (True, "true"), (None, ""), ("", "")])
def test_numbers_and_switches_of_a_block_are_taken_as_text(value: Any, text: str) -> None:
    assert steps_of(workspace(block("skill_set_context", "p", KEY="k", VALUE=value)))[0]["value"] == text


@pytest.mark.holds("session.plan.workspace.fields")
@pytest.mark.parametrize("value", [{"id": "variable"}, ["a"]])
def test_a_field_that_is_no_text_fails_by_its_block(value: Any) -> None:
    sentence = failure(workspace(block("skill_output", "o-7", TEMPLATE=value)))
    assert sentence == "The block 'o-7' (skill_output) of the skill 'Flow' has a field TEMPLATE that is no text."


@pytest.mark.holds("session.plan.workspace.disabled")
@pytest.mark.parametrize("mark", [{"enabled": False}, {"disabled": True}, {"disabledReasons": ["MANUALLY_DISABLED"]}])
def test_what_is_switched_off_is_stepped_over(mark: Json) -> None:
    off = {**block("whatever", "off"), **mark}
    below = chained([block("skill_output", "one", TEMPLATE="1"), off, block("skill_output", "two", TEMPLATE="2")])
    assert [step["id"] for step in steps_of(workspace(below))] == ["one", "two"]
    value = workspace(below)
    value["blocks"]["blocks"][0] |= mark
    assert "no start block" in failure(value)


@pytest.mark.holds("session.plan.workspace.faults")
@pytest.mark.parametrize(
    "value",
    [
        None,
        {},
        {"blocks": None},
        {"blocks": {}},
        {"blocks": {"blocks": {}}},
        {"blocks": {"blocks": []}},
        {"blocks": {"blocks": [block("skill_output", "o", TEMPLATE="t")]}},
        {"blocks": {"blocks": ["skill_flow_start", []]}},
    ],
)
def test_a_flow_without_a_start_fails_by_its_skill(value: Any) -> None:
    assert failure(value) == "The skill 'Flow' has no start block (skill_flow_start)."


FAULTY = [
    (block("skill_dance", "x"), "'x' (skill_dance)", "has an unknown type."),
    (block("skill_flow_start", "x"), "'x' (skill_flow_start)", "has an unknown type."),
    ({"id": "x", "type": ["deep"]}, "'x' (?)", "has an unknown type."),
    (block("skill_ask_user", "x", HEADER="h"), "'x' (skill_ask_user)", "has an empty question."),
    (block("skill_ask_user", "x", QUESTION=" \n"), "'x' (skill_ask_user)", "has an empty question."),
    (block("skill_run_agent", "x", PROMPT=""), "'x' (skill_run_agent)", "has an empty prompt."),
    ({"type": "skill_run_agent", "id": "x", "fields": 3}, "'x' (skill_run_agent)", "has an empty prompt."),
    (
        block("skill_output", "x", TEMPLATE="t" * 5_001),
        "'x' (skill_output)",
        "is not right: template must have at most 5,000 characters.",
    ),
    ({"type": "skill_output", "id": 5}, "'?' (skill_output)", "is not right: id must be text."),
]


@pytest.mark.holds("session.plan.workspace.faults")
@pytest.mark.parametrize(("faulty", "name", "what"), FAULTY)
def test_a_block_that_cannot_be_read_fails_by_its_name(faulty: Json, name: str, what: str) -> None:
    sentence = f"The block {name} of the skill 'Flow' {what}"
    assert failure(workspace(faulty)) == sentence
    fine = block("skill_set_context", "fine", KEY="k", VALUE="v")
    assert failure(workspace(chained([fine, faulty]))) == sentence
    assert failure(workspace(around("b", faulty))) == sentence


@pytest.mark.holds("session.plan.workspace.faults")
@pytest.mark.parametrize("below", ["text", 3, [], False])
def test_what_hangs_below_a_block_must_be_a_block(below: Any) -> None:
    assert "what is no block" in failure(workspace({**block("skill_output", "o"), "next": {"block": below}}))


def nest(depth: int) -> Json:
    inner = row(1)[0]
    for number in range(depth):
        inner = around(f"b{number}", inner)
    return inner


def bushy(count: int) -> Json | None:
    """So many blocks in all: branches below one another, each with forty-nine inside."""
    made: list[Json] = []
    total = 0
    while total < count:
        inside = min(49, count - total - 1)
        made.append(around(f"b{total}", chained(row(inside, f"o{total}-"))))
        total += 1 + inside
    return chained(made)


@pytest.mark.holds("session.plan.workspace.limits")
def test_a_flow_has_the_limits_of_a_plan() -> None:
    assert len(steps_of(workspace(chained(row(50))))) == 50
    assert failure(workspace(chained(row(51)))).startswith("The block 'o50' ")
    assert len(steps_of(workspace(nest(10)))) == 1
    assert failure(workspace(nest(11))).startswith("The block 'b0' ")
    assert len(steps_of(workspace(bushy(500)))) == 10
    assert "is one more than the 500" in failure(workspace(bushy(501)))


@pytest.mark.holds("session.plan.workspace.limits")
def test_two_blocks_of_one_id_fail() -> None:
    assert failure(workspace(chained([row(1)[0], row(1)[0]]))).endswith("has the id of another block.")


@pytest.mark.holds("session.plan.workspace.limits")
def test_the_largest_flow_that_is_allowed_can_be_sent() -> None:
    request = plan(skills=[{**composite("c"), "workspace": workspace(bushy(500))}])
    assert len(read_workspace(read_run(request).allSkills[0])) == 10


@pytest.mark.holds("session.plan.workspace.limits")
def test_long_flows_inside_one_another_can_be_sent_and_kept() -> None:
    inner: Json | None = None
    for number in range(3):
        inner = chained([*row(49, f"r{number}-"), around(f"b{number}", inner)])
    read = read_run(plan(skills=[{**composite("c"), "workspace": workspace(inner)}]))
    kept = kept_run(json.dumps(keep_run(read)))
    assert kept == read
    assert len(read_workspace(kept.allSkills[0])) == 50


@pytest.mark.holds("session.plan.workspace.faults")
@pytest.mark.parametrize("mark", [{}, {"enabled": False}])
def test_a_flow_that_leads_back_to_itself_ends(mark: Json) -> None:
    looped = {**block("skill_output", "o", TEMPLATE="t"), **mark}
    looped["next"] = {"block": looped}
    assert within(0.5, lambda: failure(workspace(looped)))
    inside = around("b", None)
    inside["inputs"]["THEN_BLOCKS"]["block"] = inside
    assert within(0.5, lambda: failure(workspace(inside)))


names = st.sampled_from(
    [
        "blocks",
        "type",
        "id",
        "fields",
        "next",
        "block",
        "inputs",
        "THEN_BLOCKS",
        "PROMPT",
        "QUESTION",
        "skill_branch_if",
    ]
)
anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | names,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=4),
    max_leaves=15,
)


@given(anything)
@pytest.mark.holds("session.plan.workspace.faults")
def test_any_json_is_either_a_flow_or_fails_with_a_sentence(value: Any) -> None:
    for tried in (workspace(value), {"blocks": {"blocks": [value]}}, value if isinstance(value, dict) else None):
        try:
            read, sentence = read_workspace(skill(tried)), ""
        except PlanFailure as failed:
            read, sentence = [], failed.sentence
        assert not sentence or sentence.endswith(".")
        assert all(step.id for step in read)


@pytest.mark.holds("session.plan.step-ids")
def test_the_steps_of_a_run_are_those_of_its_plan_and_its_flows() -> None:
    broken = {**composite("broken"), "workspace": {}}
    request = read_run(
        plan(ask("a"), branch("b", "", "", ask("c")), skills=[composite("f", ask("d")), broken, simple("s", "p")])
    )
    assert step_ids(request.plan, request.allSkills) == {"a", "b", "c", "d"}
