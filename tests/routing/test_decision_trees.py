"""Trees: walked once, one leaf, no cursor; as deep as the caller likes."""

import pytest
from tests.examples import examples
from tests.pace import within
from tests.routing.support_desk import at, skill, skills

from loreweave import (
    Move,
    PredicateError,
    RouteContext,
    SkillEdge,
    SkillGraph,
    SkillNode,
    decide,
    keywords,
    skill_graph,
)


def tree() -> SkillGraph:
    net, disk, other = skills("net disk other")
    inner = decide(lambda ctx: ctx.state["disk"], disk, other, "disk?")
    return skill_graph().tree(decide(keywords("net"), net, inner, "net?")).build()


@pytest.mark.holds("routing.tree.leaf")
def test_the_leaf_is_chosen_and_alone_active_and_the_cursor_does_not_move() -> None:
    graph = tree()
    ctx = at("other", user_message="the net is down")
    assert graph.explain_next_skill(ctx) == Move("other", "other", "tree", leaf="net")
    assert graph.next_skill(ctx) == "other"
    assert graph.active_skills(ctx) == ("net",)
    assert graph.explain_next_skill(at("gone", state={"disk": 1})) == Move("gone", "gone", "tree", leaf="disk")
    assert graph.explain_next_skill(at(state={"disk": 0})) == Move(None, None, "tree", leaf="other")
    assert {one.trigger.kind for one in graph.skills if one.trigger} == {"rule"}
    assert [one.id for one in graph.skills if one.trigger and one.trigger.active(ctx)] == ["net"]


@pytest.mark.holds("routing.tree.leaf")
def test_each_question_on_the_way_is_asked_once() -> None:
    asked: list[str] = []

    def ask(name: str, answer: bool) -> object:
        def when(_: RouteContext) -> bool:
            asked.append(name)
            return answer

        return when

    root = decide(ask("a", False), "x", decide(ask("b", True), "y", decide(ask("c", True), "x", "y")))  # type: ignore[arg-type]
    graph = skill_graph().skill(skill("x")).skill(skill("y")).tree(root).build()
    assert graph.active_skills(at()) == ("y",)
    assert asked == ["a", "b"]


@pytest.mark.holds("routing.tree.throws", "routing.predicates.errors")
def test_a_question_that_throws_leaves_no_leaf() -> None:
    graph = tree()
    move = graph.explain_next_skill(at("net"))
    assert move == Move("net", "net", "tree", predicate_errors=(PredicateError("d1", None, "KeyError: 'disk'"),))
    assert graph.active_skills(at("net")) == ()


@pytest.mark.holds("routing.tree.pin")
def test_a_pinned_leaf_replaces_the_walk() -> None:
    graph = tree()
    pinned = at("x", user_message="net", pinned_leaf="other")
    assert graph.explain_next_skill(pinned) == Move("x", "x", "model-pick", leaf="other")
    assert graph.active_skills(pinned) == ("other",)
    wrong = graph.explain_next_skill(at(user_message="net", pinned_leaf="d0"))
    assert wrong == Move(by="tree", leaf="net", rejected_pick="d0")


@pytest.mark.holds("routing.tree.reachable")
def test_all_leaves_are_reachable_in_drawing_order_whatever_the_cursor() -> None:
    graph = tree()
    for cursor in (None, "net", "nobody"):
        assert graph.reachable_skills(cursor) == ("net", "disk", "other")


@pytest.mark.holds("routing.tree.shared-leaf", "routing.draw.trees")
def test_a_skill_at_several_leaves_is_one_skill_and_one_node() -> None:
    a, b = skills("a b")
    graph = skill_graph().tree(decide(len, a, decide(len, b, a, "two"), "one")).build()
    assert [one.id for one in graph.skills] == ["a", "b"]
    assert graph.nodes == (
        SkillNode("d0", "predicate", "one"),
        SkillNode("a", "skill", "a"),
        SkillNode("d1", "predicate", "two"),
        SkillNode("b", "skill", "b"),
    )
    assert graph.edges == (
        SkillEdge(None, "d0", "entry"),
        SkillEdge("d0", "a", "predicate", "yes"),
        SkillEdge("d0", "d1", "predicate", "no"),
        SkillEdge("d1", "b", "predicate", "yes"),
        SkillEdge("d1", "a", "predicate", "no"),
    )


@pytest.mark.holds("routing.draw.trees")
def test_diamonds_skip_ids_that_skills_have() -> None:
    graph = skill_graph().tree(decide(len, skill("d0"), decide(len, skill("d2"), skill("x")))).build()
    assert [node.id for node in graph.nodes] == ["d1", "d0", "d3", "d2", "x"]


@pytest.mark.holds("routing.tree.leaf")
def test_a_lone_leaf_is_a_tree_and_an_unknown_leaf_is_none() -> None:
    alone = skill_graph().tree(skill("a")).build()
    assert alone.active_skills(at()) == ("a",)
    assert alone.edges == (SkillEdge(None, "a", "entry"),)
    unknown = skill_graph().skill(skill("a")).tree(decide(lambda _: True, "gone", "a")).build("off")
    assert unknown.explain_next_skill(at()).leaf is None
    assert unknown.reachable_skills() == ("a",)


@pytest.mark.holds("routing.move.ended")
def test_a_leaf_may_be_an_end() -> None:
    graph = skill_graph().tree(decide(keywords("x"), skill("done", end=True), skill("a"))).build()
    assert graph.explain_next_skill(at(user_message="x")).ended
    assert not graph.explain_next_skill(at("done")).ended


@pytest.mark.lengthy(1)
@pytest.mark.holds("routing.tree.deep")
@pytest.mark.parametrize("side", [True, False])
def test_a_tree_of_thousands_of_decisions_is_no_deeper_than_any_other(side: bool) -> None:
    count = examples(50_000)
    root: object = skill("last")
    for number in range(count):
        leaf = skill(f"s{number}")
        branches = (root, leaf) if side else (leaf, root)
        root = decide(lambda _: side, *branches, f"q{number}")  # type: ignore[arg-type]

    def work() -> SkillGraph:
        graph = skill_graph().tree(root).build()  # type: ignore[arg-type]
        assert graph.explain_next_skill(at()).leaf == "last"
        assert len(graph.reachable_skills()) == count + 1
        assert graph.to_mermaid().count("\n") == 1 + 2 * (2 * count + 1)
        assert repr(graph)[:10]
        return graph

    graph = within(10.0, work)
    assert len(graph.skill("last").metadata["skillGraph"]["path"]) == count
