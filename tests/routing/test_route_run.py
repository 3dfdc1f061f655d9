"""A run: turns, steps, the gate, limits, scoring at the start, events, and a snapshot of it all."""

import asyncio
import json
import logging
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

import pytest
from tests.routing.support_desk import returned, skill

from loreweave import EntryPolicy, Move, RouteRun, SkillGraph, SkillGraphError, decide, keywords, skill_graph

Events = list[dict[str, Any]]


def settle(work: Coroutine[Any, Any, Move]) -> Move:
    return asyncio.run(work)


def desk() -> SkillGraph:
    return (
        skill_graph()
        .entry(skill("triage", tools=("classify",)), always=False)
        .route("triage", skill("refunds", tools=("issue", "look_up")), on_tool_return="classify", carry=("order",))
        .route("refunds", skill("escalation"), on_tool_return="issue", on_status="denied", priority=10)
        .route("refunds", skill("done", end=True), on_tool_return="issue", carry=("amount",))
        .route("refunds", skill("glossary"))
        .route("glossary", "refunds")
        .build()
    )


def started(graph: SkillGraph, message: str = "hello", **more: Any) -> RouteRun:
    run = RouteRun(graph, **more)
    settle(run.start(message))
    return run


class PlainScorer:
    """Answers what it was given; a function is called first."""

    name = "plain"

    def __init__(self, *scores: float, before: Callable[[], Any] | None = None) -> None:
        self.scores = scores
        self.before = before

    async def score(self, message: str, candidates: Sequence[Any]) -> list[float]:
        if self.before is not None:
            await self.before()
        return list(self.scores[: len(candidates)])


def scored(scorer: PlainScorer, policy: EntryPolicy | None = None) -> SkillGraph:
    return skill_graph().entry(skill("first")).entry(skill("second")).entry_by(scorer, policy).build()


@pytest.mark.holds("routing.run.start", "routing.run.step")
def test_a_turn_starts_at_iteration_one_and_each_step_is_the_next() -> None:
    run = RouteRun(desk())
    assert (run.cursor, run.iteration, run.path, run.done) == (None, 0, (), False)
    move = settle(run.start("hello"))
    assert (move.by, move.to, run.cursor, run.iteration) == ("entry", "triage", "triage", 1)
    assert run.step().by == "stay"
    assert (run.iteration, run.path) == (2, ("triage",))


@pytest.mark.holds("routing.run.step")
def test_a_step_before_any_turn_is_refused() -> None:
    with pytest.raises(SkillGraphError, match="started"):
        RouteRun(desk()).step()


@pytest.mark.holds("routing.run.results-once", "routing.run.carry")
def test_a_result_is_used_by_one_step_alone_and_hands_over_what_it_carries() -> None:
    run = started(desk())
    run.tool_returned(returned("classify", '{"order": 7, "other": 1}'))
    assert run.cursor == "triage"  # nothing moves before the step
    move = run.step()
    assert (move.by, run.cursor, dict(run.state), run.path) == ("route", "refunds", {"order": 7}, ("triage", "refunds"))
    run.tool_returned(returned("classify", '{"order": 8}'))
    run.step()  # no edge leaves refunds for that tool
    assert dict(run.state) == {"order": 7}
    assert run.step().by == "stay"


@pytest.mark.holds("routing.run.done", "routing.run.carry")
def test_state_is_merged_and_an_end_is_done() -> None:
    run = started(desk())
    run.tool_returned(returned("classify", '{"order": 7}'))
    run.step()
    run.tool_returned(returned("issue", '{"amount": 12.5}'))
    assert run.step().ended
    assert run.done
    assert run.state == {"order": 7, "amount": 12.5}
    run.step()
    assert run.done


@pytest.mark.holds("routing.run.forgets")
def test_a_new_turn_forgets_cursor_state_path_picks_and_results() -> None:
    run = started(desk())
    run.tool_returned(returned("classify", '{"order": 7}'))
    run.step()
    run.tool_returned(returned("issue", "{}"))
    assert run.read_skill("glossary").accepted
    assert settle(run.start("again")).by == "entry"
    assert (run.cursor, run.path, dict(run.state), run.iteration) == ("triage", ("triage",), {}, 1)
    assert run.step().by == "stay"


