"""A walk told step by step: which rule won, and what became of the others, in words."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.faces.routed_desk import DESK

from loreweave import SkillGraph, load_skill_graph
from loreweave.contracts.route import WalkedStep, WalkStep
from loreweave.routing.folders.load_skill_graph import compile_skill_files
from loreweave.routing.rule_words import every_rule
from loreweave.routing.walk_routes import walk_routes

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "refund-desk"
GRAPH = compile_skill_files(DESK, bind="open")


def skill(name: str, *metadata: str, body: str = "Words.") -> dict[str, str]:
    lines = "\n".join(f"  {line}" for line in metadata)
    header = (
        f"name: {name}\ndescription: What {name} does\nmetadata:\n{lines}" if lines else f"name: {name}\ndescription: x"
    )
    return {f"{name}/SKILL.md": f"---\n{header}\n---\n\n{body}\n"}


def walk(graph: SkillGraph, *steps: dict[str, Any]) -> list[WalkedStep]:
    return walk_routes(graph, [WalkStep.model_validate(step) for step in steps])


def returned(tool: str, status: str | None = None, **fields: Any) -> dict[str, Any]:
    return {"toolResults": [{"toolName": tool, "status": status, "result": json.dumps(fields)}]}


def whys(step: WalkedStep, graph: SkillGraph = GRAPH) -> dict[str, tuple[str, str]]:
    return {
        f"{graph.edges[one.edge].to} {graph.edges[one.edge].kind}": (one.verdict, one.why) for one in step.considered
    }


@pytest.mark.holds("routes.walk.words", "routes.walk.lost")
def test_a_walk_says_why_it_starts_goes_on_and_ends() -> None:
    start, denied = walk(GRAPH, {"message": "a refund please"}, returned("issue_refund", "denied", order_id=7))
    assert start.told == 'Starts in "refunds": the message has “refund” or “charge”.'
    assert whys(start) == {
        "refunds entry": ("won", "the message has “refund” or “charge”"),
        "triage entry": ("beaten", '"refunds" stands before it'),
    }
    assert denied.told == 'Goes to "escalation": issue_refund returns denied. Carries order_id along. This is an end.'
    assert (denied.path, denied.state) == (["refunds", "escalation"], {"order_id": 7})
    assert whys(denied)["escalation predicate"] == ("no match", "@angry is answered no")
    assert whys(denied)["glossary model"] == ("not asked", "the model did not pick it")


@pytest.mark.holds("routes.walk.lost")
@pytest.mark.parametrize(
    ("happens", "why"),
    [
        ({}, "no tool has returned"),
        (returned("lookup_order", "success"), "it waits for issue_refund, and lookup_order returned"),
        (returned("issue_refund", "success"), "issue_refund came back success, not denied"),
        (returned("issue_refund"), "issue_refund came back without a status, not denied"),
        (returned("issue_refund", "denied"), "the result has no field amount"),
        (returned("issue_refund", "denied", amount=5), "amount is 5, and must be > 100"),
        (
            {"toolResults": [{"toolName": "issue_refund", "status": "denied", "result": "no"}]},
            "what issue_refund returned is no JSON object, so it has no amount",
        ),
        (returned("read_skill", "denied"), "opening a skill moves only rules that name read_skill"),
    ],
)
def test_a_rule_that_lost_says_what_it_missed(happens: dict[str, Any], why: str) -> None:
    files = {
        **skill("refunds", 'skillgraph.entry: "always"',
                'skillgraph.routes: "person: on issue_refund status=denied where amount > 100"'),
        **skill("person"),
    }  # fmt: skip
    graph = compile_skill_files(files, bind="open")
    step = walk(graph, {"message": "hi"}, happens)[-1]
    assert whys(step, graph)["person on-tool-return"] == ("no match", why)
    assert step.told == 'Stays in "refunds": no rule holds.'


@pytest.mark.holds("routes.walk.lost")
def test_of_rules_that_hold_the_priority_says_which_goes_first_and_a_pick_comes_after_rules() -> None:
    angry = {**returned("issue_refund", "denied"), "answers": {"angry": True}, "pick": "glossary"}
    step = walk(GRAPH, {"message": "refund"}, angry)[-1]
    beaten = 'it holds too, but the rule to "escalation" goes first: 10 before 0'
    assert whys(step)["escalation predicate"] == ("beaten", beaten)
    assert whys(step)["glossary model"] == ("beaten", "the model picked it, but a rule goes before the model's pick")
    assert 'The model had picked "glossary".' in step.told
    picked = walk(GRAPH, {"message": "refund"}, {"pick": "glossary"}, {"pick": "triage"})
    assert picked[1].told == 'Goes to "glossary": the model picked it.'
    assert whys(picked[2])["triage entry"] == ("won", "the model picked it, as it may any entry")
    refused = walk(GRAPH, {"message": "refund"}, {"pick": "escalation"}, {"pick": "nobody"})
    assert refused[2].told.endswith('"nobody" cannot be picked from here. This is an end.')


@pytest.mark.holds("routes.walk.turns")
def test_a_message_begins_a_turn_anew() -> None:
    steps = walk(GRAPH, {"message": "refund"}, returned("issue_refund", "denied", order_id=7), {"message": "hello"})
    assert (steps[2].path, steps[2].state, steps[2].move.by) == (["triage"], {}, "entry")


@pytest.mark.holds("routes.walk.words")
def test_limits_scores_menus_and_trees_are_told_too() -> None:
    loop = {**skill("a", "skillgraph.entry: always", 'skillgraph.routes: "a: on again"'),
            "skillgraph.md": "---\nlimits:\n  max_visits: 1\n---\n"}  # fmt: skip
    limited = compile_skill_files(loop, bind="open")
    step = walk(limited, {"message": ""}, returned("again"))[-1]
    assert step.told == 'Stays in "a": it was entered too often this turn (max_visits).'
    assert whys(step, limited)["a on-tool-return"][0] == "beaten"

    scored = compile_skill_files(
        {**skill("lamp", "skillgraph.entry: default"), **skill("rug", "skillgraph.entry: default"),
         "skillgraph.md": "---\nentry_by: keyword\n---\n"}, bind="open",
    )  # fmt: skip
    (start,) = walk(scored, {"message": "the rug"})
    assert start.scoring is not None
    assert start.scoring.chosen == "rug"
    assert whys(start, scored)["lamp entry"] == ("beaten", "score 0.00")
    assert whys(start, scored)["rug entry"] == ("won", "scored by keyword, score 1.00")

    read = compile_skill_files({**skill("a"), **skill("b")}, bind="open")
    cold, chosen = walk(read, {"message": "x"}, {"pick": "b"})
    assert cold.told.startswith("Nowhere yet")
    assert chosen.told == 'Goes to "b": the model picked it.'

    tree = compile_skill_files(
        {**skill("lamp"), **skill("rug"),
         "skillgraph.md": '---\ntree:\n  if: "@is_dark"\n  label: dark\n  then: lamp\n  else: rug\n---\n'}, bind="open",
    )  # fmt: skip
    day, night = walk(tree, {"message": "x"}, {"answers": {"is_dark": True}})
    assert (day.told, day.active) == ('"rug" is active: @is_dark is answered no.', ["rug"])
    assert (night.told, night.active) == ('"lamp" is active: @is_dark is answered yes.', ["lamp"])
    assert [one.verdict for one in night.considered] == ["won", "no match"]


@pytest.mark.holds("routes.walk.expected")
def test_a_step_that_was_expected_elsewhere_says_so() -> None:
    steps = walk(
        GRAPH,
        {"message": "refund", "expect": {"skill": "refunds"}},
        {**returned("issue_refund", "denied"), "expect": {"skill": "escalation", "by": "model-pick"}},
        {"pick": "triage", "expect": {"skill": "triage", "by": "model-pick"}},
        {},
    )
    assert [step.holds for step in steps] == [True, False, True, None]


@pytest.mark.holds("routes.example")
def test_the_example_that_comes_along_is_sound_and_ends_where_it_should() -> None:
    graph = load_skill_graph(EXAMPLE, bind="open")
    assert [problem.code for problem in graph.checkup().problems] == ["model-edge-only"]
    steps = walk(
        graph,
        {"message": "Where is my parcel?"},
        returned("track_parcel", "success", state="lost", order_id=7),
        returned("issue_refund", "denied", amount=140),
    )
    assert [step.path[-1] for step in steps] == ["order-status", "refunds", "escalation"]
    assert steps[-1].state == {"order_id": 7}


@pytest.mark.holds("routes.rules.parts")
def test_every_edge_says_what_it_waits_for_in_words_and_in_parts() -> None:
    rules = list(every_rule(GRAPH))
    assert [rule.edge for rule in rules] == list(range(len(GRAPH.edges)))
    denied = next(rule for rule in rules if rule.statuses)
    assert (denied.tool, denied.statuses, denied.carry) == ("issue_refund", ["denied"], ["order_id"])
    assert (denied.file, denied.says) == ("refunds/SKILL.md", "issue_refund returns denied")
    assert [rule.question for rule in rules if rule.question] == ["angry"]
    assert rules[1].says == "no entry before it fits"
    where = "a.b > 3 and c in [x, y] and d != null and e == true"
    files = {
        **skill("one", "skillgraph.entry: always", f'skillgraph.routes: "two: on t where {where}"'),
        **skill("two"),
    }
    graph = compile_skill_files(files, bind="open")
    example = next(rule.example for rule in every_rule(graph) if rule.example)
    assert json.loads(example) == {"a": {"b": 4}, "c": "x", "d": "another", "e": True}
    step = {"toolResults": [{"toolName": "t", "result": example}]}
    assert walk(graph, {"message": ""}, step)[-1].move.to == "two"
