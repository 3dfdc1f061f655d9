"""Values of routing as plain JSON."""

import json
import math
from typing import Any

import pytest
from hypothesis import given
from pydantic import TypeAdapter, ValidationError
from tests.routing.random_graphs import graphs, questions

from loreweave import (
    Conflict,
    EntryScore,
    EntryScoring,
    Fired,
    GraphCheckup,
    GraphProblem,
    Limit,
    Message,
    Move,
    PredicateError,
    RouteContext,
    SkillEdge,
    SkillGraph,
    ToolResult,
)
from loreweave.contracts.route import RouteNextAnswer


def to_json(value: object) -> dict[str, Any]:
    """As an answer of the wire has it."""
    told: dict[str, Any] = json.loads(TypeAdapter(type(value)).dump_json(value))
    return told


@pytest.mark.holds("routing.values.json")
def test_a_move_has_every_fact_under_its_wire_name() -> None:
    edge = SkillEdge("a", "b", "on-tool-return", "on t", 2, "why")
    move = Move(
        "a",
        "b",
        "route",
        edge,
        conflict=Conflict(Fired("b", "t", "c1"), (Fired("c", "u"),)),
        superseded_pick="c",
        predicate_errors=(PredicateError("a", "c", "ValueError: x"),),
        limit=Limit("max_hops", "b"),
        payload={"order_id": {"deep_key": 1}},
    )
    assert to_json(move) == {
        "from": "a",
        "to": "b",
        "by": "route",
        "edge": {"from": "a", "to": "b", "kind": "on-tool-return", "label": "on t", "priority": 2, "reason": "why"},
        "leaf": None,
        "conflict": {
            "winner": {"to": "b", "toolName": "t", "callId": "c1"},
            "losers": [{"to": "c", "toolName": "u", "callId": None}],
        },
        "droppedCursor": None,
        "rejectedPick": None,
        "supersededPick": "c",
        "predicateErrors": [{"from": "a", "to": "c", "error": "ValueError: x"}],
        "limit": {"code": "max_hops", "blocked": "b"},
        "payload": {"order_id": {"deep_key": 1}},
        "ended": False,
    }


@pytest.mark.holds("routing.values.json")
def test_scorings_checkups_and_contexts_are_told_alike() -> None:
    scoring = EntryScoring("given", None, (EntryScore("a", math.nan, 1.0),), None, False, "floor")
    assert to_json(scoring) == {
        "scorer": "given",
        "chosen": None,
        "ranked": [{"id": "a", "score": None, "relevance": 1.0}],
        "margin": None,
        "tie": False,
        "abstained": "floor",
    }
    problem = GraphProblem("error", "no-entry", "text")
    told = {"kind": "error", "code": "no-entry", "message": "text", "skill": None, "from": None, "to": None}
    assert to_json(GraphCheckup(False, (problem,))) == {
        "ok": False,
        "problems": [{**told, "file": None, "line": None}],
        "notes": [],
    }
    ctx = RouteContext(history=(Message("user", "hi"),), last_tool_result=ToolResult("t"), state={"a_b": 1})
    assert to_json(ctx)["currentSkillId"] is None
    assert to_json(ctx)["history"] == [{"role": "user", "content": "hi", "toolName": None}]
    assert to_json(ctx)["state"] == {"a_b": 1}


@pytest.mark.holds("routing.values.json", "routing.values.once")
def test_what_is_sent_comes_back_as_the_same_value() -> None:
    ctx = RouteContext(
        history=(Message("user", "hi"),), tool_results=(ToolResult("t", {"a": 1}, "denied"),), path=("a",)
    )
    read = TypeAdapter(RouteContext).validate_python(to_json(ctx))
    assert (type(read), read) == (RouteContext, ctx)
    edge = SkillEdge("a", "b", "model")
    answer = RouteNextAnswer(nextSkill="b", move=Move("a", "b", "route", edge), active=[], reachable=[], tools=[])
    assert answer.move.edge is edge


@pytest.mark.holds("routing.values.once")
@pytest.mark.parametrize(
    "wrong",
    [
        {"user_message": "hi"},
        {"iteration": "1"},
        {"path": "abc"},
        {"lastToolResult": {"toolName": "t", "status": "fine"}},
        {"history": [{"role": "user", "content": "hi", "more": 1}]},
    ],
)
def test_types_and_names_of_the_wire_are_exact(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        TypeAdapter(RouteContext).validate_python(wrong)


@given(graphs, questions)
@pytest.mark.holds("routing.values.json")
def test_whatever_a_graph_answers_is_json(graph: SkillGraph, ctx: RouteContext) -> None:
    told = [to_json(graph.explain_next_skill(ctx)), to_json(graph.checkup()), to_json(ctx)]
    told += map(to_json, (*graph.edges, *graph.nodes))
    assert json.loads(json.dumps(told, allow_nan=False)) == told
    assert not [key for one in told for key in one if "_" in key]