@pytest.mark.holds("routing.run.keeps")
def test_a_conversation_keeps_cursor_and_state_and_nothing_else() -> None:
    run = started(desk(), keep="conversation")
    run.tool_returned(returned("classify", '{"order": 7}'))
    run.step()
    run.tool_returned(returned("issue", "{}"))
    run.read_skill("glossary")
    move = settle(run.start("again"))
    assert (move.by, run.cursor, run.path, dict(run.state)) == ("stay", "refunds", ("refunds",), {"order": 7})
    assert run.step().by == "stay"


@pytest.mark.holds("routing.run.gate")
def test_what_is_not_reachable_is_refused_with_every_allowed_id_and_changes_nothing() -> None:
    events: Events = []
    run = started(desk(), on_event=events.append)
    before = run.snapshot()
    for requested in ("done", "nothing", "triage", ""):
        answer = run.read_skill(requested)
        assert (answer.accepted, answer.allowed) == (False, run.reachable)
        assert all(f'"{name}"' in answer.text for name in run.reachable)
    assert run.snapshot() == before
    assert events[-1] == {
        "type": "skill.rejected",
        "requestedId": "",
        "currentSkillId": "triage",
        "allowed": ["refunds"],
        "iteration": 1,
    }


@pytest.mark.holds("routing.run.pick")
def test_what_is_reachable_is_the_pick_of_the_next_step_and_the_last_one_wins() -> None:
    run = started(desk())
    run.tool_returned(returned("classify", "{}"))
    run.step()
    assert run.read_skill("triage").text == "Do triage."
    assert run.read_skill("glossary").text == "Do glossary."
    assert run.cursor == "refunds"
    move = run.step()
    assert (move.by, run.cursor, run.path[-1]) == ("model-pick", "glossary", "glossary")
    assert run.step().by == "stay"  # used once


@pytest.mark.holds("routing.run.pin")
def test_in_a_tree_a_pick_is_pinned_for_the_turn() -> None:
    def asks(ctx: Any) -> bool:
        return "money" in ctx.user_message

    graph = skill_graph().tree(decide(asks, skill("billing", tools=("bill",)), skill("smalltalk", end=True))).build()
    run = started(graph, "money please")
    assert (run.cursor, run.active, run.tools, run.path, run.done) == (None, ("billing",), ("bill",), (), False)
    assert run.reachable == ("billing", "smalltalk")
    assert run.read_skill("smalltalk").accepted
    assert run.active == ("billing",)
    for _ in range(2):
        assert run.step().by == "model-pick"
        assert (run.active, run.done) == (("smalltalk",), True)
    settle(run.start("money"))
    assert run.active == ("billing",)


@pytest.mark.holds("routing.run.tools")
def test_tools_are_those_of_active_skills_or_of_all_where_the_graph_does_not_scope_them() -> None:
    standing = skill("standing", tools=("clock", "classify"))
    for scoped, expected in ((True, ("clock", "classify")), (False, ("clock", "classify", "issue"))):
        graph = (
            skill_graph()
            .entry(standing)
            .entry(skill("triage", tools=("classify",)), always=False)
            .route("triage", skill("refunds", tools=("issue",)))
            .build(scope_tools=scoped)
        )
        run = started(graph)
        assert run.tools == expected


@pytest.mark.holds("routing.run.limits")
def test_limits_count_what_was_entered_this_turn_with_a_kept_cursor_as_the_first() -> None:
    events: Events = []
    graph = (
        skill_graph()
        .entry(skill("a"), always=False)
        .route("a", skill("b"), on_tool_return="go")
        .route("b", "a", on_tool_return="back")
        .limits(max_hops=1)
        .build()
    )
    run = started(graph, keep="conversation", on_event=events.append)
    run.tool_returned(returned("go"))
    assert run.step().to == "b"
    run.tool_returned(returned("back"))
    move = run.step()
    assert (move.by, run.cursor, run.path) == ("limit", "b", ("a", "b"))
    assert events[-1] == {"type": "skill.limit", "code": "max_hops", "blocked": "a", "iteration": 3}
    settle(run.start("on"))
    assert run.path == ("b",)
    run.tool_returned(returned("back"))
    assert run.step().to == "a"


