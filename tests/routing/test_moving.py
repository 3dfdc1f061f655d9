"""Moving: at most one hop, by the first rule that applies, and every fact about it told."""

import json

import pytest
from tests.routing.support_desk import at, returned, skill, skills

from loreweave import Conflict, Fired, Limit, Move, SkillEdge, SkillGraph, SkillGraphError, keywords, skill_graph


def desk() -> SkillGraph:
    """Triage by word, refunds that may escalate, a glossary the model may open, an end."""
    triage, refunds, escalation, glossary = skills("triage refunds escalation glossary")
    return (
        skill_graph()
        .entry(refunds, keywords("refund"))
        .entry(triage, always=False)
        .route(triage, refunds, on_tool_return="classify", where="kind == refund", carry=("order", "kind"))
        .route(refunds, escalation, on_tool_return="issue", on_status="denied", priority=10)
        .route(refunds, skill("done", end=True), on_tool_return="issue")
        .route(refunds, glossary)
        .route(glossary, refunds)
        .build()
    )


@pytest.mark.holds("routing.move.entry")
def test_a_cold_graph_starts_at_the_first_entry_with_no_or_a_true_condition() -> None:
    graph = desk()
    assert graph.explain_next_skill(at(user_message="A refund!")) == Move(
        None, "refunds", "entry", SkillEdge(None, "refunds", "entry")
    )
    assert graph.explain_next_skill(at(user_message="Hello")).to == "triage"


@pytest.mark.holds("routing.move.cold")
def test_cold_means_no_cursor_so_entries_are_asked_each_time_and_edges_are_not() -> None:
    graph = desk()
    late = at(None, returned("classify", '{"kind": "refund"}'), iteration=7, path=("refunds",))
    assert graph.explain_next_skill(late).to == "triage"
    assert graph.next_skill(at(user_message="refund", iteration=7)) == "refunds"


@pytest.mark.holds("routing.move.cold-pick")
def test_a_cold_pick_among_the_entries_counts_where_none_starts_by_itself() -> None:
    by_read = skill_graph().entry(skill("a")).entry(skill("b"), lambda _: False).entry_by_read().build()
    assert by_read.explain_next_skill(at()).by == "none"
    picked = by_read.explain_next_skill(at(pending_pick="b"))  # conditions bind the automatic start alone
    assert (picked.to, picked.by, picked.edge, picked.from_) == ("b", "model-pick", None, None)
    menu = desk().explain_next_skill(at(user_message="refund", entry_menu=True, pending_pick="triage"))
    assert (menu.to, menu.by) == ("triage", "model-pick")
    assert desk().explain_next_skill(at(user_message="refund", entry_menu=True)) == Move()


@pytest.mark.holds("routing.move.none")
def test_where_no_entry_applies_and_none_is_picked_the_graph_stays_outside() -> None:
    graph = skill_graph().entry(skill("a"), keywords("x")).route("a", skill("b")).build()
    assert graph.explain_next_skill(at()) == Move(None, None, "none")
    assert graph.explain_next_skill(at(pending_pick="b")) == Move(rejected_pick="b")
    assert graph.explain_next_skill(at(pending_pick="a")).by == "model-pick"


@pytest.mark.holds("routing.move.route", "routing.declare.carry")
def test_a_conditioned_edge_that_matches_moves_the_cursor_and_hands_fields_over() -> None:
    move = desk().explain_next_skill(at("triage", returned("classify", '{"kind": "refund", "x": 1}')))
    assert move == Move(
        "triage",
        "refunds",
        "route",
        SkillEdge("triage", "refunds", "on-tool-return", "on classify where kind == refund"),
        payload={"kind": "refund"},
    )
    assert desk().explain_next_skill(at("refunds", returned("issue"))).payload == {}


@pytest.mark.holds("routing.declare.carry")
def test_carried_fields_are_those_at_the_top_of_a_json_object() -> None:
    graph = skill_graph().entry(skill("a")).route("a", skill("b"), on_tool_return="t", carry=("x", "y")).build()
    for result, payload in (
        ('{"x": {"y": 1}, "z": 2}', {"x": {"y": 1}}),
        ('{"y": null}', {"y": None}),
        ("[1]", {}),
        ("none", {}),
    ):
        move = graph.explain_next_skill(at("a", returned("t", result)))
        assert move.payload == payload
        assert json.dumps(move.payload)


