"""What may run as a plan, and what is said about what may not."""

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.pace import within
from tests.work.skill_plans.plan_desk import agent, ask, branch, composite, invoke, output, plan, put, simple

from loreweave.contracts.skill_plan import SkillRunRequest
from loreweave.errors import InvalidInput
from loreweave.work.skill_plans.read_plan import keep_run, kept_run, read_answer, read_run, warnings_of

Json = dict[str, Any]


def refusal(value: Any) -> InvalidInput:
    with pytest.raises(InvalidInput) as caught:
        read_run(value)
    return caught.value


def faults(value: Any) -> dict[str, str]:
    return {fault["path"]: fault["message"] for fault in refusal(value).facts["fields"]}


def tree(nested: int) -> Json:
    """A branch inside a branch, so many in all."""
    inner = output("innermost", "")
    for number in range(nested):
        inner = branch(f"b{number}", "", "", inner)
    return inner


def many(count: int) -> list[Json]:
    return [put(f"s{number}", "k", "v") for number in range(count)]


def wide(count: int) -> list[Json]:
    """So many steps over the whole tree, fifty at most in each list."""
    steps, number = [], 0
    while number < count:
        inside = min(50, count - number - 1)
        steps.append(branch(f"b{number}", "", "", *(output(f"o{number + n}", "") for n in range(inside))))
        number += 1 + inside
    return steps


@pytest.mark.holds("session.plan.read")
def test_a_plan_of_every_kind_of_step_is_read_as_it_was_sent() -> None:
    steps = [ask(), branch("b", "k", "v", output("o", "t")), invoke("i", "s"), agent("a", "p"), put("p", "k", "v")]
    request = plan(*steps, skills=[simple("s", "prompt"), composite("c", output("x", "y"))], skillId="root")
    read = read_run(request).model_dump(exclude={"allSkills": {"__all__": {"template"}}, "request_id": True})
    assert read == request


@pytest.mark.holds("session.plan.read")
def test_what_a_plan_may_leave_out_has_a_default() -> None:
    read = read_run({"plan": {"skillName": "n", "steps": []}})
    assert (read.plan.skillId, read.allSkills) == (None, [])
    assert read_run(plan(skillId="")).plan.skillId is None
    assert read_run({**plan(), "allSkills": None}) == read_run(plan())
    assert read_run(plan(skills=[simple("s", "p")])).allSkills[0].template


@pytest.mark.holds("session.plan.unknown-keys")
def test_keys_that_nobody_knows_are_left_out_and_named() -> None:
    strange = {"x": [[]], "mood": "\ud800"}
    inner = branch("b", "k", "v", {**output("o", "t"), **strange})
    request = {**plan(inner, skills=[{**simple("s", "p"), **strange}], **strange), **strange}
    assert read_run(request) == read_run(plan(branch("b", "k", "v", output("o", "t")), skills=[simple("s", "p")]))
    places = ("", "plan.", "plan.steps.0.thenSteps.0.", "allSkills.0.")
    named = [f"{place}{name}" for place in places for name in strange]
    assert warnings_of(request) == [f"{name} means nothing here and was left out" for name in named]
    silent = plan(ask(), agent("a", "p"), invoke("i", "s"), put("p", "k", "v"), skills=[simple("s", "p")])
    assert warnings_of(silent) == []


def test_a_step_that_calls_a_skill_nobody_gave_is_named_before_anybody_is_asked() -> None:
    lost = branch("b", "k", "v", invoke("i", "notes"), invoke("j", "s"))
    named = "plan.steps.1.thenSteps.0.skillId names no skill of allSkills: a run that comes here fails"
    assert warnings_of(plan(ask(), lost, skills=[simple("s", "p")])) == [named]
    assert len(warnings_of(plan(*(invoke(f"i{number}", "notes") for number in range(25))))) == 20