@pytest.mark.holds("routing.run.scored-start", "routing.run.events")
def test_a_cold_start_takes_the_entry_that_scores_best() -> None:
    events: Events = []
    run = RouteRun(scored(PlainScorer(1, 2)), on_event=events.append)
    move = settle(run.start("x"))
    assert (move.by, move.to, run.cursor, run.path) == ("entry", "second", "second", ("second",))
    assert move.edge is not None
    assert [event["type"] for event in events] == ["skill.entry_scored", "skill.moved"]
    assert (events[0]["chosen"], events[0]["scorer"], events[0]["margin"]) == ("second", "plain", 1)


@pytest.mark.holds("routing.run.abstention")
def test_an_abstention_leaves_the_menu_to_the_model_for_the_turn() -> None:
    run = RouteRun(scored(PlainScorer(1, 2), EntryPolicy(floor=3)), keep="conversation")
    assert settle(run.start("x")).by == "none"
    assert run.step().by == "none"
    assert (run.cursor, run.reachable) == (None, ("first", "second"))
    run.read_skill("first")
    assert run.step().by == "model-pick"
    assert run.path == ("first",)


@pytest.mark.holds("routing.run.fallback", "routing.run.events")
def test_a_scorer_that_fails_or_dawdles_falls_back_to_the_ordinary_walk() -> None:
    async def fail() -> None:
        raise ValueError("no vectors")

    async def dawdle() -> None:
        await asyncio.Event().wait()

    async def time_out() -> None:
        raise TimeoutError

    for before, seconds, reason in (
        (fail, 5.0, "ValueError: no vectors"),
        (dawdle, 0.001, "timeout"),
        (time_out, None, "TimeoutError"),
    ):
        events: Events = []
        run = RouteRun(scored(PlainScorer(1, 2, before=before)), on_event=events.append, entry_timeout_s=seconds)
        assert settle(run.start("x")).to == "first"
        assert events[0] == {"type": "skill.entry_fallback", "reason": reason, "iteration": 1}


@pytest.mark.holds("routing.run.cancellation")
def test_cancelling_the_scoring_goes_to_the_caller_and_leaves_no_cursor() -> None:
    async def cancelled(run: RouteRun, waiting: asyncio.Event) -> None:
        task = asyncio.create_task(run.start("x"))
        await waiting.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    async def scenario() -> RouteRun:
        waiting = asyncio.Event()

        async def hold() -> None:
            waiting.set()
            await asyncio.Event().wait()

        stale = {**RouteRun(desk()).snapshot(), "cursor": "gone", "iteration": 4}
        run = RouteRun(scored(PlainScorer(1, 2, before=hold)), snapshot=stale)
        await cancelled(run, waiting)
        return run

    run = asyncio.run(scenario())
    assert (run.cursor, run.path) == (None, ())


@pytest.mark.holds("routing.run.scored-start")
def test_a_kept_cursor_is_not_scored_again() -> None:
    asked: list[int] = []

    async def count() -> None:
        asked.append(1)

    run = RouteRun(scored(PlainScorer(1, 2, before=count)), keep="conversation")
    settle(run.start("x"))
    assert settle(run.start("y")).by == "stay"
    assert asked == [1]


@pytest.mark.holds("routing.run.events")
def test_events_tell_of_moves_conflicts_and_lost_picks() -> None:
    events: Events = []
    run = started(desk(), on_event=events.append)
    run.tool_returned(returned("classify", "{}"))
    run.step()
    run.read_skill("glossary")
    run.tool_returned(returned("issue", status="success", call="c1"))
    run.tool_returned(returned("issue", status="denied", call="c2"))
    run.step()
    assert events == [
        {"type": "skill.moved", "from": None, "to": "triage", "by": "entry", "iteration": 1},
        {"type": "skill.moved", "from": "triage", "to": "refunds", "by": "route", "iteration": 2},
        {
            "type": "skill.conflict",
            "winner": {"to": "escalation", "toolName": "issue", "callId": "c2"},
            "losers": [{"to": "done", "toolName": "issue", "callId": "c1"}],
            "iteration": 3,
        },
        {"type": "skill.superseded", "picked": "glossary", "won": "escalation", "iteration": 3},
        {"type": "skill.moved", "from": "refunds", "to": "escalation", "by": "route", "iteration": 3},
    ]
    json.dumps(events)


@pytest.mark.holds("routing.run.events")
def test_a_listener_that_fails_is_logged_and_the_walk_goes_on(caplog: pytest.LogCaptureFixture) -> None:
    def fail(_: dict[str, Any]) -> None:
        raise RuntimeError("deaf")

    with caplog.at_level(logging.ERROR, logger="loreweave.routing"):
        run = started(desk(), on_event=fail)
    assert run.cursor == "triage"
    assert "skill.moved" in caplog.text