@pytest.mark.holds("routing.move.route", "routing.declare.priority")
def test_the_higher_priority_wins_then_the_earlier_declaration() -> None:
    a, b, c, d = skills("a b c d")
    graph = (
        skill_graph()
        .entry(a)
        .route(a, b, on_tool_return="t", priority=-1)
        .route(a, c, on_tool_return="t", priority=2)
        .route(a, d, on_tool_return="t", priority=2)
        .build()
    )
    assert graph.next_skill(at("a", returned("t"))) == "c"
    assert desk().next_skill(at("refunds", returned("issue", "", "denied"))) == "escalation"
    assert desk().next_skill(at("refunds", returned("issue", "", "success"))) == "done"


@pytest.mark.holds("routing.move.pick", "routing.move.picks")
def test_a_pick_that_may_be_made_moves_where_no_edge_fires() -> None:
    graph = desk()
    move = graph.explain_next_skill(at("refunds", returned("other"), pending_pick="glossary"))
    assert move == Move("refunds", "glossary", "model-pick")
    assert graph.explain_next_skill(at("refunds", pending_pick="triage")).by == "model-pick"


@pytest.mark.holds("routing.move.picks")
def test_a_pick_that_may_not_be_made_is_ignored_and_told() -> None:
    graph = desk()
    for pick in ("escalation", "nobody", ""):
        assert graph.explain_next_skill(at("glossary", pending_pick=pick)) == Move(
            "glossary", "glossary", "stay", rejected_pick=pick
        )
    fired = graph.explain_next_skill(at("triage", returned("classify", '{"kind":"refund"}'), pending_pick="done"))
    assert (fired.by, fired.rejected_pick, fired.superseded_pick) == ("route", "done", None)
    assert graph.explain_next_skill(at(user_message="refund", pending_pick="done")).rejected_pick == "done"


@pytest.mark.holds("routing.move.picks")
def test_an_allowed_pick_that_lost_to_another_target_is_told() -> None:
    graph = desk()
    issued = returned("issue", "", "denied")
    assert graph.explain_next_skill(at("refunds", issued, pending_pick="glossary")).superseded_pick == "glossary"
    assert graph.explain_next_skill(at("refunds", issued, pending_pick="escalation")).superseded_pick is None
    assert graph.explain_next_skill(at(user_message="refund", pending_pick="triage")).superseded_pick == "triage"
    assert graph.explain_next_skill(at(user_message="refund", pending_pick="refunds")).superseded_pick is None


@pytest.mark.holds("routing.move.stay", "routing.move.picks")
def test_otherwise_the_cursor_stays() -> None:
    graph = desk()
    assert graph.explain_next_skill(at("refunds")) == Move("refunds", "refunds", "stay")
    assert graph.explain_next_skill(at("refunds", returned("unheard_of"))) == Move("refunds", "refunds", "stay")
    assert graph.explain_next_skill(at("refunds", pending_pick="refunds")) == Move("refunds", "refunds", "stay")


@pytest.mark.holds("routing.move.unknown-cursor")
def test_a_cursor_of_another_graph_counts_as_cold() -> None:
    move = desk().explain_next_skill(at("elsewhere", returned("issue"), user_message="refund"))
    assert (move.from_, move.to, move.by, move.dropped_cursor) == (None, "refunds", "entry", "elsewhere")
    assert desk().reachable_skills("elsewhere") == desk().reachable_skills()


@pytest.mark.holds("routing.move.unknown-cursor")
def test_an_empty_cursor_is_a_mistake() -> None:
    graph = desk()
    for ask in (graph.next_skill, graph.explain_next_skill, graph.active_skills):
        with pytest.raises(SkillGraphError):
            ask(at(""))
    with pytest.raises(SkillGraphError):
        graph.reachable_skills("")


@pytest.mark.holds("routing.move.batches")
def test_a_batch_is_read_from_tool_results_or_else_the_last_result() -> None:
    graph = desk()
    denied = returned("issue", "", "denied")
    last = at("refunds", last_tool_result=denied)
    assert graph.next_skill(last) == "escalation"
    assert graph.next_skill(at("refunds", returned("other"), last_tool_result=denied)) == "refunds"
    from loreweave import RouteContext

    none = RouteContext(current_skill_id="refunds", last_tool_result=denied, tool_results=())
    assert graph.next_skill(none) == "refunds"