@pytest.mark.holds("session.plan.unknown-keys")
def test_of_very_many_unknown_keys_twenty_are_named_and_the_rest_counted() -> None:
    named = warnings_of(plan({**output("o", "t"), **{f"k{number:02}\x1b" + "x" * 500: 1 for number in range(25)}}))
    assert (len(named), named[-1]) == (21, "5 more keys mean nothing here")
    assert all(len(sentence) < 300 and sentence.isprintable() for sentence in named)


@pytest.mark.holds("session.plan.request-id")
@pytest.mark.parametrize("name", ["", "x" * 129, 7, "\0", [], "\ud800"])
def test_a_request_id_that_cannot_be_kept_is_refused_by_its_field(name: Any) -> None:
    assert list(faults({**plan(), "request_id": name})) == ["request_id"]
    assert read_run({**plan(), "request_id": None}) == read_run(plan())


@pytest.mark.holds("session.plan.unknown-type")
@pytest.mark.parametrize("kind", ["loop", "", None, 3, ["output"], {}])
def test_a_step_of_an_unknown_type_is_refused(kind: Any) -> None:
    assert list(faults(plan({**output("o", "t"), "type": kind}))) == ["plan.steps.0.type"]
    inside = plan(branch("b", "", "", {**output("o", "t"), "type": kind}))
    assert list(faults(inside)) == ["plan.steps.0.thenSteps.0.type"]


LENGTHS = [
    (lambda text: plan({**ask(), "question": text}), "plan.steps.0.question", 2_000),
    (lambda text: plan({**ask(), "header": text}), "plan.steps.0.header", 200),
    (lambda text: plan({**ask(), "options": ["a", text]}), "plan.steps.0.options.1", 500),
    (lambda text: plan({**ask(), "storeAs": text}), "plan.steps.0.storeAs", 200),
    (lambda text: plan(branch("b", "k", text)), "plan.steps.0.matchValue", 500),
    (lambda text: plan(branch("b", text, "v")), "plan.steps.0.contextKey", 200),
    (lambda text: plan(invoke("i", text)), "plan.steps.0.skillId", 200),
    (lambda text: plan(agent("a", text)), "plan.steps.0.prompt", 5_000),
    (lambda text: plan(put("p", text, "v")), "plan.steps.0.key", 200),
    (lambda text: plan(put("p", "k", text)), "plan.steps.0.value", 5_000),
    (lambda text: plan(output("o", text)), "plan.steps.0.template", 5_000),
    (lambda text: plan(output(text, "t")), "plan.steps.0.id", 200),
    (lambda text: plan(branch("b", "k", "v", output("o", text))), "plan.steps.0.thenSteps.0.template", 5_000),
    (lambda text: plan(skillName=text), "plan.skillName", 200),
    (lambda text: plan(skillId=text), "plan.skillId", 200),
    (lambda text: plan(skills=[simple(text, "p")]), "allSkills.0.id", 200),
    (lambda text: plan(skills=[{**simple("s", "p"), "name": text}]), "allSkills.0.name", 200),
    (lambda text: plan(skills=[simple("s", text)]), "allSkills.0.prompt", 5_000),
]


@pytest.mark.holds("session.plan.limits")
@pytest.mark.parametrize(("made", "path", "most"), LENGTHS, ids=[path for _, path, _ in LENGTHS])
def test_every_text_has_a_greatest_length_and_may_reach_it(made: Any, path: str, most: int) -> None:
    assert isinstance(read_run(made("x" * most)), SkillRunRequest)
    assert faults(made("x" * (most + 1))) == {path: f"must have at most {most:,} characters"}


@pytest.mark.holds("session.plan.storable")
@pytest.mark.parametrize(("made", "path", "most"), LENGTHS, ids=[path for _, path, _ in LENGTHS])
def test_text_that_could_not_be_kept_is_refused(made: Any, path: str, most: int) -> None:
    assert list(faults(made("a\0b"))) == [path]
    assert list(faults(made("a\ud800b"))) == [path]


COUNTS = [
    (lambda count: plan(*many(count)), "plan.steps"),
    (lambda count: plan(branch("b", "", "", *many(count))), "plan.steps.0.thenSteps"),
    (lambda count: plan({**ask(), "options": ["x"] * count}), "plan.steps.0.options"),
    (lambda count: plan(skills=[simple(f"s{number}", "p") for number in range(count)]), "allSkills"),
]


