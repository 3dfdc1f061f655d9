"""Laws that hold for every graph and every question."""

import re
import subprocess
import sys
import threading
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.routing.mermaid_reader import read_mermaid
from tests.routing.random_graphs import build, declare, flat_graphs, graphs, names, questions, routes, specs
from tests.routing.support_desk import at, returned, skill

from loreweave import RouteContext, SkillGraph, skill_graph


@given(graphs, questions)
@pytest.mark.holds("routing.move.projection", "routing.laws.deterministic")
def test_the_next_skill_is_what_the_explanation_says(graph: SkillGraph, ctx: RouteContext) -> None:
    move = graph.explain_next_skill(ctx)
    assert graph.next_skill(ctx) == move.to
    assert move == graph.explain_next_skill(ctx)


@given(flat_graphs, questions)
@pytest.mark.holds("routing.move.picks", "routing.move.limits", "routing.move.ended")
def test_the_facts_of_a_move_agree(graph: SkillGraph, ctx: RouteContext) -> None:
    move = graph.explain_next_skill(ctx)
    ids = {one.id for one in graph.skills}
    assert move.to is None or move.to in ids
    assert (move.from_ is None) == (ctx.current_skill_id not in ids)
    assert (move.dropped_cursor is not None) == (ctx.current_skill_id is not None and ctx.current_skill_id not in ids)
    assert (move.limit is not None) == (move.by == "limit")
    assert move.ended == (move.to is not None and graph.skill(move.to).end)
    assert (move.edge is not None) == (move.by in ("entry", "route"))
    if move.edge is not None:
        assert (move.edge.from_, move.edge.to) == (move.from_, move.to)
        assert move.edge in graph.edges
    if move.by in ("stay", "limit", "none"):
        assert move.to == move.from_
        assert move.payload == {}
    allowed = {*graph.reachable_skills(move.from_), move.from_} - {None}
    if ctx.pending_pick is not None:
        assert (move.rejected_pick == ctx.pending_pick) == (ctx.pending_pick not in allowed)
    if move.by == "model-pick":
        assert move.to == ctx.pending_pick
        assert move.to in graph.reachable_skills(move.from_)
    if move.conflict is not None:
        assert all(one.to != move.conflict.winner.to for one in move.conflict.losers)


@given(graphs, questions)
@pytest.mark.holds("routing.active.set", "routing.active.trigger")
def test_active_skills_are_told_alike_by_graph_and_trigger_in_the_order_of_registration(
    graph: SkillGraph, ctx: RouteContext
) -> None:
    active = graph.active_skills(ctx)
    move = graph.explain_next_skill(ctx)
    assert active == tuple(one.id for one in graph.skills if one.trigger and one.trigger.active(ctx))
    landed = move.leaf if graph.kind == "tree" else move.to
    standing = {one.id for one in graph.skills if one.trigger and one.trigger.kind == "always"}
    assert set(active) == standing | ({landed} - {None})


@given(graphs, st.none() | names | st.just("gone"))
@pytest.mark.holds("routing.reachable.declared", "routing.reachable.set")
def test_what_is_reachable_was_declared(graph: SkillGraph, cursor: str | None) -> None:
    reachable = graph.reachable_skills(cursor)
    assert len(set(reachable)) == len(reachable)
    assert set(reachable) <= {edge.to for edge in graph.edges}
    assert set(reachable) <= {one.id for one in graph.skills}
    if graph.kind == "flat":
        assert cursor not in reachable
        entries = {edge.to for edge in graph.edges if edge.from_ is None}
        assert set(reachable) <= {edge.to for edge in graph.edges if edge.from_ == cursor} | entries


@given(graphs)
@pytest.mark.holds("routing.draw.declared", "routing.draw.names", "routing.draw.escapes")
def test_declared_equals_drawn(graph: SkillGraph) -> None:
    drawn = read_mermaid(graph.to_mermaid())
    assert drawn.rest == []
    known = {node.id for node in graph.nodes}
    unknown = [text for _, text in drawn.nodes.values()][len(graph.nodes) :]
    shapes = [
        ("diamond" if node.kind == "predicate" else "end" if graph.skill(node.id).end else "box", node.label)
        for node in graph.nodes
    ]
    assert list(drawn.nodes.values())[: len(graph.nodes)] == shapes
    ids = [*(node.id for node in graph.nodes), *(text.removesuffix("?") for text in unknown)]
    name_of = dict(zip(ids, drawn.nodes, strict=True))
    named = {one for edge in graph.edges for one in (edge.from_, edge.to) if one is not None}
    assert set(unknown) == {f"{one}?" for one in named - known}
    assert drawn.edges == [
        (
            "__start__" if edge.from_ is None else name_of[edge.from_],
            "-.->" if edge.kind == "model" else "-->",
            None if edge.label is None else edge.label.replace("\n", " "),
            name_of[edge.to],
        )
        for edge in graph.edges
    ]


