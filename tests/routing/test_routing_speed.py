"""Speed: what a graph of a thousand skills costs to build, ask, check and draw."""

import random
from collections.abc import Callable
from itertools import pairwise

import pytest
from tests.pace import within
from tests.routing.support_desk import at, returned, skill

from loreweave import RouteContext, SkillGraph, SkillGraphBuilder, define_skill, keywords, skill_graph

ASKED = 2_000


def declared(skills: int, edges: int) -> SkillGraphBuilder:
    chance = random.Random(7)
    made = [
        define_skill(f"s{number}", f"about {number}", "Use own_tool(x) and tell. " * 20, tools=[f"tool_{number}"])
        for number in range(skills)
    ]
    builder = skill_graph()
    for one in made[:20]:
        builder.entry(one, keywords(one.id))
    for number in range(edges):
        one, other = made[number % skills], chance.choice(made)
        builder.route(one, other, on_tool_return=f"tool_{number % 17}", where="amount > 5", priority=number // skills)
    return builder


@pytest.mark.holds("routing.speed.build")
def test_a_thousand_skills_and_five_thousand_edges_build_in_a_tenth_of_a_second() -> None:
    builder = declared(1_000, 5_000)
    graph = within(0.1, lambda: builder.build("off"))
    assert len(graph.edges) == 5_020


@pytest.mark.holds("routing.speed.linear")
def test_checking_and_drawing_them_takes_a_tenth_of_a_second_each() -> None:
    graph = declared(1_000, 5_000).build("off")
    assert within(0.1, graph.checkup).ok
    assert within(0.1, graph.to_mermaid).count("\n") == 1 + 1_000 + 5_020


@pytest.mark.holds("routing.speed.linear")
def test_ten_times_the_graph_takes_about_ten_times_as_long() -> None:
    graph = declared(10_000, 50_000).build("off")
    within(1.0, graph.checkup)
    within(1.0, graph.to_mermaid)


def many(ask: Callable[[RouteContext], object], questions: list[RouteContext]) -> Callable[[], None]:
    def work() -> None:
        for question in questions:
            ask(question)

    return work


@pytest.mark.holds("routing.speed.hop")
@pytest.mark.parametrize("skills", [100, 10_000])
def test_a_hop_and_the_sets_take_microseconds_whatever_the_size(skills: int) -> None:
    graph = declared(skills, skills * 5).build("off")
    places = [f"s{number % skills}" for number in range(0, ASKED * 7, 7)]
    stays = [at(place, returned("other", "{}")) for place in places]
    seconds = ASKED * 9e-6
    within(seconds, many(graph.next_skill, stays))
    within(seconds, many(graph.active_skills, stays))
    within(seconds, many(lambda ctx: graph.reachable_skills(ctx.current_skill_id), stays))


def _hops(graph: SkillGraph) -> list[RouteContext]:
    named = [edge for edge in graph.edges if edge.from_ is not None][:ASKED]
    return [at(edge.from_, returned(str(edge.label).split()[1])) for edge in named]


@pytest.mark.holds("routing.speed.hop")
def test_an_edge_that_fires_takes_microseconds() -> None:
    chain = [skill(f"s{number}") for number in range(1_000)]
    builder = skill_graph().entry(chain[0])
    for one, other in pairwise(chain):
        builder.route(one, other, on_tool_return=f"tool_{one.id}")
    graph = builder.build("off")
    hops = _hops(graph)
    assert {graph.explain_next_skill(hop).by for hop in hops} == {"route"}
    within(len(hops) * 9e-6, many(graph.next_skill, hops))