@pytest.mark.holds("session.plan.limits")
@pytest.mark.parametrize(("made", "path"), COUNTS, ids=[path for _, path in COUNTS])
def test_a_list_holds_fifty_and_no_more(made: Any, path: str) -> None:
    assert isinstance(read_run(made(50)), SkillRunRequest)
    assert list(faults(made(51))) == [path]


@pytest.mark.holds("session.plan.nesting")
def test_branches_nest_ten_deep_and_no_deeper() -> None:
    assert isinstance(read_run(plan(tree(10))), SkillRunRequest)
    assert list(faults(plan(tree(11)))) == ["plan.steps.0" + ".thenSteps.0" * 10]


@pytest.mark.holds("session.plan.nesting")
def test_a_plan_has_five_hundred_steps_and_no_more_wherever_they_stand() -> None:
    assert isinstance(read_run(plan(*wide(500))), SkillRunRequest)
    assert faults(plan(*wide(501))) == {"plan.steps": "must hold at most 500 steps, those in branches counted"}


@pytest.mark.holds("session.plan.iterative")
def test_a_plan_nested_without_end_is_refused_at_once() -> None:
    deep = plan(tree(100_000))
    assert len(within(0.1, lambda: faults(deep))) == 1
    table: Json = {}
    for _ in range(100_000):
        table = {"a": table}
    assert list(within(0.1, lambda: faults(plan(skills=[{**simple("s", "p"), "workspace": table}])))) == [
        "allSkills.0.workspace"
    ]
    hidden = [{"x": table, "template": table}, {"type": "output", "id": "o", "template": table}]
    assert list(within(0.1, lambda: faults(plan(*hidden)))) == ["plan.steps.0.type", "plan.steps.1.template"]


@pytest.mark.holds("session.plan.iterative")
def test_a_plan_that_holds_itself_is_refused() -> None:
    loop: Json = branch("b", "", "")
    loop["thenSteps"].append(loop)
    assert refusal(plan(loop)).code == "invalid_input"
    table: Json = {}
    table.update(a=table, b=table)
    assert list(faults(plan(skills=[{**simple("s", "p"), "workspace": table}]))) == ["allSkills.0.workspace"]


@pytest.mark.holds("session.plan.workspace-size")
@pytest.mark.parametrize(
    "value",
    [{"a": "x" * 1_000_001}, {"a": [0] * 1_000_001}, {"a": math.nan}, {"a": "\0"}, {"\ud800": 1}, {"a": b""}, []],
)
def test_a_flow_of_blocks_must_be_plain_and_bounded(value: Any) -> None:
    assert list(faults(plan(skills=[{**simple("s", "p"), "workspace": value}]))) == ["allSkills.0.workspace"]


@pytest.mark.holds("session.plan.workspace-size")
def test_all_flows_of_a_request_share_one_room() -> None:
    half = {"a": "x" * 600_000}
    skills = [{**simple(name, "p"), "workspace": half} for name in ("one", "two")]
    assert isinstance(read_run(plan(skills=skills[:1])), SkillRunRequest)
    assert faults(plan(skills=skills)) == {"allSkills.1.workspace": "is too large"}


@pytest.mark.holds("session.plan.unique")
def test_two_steps_of_one_id_are_refused_wherever_they_stand() -> None:
    assert faults(plan(put("a", "k", "v"), branch("b", "", "", output("a", "t")))) == {
        "plan.steps.1.thenSteps.0.id": "must be the id of no other step"
    }


@pytest.mark.holds("session.plan.unique")
def test_two_skills_of_one_id_are_refused() -> None:
    skills = [simple("s", "one"), simple("s", "two")]
    assert faults(plan(skills=skills)) == {"allSkills.1.id": "must be the id of no other skill"}