@pytest.mark.holds("routing.move.batches")
def test_among_results_the_highest_priority_wins_then_the_order_of_the_calls() -> None:
    a, b, c, d = skills("a b c d")
    graph = (
        skill_graph()
        .entry(a)
        .route(a, b, on_tool_return="t")
        .route(a, c, on_tool_return="u")
        .route(a, d, on_tool_return="v", priority=1)
        .route(a, d, on_tool_return="w", priority=5)
        .build()
    )
    t, u, v, w = (returned(tool, "", None, f"call-{tool}") for tool in "tuvw")
    first = graph.explain_next_skill(at("a", u, t))
    assert first.to == "c"
    assert first.conflict == Conflict(Fired("c", "u", "call-u"), (Fired("b", "t", "call-t"),))
    ranked = graph.explain_next_skill(at("a", t, v, u, w, returned("x")))
    assert ranked.conflict == Conflict(
        Fired("d", "w", "call-w"), (Fired("b", "t", "call-t"), Fired("c", "u", "call-u"))
    )
    assert ranked.edge is not None
    assert ranked.edge.priority == 5
    assert graph.explain_next_skill(at("a", v, w)).conflict is None
    assert graph.explain_next_skill(at("a", t, returned("x"))).conflict is None


@pytest.mark.holds("routing.move.read-skill-results")
def test_results_of_read_skill_match_only_an_edge_that_names_it() -> None:
    import re

    a, b, c = skills("a b c")
    read = returned("read_skill", '{"x": 1}', "success")

    def refuse(_: object) -> bool:
        raise AssertionError("asked about read_skill")

    builder = skill_graph().entry(a).route(a, b, when=refuse).route(a, b, on_status="success")
    builder.route(a, b, where="x == 1").route(a, b, on_tool_return=re.compile("read"))
    assert builder.build().explain_next_skill(at("a", read)) == Move("a", "a", "stay")
    assert builder.route(a, c, on_tool_return="read_skill").build().next_skill(at("a", read)) == "c"


@pytest.mark.holds("routing.move.self-edge")
def test_an_edge_to_itself_that_fires_is_a_route() -> None:
    graph = skill_graph().entry(skill("a")).route("a", "a", on_tool_return="t", carry="x").build()
    move = graph.explain_next_skill(at("a", returned("t", '{"x": 1}')))
    assert (move.from_, move.to, move.by, move.payload) == ("a", "a", "route", {"x": 1})
    assert move.edge == SkillEdge("a", "a", "on-tool-return", "on t")


@pytest.mark.holds("routing.move.limits")
def test_hops_beyond_the_limit_are_refused() -> None:
    a, b = skills("a b")
    graph = skill_graph().entry(a).route(a, b, on_tool_return="t", carry="x").route(b, a).limits(max_hops=1).build()
    fired = returned("t", '{"x": 1}')
    assert graph.explain_next_skill(at("a", fired, path=("a",))).by == "route"
    move = graph.explain_next_skill(at("a", fired, path=("b", "a")))
    assert move == Move("a", "a", "limit", limit=Limit("max_hops", "b"))
    pick = graph.explain_next_skill(at("b", pending_pick="a", path=("a", "b")))
    assert pick == Move("b", "b", "limit", limit=Limit("max_hops", "a"))
    assert graph.explain_next_skill(at("a", path=("b", "a"))).by == "stay"
    assert graph.explain_next_skill(at(path=("b", "a", "b"))).by == "entry"


@pytest.mark.holds("routing.move.limits")
def test_visits_beyond_the_limit_are_refused() -> None:
    a, b = skills("a b")
    graph = skill_graph().entry(a).route(a, b, on_tool_return="t").route(b, a).limits(max_visits=2).build()
    assert graph.explain_next_skill(at("a", returned("t"), path=("a", "b", "a"))).by == "route"
    move = graph.explain_next_skill(at("a", returned("t"), path=("a", "b", "a", "b", "a")))
    assert (move.to, move.limit) == ("a", Limit("max_visits", "b"))
    pick = graph.explain_next_skill(at("b", pending_pick="a", path=("a", "a", "b")))
    assert (pick.to, pick.by, pick.limit) == ("b", "limit", Limit("max_visits", "a"))


@pytest.mark.holds("routing.move.ended")
def test_landing_on_an_end_is_told_and_changes_nothing_else() -> None:
    a, done = skill("a"), skill("done", end=True)
    graph = skill_graph().entry(a).route(a, done, on_tool_return="t").route(done, a, on_tool_return="again").build()
    assert not graph.explain_next_skill(at("a")).ended
    assert graph.explain_next_skill(at("a", returned("t"))).ended
    assert graph.explain_next_skill(at("done")) == Move("done", "done", "stay", ended=True)
    back = graph.explain_next_skill(at("done", returned("again")))
    assert (back.to, back.ended) == ("a", False)
    started = skill_graph().entry(done).build().explain_next_skill(at())
    assert (started.by, started.ended) == ("entry", True)