@pytest.mark.holds("routing.run.snapshot", "routing.run.restored")
def test_a_restored_run_goes_on_where_it_was_and_its_first_turn_keeps_the_cursor() -> None:
    run = started(desk())
    run.tool_returned(returned("classify", '{"order": 7}'))
    run.step()
    run.read_skill("glossary")
    stored = json.loads(json.dumps(run.snapshot()))
    again = RouteRun(desk(), snapshot=stored)
    assert again.snapshot() == stored
    assert (again.step().to, again.path) == ("glossary", ("triage", "refunds", "glossary"))
    turned = RouteRun(desk(), snapshot=stored)
    assert settle(turned.start("more")).by == "stay"
    assert (turned.cursor, turned.path, dict(turned.state)) == ("refunds", ("refunds",), {"order": 7})
    settle(turned.start("and more"))
    assert turned.cursor == "triage"


@pytest.mark.holds("routing.run.snapshot")
def test_a_snapshot_belongs_to_the_caller_and_holds_json_whatever_tools_returned() -> None:
    class Odd:
        def __str__(self) -> str:
            return "odd"

    run = started(desk())
    run.tool_returned(returned("classify", {"order": Odd(), "nan": float("nan")}))
    run.tool_returned(returned("look_up", {"deep": [1, {"a": None}]}))
    taken = run.snapshot()
    json.dumps(taken, allow_nan=False)
    taken["results"].clear()
    taken["path"].append("x")
    assert len(run.snapshot()["results"]) == 2
    run.step()
    assert json.dumps(run.snapshot()["state"]) == '{"order": "odd"}'


@pytest.mark.holds("routing.run.snapshot")
@pytest.mark.parametrize(
    "change",
    [
        {"version": 2},
        {"cursor": ""},
        {"path": ["a", 1]},
        {"state": []},
        {"results": [{"toolName": "x"}]},
        {"iteration": -1},
        {"entryMenu": 1},
        {"message": None},
    ],
)
def test_a_snapshot_that_no_run_wrote_is_refused_by_its_field(change: dict[str, Any]) -> None:
    with pytest.raises(SkillGraphError, match=next(iter(change))):
        RouteRun(desk(), snapshot={**RouteRun(desk()).snapshot(), **change})


@pytest.mark.holds("routing.run.dropped")
def test_a_cursor_that_the_graph_no_longer_has_is_dropped_and_told() -> None:
    events: Events = []
    stale = {**started(desk()).snapshot(), "cursor": "gone", "path": ["gone"]}
    run = RouteRun(desk(), snapshot=stale, on_event=events.append)
    assert (run.active, run.reachable, run.done) == ((), ("triage",), False)
    move = settle(run.start("x"))
    assert (move.dropped_cursor, run.cursor, run.path) == ("gone", "triage", ("triage",))
    assert events[0] == {"type": "skill.cursor_dropped", "id": "gone", "iteration": 1}


@pytest.mark.holds("routing.run.step")
def test_a_condition_that_breaks_the_rules_leaves_the_run_as_it_was() -> None:
    async def later(_: object) -> bool:
        return True

    graph = (
        skill_graph()
        .entry(skill("a"), always=False)
        .route("a", skill("b"), when=lambda result: later(result))
        .build(check="off")
    )
    run = started(graph)
    run.tool_returned(returned("x"))
    before = run.snapshot()
    with pytest.raises(TypeError):
        run.step()
    assert run.snapshot() == before


@pytest.mark.holds("routing.run.start")
def test_what_a_run_cannot_use_is_refused() -> None:
    async def listen(_: dict[str, Any]) -> None: ...

    for bad in ({"keep": "forever"}, {"on_event": listen}, {"snapshot": "text"}):
        with pytest.raises(SkillGraphError):
            RouteRun(desk(), **bad)
    with pytest.raises(SkillGraphError):
        RouteRun(skill_graph().entry(skill("a"), keywords("x")))  # type: ignore[arg-type]
    with pytest.raises(SkillGraphError):
        RouteRun(desk()).tool_returned("text")  # type: ignore[arg-type]
    with pytest.raises(SkillGraphError):
        settle(RouteRun(desk()).start(None))  # type: ignore[arg-type]