@pytest.mark.holds("session.plan.fields")
def test_a_refusal_names_every_field_and_first_the_first() -> None:
    request = plan(
        {"type": "run_agent", "id": "a", "prompt": 5, "storeAs": "r"},
        {"type": "ask_user", "id": "b", "question": "q", "header": "h", "options": ["x", 7]},
        "no step",
        skills=[simple("s", "p", template="yes", category="loud")],
    )
    wrong = refusal(request)
    assert wrong.facts["field"] == "plan.steps.0.prompt"
    assert wrong.message == "plan.steps.0.prompt must be text"
    assert wrong.facts["fields"] == [
        {"path": "plan.steps.0.prompt", "message": "must be text"},
        {"path": "plan.steps.1.options.1", "message": "must be text"},
        {"path": "plan.steps.1.storeAs", "message": "is required"},
        {"path": "plan.steps.2", "message": "must be an object"},
        {"path": "allSkills.0.category", "message": "must be agent, feature, style or composite"},
        {"path": "allSkills.0.template", "message": "must be true or false"},
    ]


@pytest.mark.holds("session.plan.fields")
@pytest.mark.parametrize(
    ("value", "path"),
    [
        (None, "plan"),
        ([], "plan"),
        ({}, "plan"),
        ({"plan": []}, "plan"),
        ({"plan": {"skillName": "n"}}, "plan.steps"),
        ({"plan": {"skillName": "n", "steps": {}}}, "plan.steps"),
        ({"plan": {"steps": []}}, "plan.skillName"),
        ({**plan(), "allSkills": {}}, "allSkills"),
        ({**plan(), "allSkills": [3]}, "allSkills.0"),
        (plan({**branch("b", "", ""), "thenSteps": None}), "plan.steps.0.thenSteps"),
        (plan({**output("", "t")}), "plan.steps.0.id"),
    ],
)
def test_what_is_missing_or_of_the_wrong_kind_is_named(value: Any, path: str) -> None:
    assert refusal(value).facts["field"] == path


@pytest.mark.holds("session.plan.fields")
def test_a_refusal_stays_short() -> None:
    assert len(refusal(plan(*[3] * 500)).facts["fields"]) == 20


NAMES = ["plan", "allSkills", "steps", "type", "id", "thenSteps", "options", "skillName", "workspace", "category"]
anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES) | st.text(max_size=3), inner),
    max_leaves=12,
)


@given(
    st.one_of(anything, anything.map(lambda one: plan(one, skills=[one]) if isinstance(one, dict) else {"plan": one}))
)
@pytest.mark.holds("session.plan.fields")
def test_anything_is_either_a_plan_or_refused_by_name(value: Any) -> None:
    try:
        read = read_run(value)
    except InvalidInput as wrong:
        read, trouble = None, wrong
    if read is None:
        assert trouble.facts["field"] == trouble.facts["fields"][0]["path"]
        assert trouble.message.startswith(trouble.facts["field"])
    else:
        assert kept_run(json.dumps(keep_run(read))) == read


@pytest.mark.holds("session.plan.answers")
def test_an_answer_is_an_object_with_entries() -> None:
    read = read_answer({"step_id": "ask", "answers": {"Colour": ["red", 3]}, "more": 1})
    assert (read.step_id, read.answers) == ("ask", {"Colour": ["red", 3]})


@pytest.mark.holds("session.plan.answers")
@pytest.mark.parametrize(
    ("value", "field"),
    [
        ({"step_id": "a", "answers": {}}, "answers"),
        ({"step_id": "a", "answers": ["red"]}, "answers"),
        ({"step_id": "a"}, "answers"),
        ({"step_id": 1, "answers": {"h": "a"}}, "step_id"),
        ({"answers": {"h": "a"}}, "step_id"),
        ({"step_id": "a", "answers": {"h": {"deep": ["\ud800"]}}}, "answers"),
        ({"step_id": "a", "answers": {"h": "\0"}}, "answers"),
        ({"step_id": "a", "answers": {"h": math.inf}}, "answers"),
        ([], "body"),
        (None, "body"),
    ],
)
def test_an_answer_that_is_none_is_refused_by_name(value: Any, field: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        read_answer(value)
    assert caught.value.facts["field"] == field