@given(specs)
@pytest.mark.holds("routing.declare.forms-agree")
def test_the_object_form_says_what_the_builder_says(spec: dict[str, Any]) -> None:
    for entry in spec["entries"]:
        entry["always"] = True  # the object form has no other
    if spec["by_read"]:
        for entry in spec["entries"]:
            entry["when"] = None
    built = build(spec)
    ways = [{"use": entry["to"], **({"when": entry["when"]} if entry["when"] else {})} for entry in spec["entries"]]
    start = {"entries": [way["use"] for way in ways]} if spec["by_read"] else {"rules": ways}
    steps = [
        {"from": route["from"], "to": route["to"], **route["condition"]}
        | {key: route[key] for key in ("priority", "label", "carry")}
        for route in spec["routes"]
    ]
    made = skill_graph(
        skills=[skill(name, end=name in spec["ends"]) for name in spec["skills"]],
        start=start,
        steps=steps,
        limits={"max_hops": spec["max_hops"], "max_visits": spec["max_visits"]},
        check="off",
    )
    assert (made.edges, made.nodes, made.to_mermaid()) == (built.edges, built.nodes, built.to_mermaid())
    assert (made.checkup(), made.skills) == (built.checkup(), built.skills)


@given(specs, routes, questions)
@pytest.mark.holds("routing.laws.immutable", "routing.declare.build-copies")
def test_a_built_graph_does_not_change_when_the_builder_goes_on(
    spec: dict[str, Any], route: dict[str, Any], ctx: RouteContext
) -> None:
    builder = declare(spec)
    graph = builder.build("off")
    before = (
        graph.skills,
        graph.edges,
        graph.nodes,
        graph.to_mermaid(),
        graph.checkup(),
        graph.explain_next_skill(ctx),
    )
    builder.skill(skill("new")).entry("new").route(route["from"], route["to"], **route["condition"])
    builder.limits(max_hops=0).build("off")
    after = (graph.skills, graph.edges, graph.nodes, graph.to_mermaid(), graph.checkup(), graph.explain_next_skill(ctx))
    assert after == before


@given(graphs)
@pytest.mark.holds("routing.checkup.pure", "routing.checkup.order")
def test_a_checkup_is_pure_and_ok_unless_there_is_an_error(graph: SkillGraph) -> None:
    drawn = graph.to_mermaid()
    checkup = graph.checkup()
    assert checkup == graph.checkup()
    assert graph.to_mermaid() == drawn
    assert checkup.ok == all(one.kind != "error" for one in checkup.problems)
    errors = {one.code for one in checkup.problems if one.kind == "error"}
    assert errors <= {"unknown-skill", "no-entry"}
    assert len(str(checkup).splitlines()) == len(checkup.problems)
    assert all(re.search(r'"|no entry', one.message) for one in checkup.problems)


@pytest.mark.holds("routing.laws.immutable")
def test_threads_may_share_a_graph() -> None:
    builder = skill_graph()
    for number in range(60):
        builder.entry(skill(f"e{number}"), always=False)
        builder.route(f"e{number}", f"e{(number * 7) % 60}", on_tool_return="t")
    shared, alone = builder.build(), builder.build()
    asked = [at(f"e{number}", returned("t")) for number in range(60)]
    wanted = [(alone.explain_next_skill(ctx), alone.reachable_skills(ctx.current_skill_id)) for ctx in asked]
    wrong: list[object] = []
    together = threading.Barrier(8)

    def work() -> None:
        together.wait()
        for ctx, expected in zip(asked, wanted, strict=True):
            found = (shared.explain_next_skill(ctx), shared.reachable_skills(ctx.current_skill_id))
            if found != expected:
                wrong.append(found)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


TOLD = """
from loreweave import RouteContext, ToolResult, define_skill, keywords, skill_graph
b = skill_graph()
for n in range(40):
    made = define_skill(f"s{n}", f"about s{n}", f"call tool_{n}() and own_{n}", tools=[f"own_{n + 1}"])
    b.entry(made, keywords(f"w{n}"))
    b.route(f"s{n}", f"s{n * 7 % 40}", on_status=["failure", "denied"], where="x in [a, b]")
    b.route(f"s{n}", f"x{n * 3 % 10}")
g = b.build("off")
print(g.to_mermaid(), g.checkup(), g.checkup().notes, g.skills, g.reachable_skills("s3"))
denied = ToolResult("t", '{"x": "a"}', "denied")
print(g.explain_next_skill(RouteContext(current_skill_id="s3", last_tool_result=denied)))
"""


@pytest.mark.holds("routing.laws.deterministic")
def test_the_hash_seed_changes_nothing() -> None:
    told = [
        subprocess.run(
            [sys.executable, "-c", TOLD],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "77")
    ]
    assert told[0] == told[1] == told[2] != ""
