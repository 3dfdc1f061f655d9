"""Which skills are active, and where the model may jump."""

import pytest
from tests.routing.support_desk import at, returned, skill, skills

from loreweave import decide, keyword_scorer, keywords, skill_graph


@pytest.mark.holds("routing.active.set")
def test_active_are_the_skill_landed_on_and_the_standing_entries_in_the_order_of_registration() -> None:
    a, b, c, d = skills("a b c d")
    graph = (
        skill_graph()
        .skill(d)
        .entry(a, keywords("x"))
        .entry(b)
        .entry(c, always=False)
        .route(b, d, on_tool_return="t")
        .build()
    )
    assert graph.active_skills(at(user_message="x")) == ("a", "b")
    assert graph.active_skills(at()) == ("b",)
    assert graph.active_skills(at("b", returned("t"))) == ("d", "b")
    assert graph.active_skills(at("d", returned("t"))) == ("d", "b")
    assert graph.active_skills(at("a", user_message="y")) == ("a", "b")
    assert graph.active_skills(at("c")) == ("b", "c")


@pytest.mark.holds("routing.active.set")
def test_a_skill_that_the_cursor_has_left_is_not_active() -> None:
    a, b = skills("a b")
    graph = skill_graph().entry(a, keywords("x")).route(a, b, on_tool_return="t").build()
    assert graph.active_skills(at("a", returned("t"), user_message="x")) == ("b",)


@pytest.mark.holds("routing.active.set")
@pytest.mark.parametrize("choose", [lambda b: b.entry_by_read(), lambda b: b.entry_by(keyword_scorer())])
def test_no_entry_stands_where_one_is_chosen(choose: object) -> None:
    graph = choose(skill_graph().entry(skill("a")).entry(skill("b"))).build()  # type: ignore[operator]
    assert graph.active_skills(at("b")) == ("b",)
    assert graph.active_skills(at(entry_menu=True)) == ()
    assert [one.trigger.kind for one in graph.skills] == ["rule", "rule"]


@pytest.mark.holds("routing.active.kinds")
def test_the_kind_of_a_trigger_says_how_a_skill_gets_active() -> None:
    graph = (
        skill_graph()
        .entry(skill("standing"))
        .entry(skill("asked"), keywords("x"))
        .entry(skill("quiet"), always=False)
        .route("standing", skill("routed"), on_tool_return="t")
        .route("standing", skill("linked"))
        .route("nobody", skill("lost"), on_tool_return="t")
        .build("off")
    )
    assert {one.id: one.trigger.kind for one in graph.skills if one.trigger} == {
        "standing": "always",
        "asked": "rule",
        "quiet": "rule",
        "routed": "rule",
        "linked": "llm-activated",
        "lost": "llm-activated",
    }


@pytest.mark.holds("routing.active.metadata")
def test_the_metadata_tells_how_a_skill_can_be_reached() -> None:
    a, b, c = skills("a b c")
    graph = (
        skill_graph()
        .route(a, b, on_tool_return="t", label="go")
        .route(a, b)
        .route(b, c)
        .route(c, a, when=len)
        .entry(skill("a", metadata={}), label="here")
        .build()
    )
    ways = {one.id: dict(one.metadata["skillGraph"]) for one in graph.skills}
    assert ways == {
        "a": {"via": "entry", "from": None, "label": "here", "path": None},
        "b": {"via": "route", "from": "a", "label": "go", "path": None},
        "c": {"via": "model", "from": "b", "label": None, "path": None},
    }
    tree = skill_graph().tree(decide(len, a, decide(len, b, a, "second"), "first")).build()
    assert tree.skill("b").metadata["skillGraph"] == {
        "via": "tree",
        "from": None,
        "label": None,
        "path": [{"label": "first", "branch": "no"}, {"label": "second", "branch": "yes"}],
    }
    assert list(tree.skill("a").metadata["skillGraph"]["path"]) == [{"label": "first", "branch": "yes"}]


@pytest.mark.holds("routing.active.metadata")
def test_what_the_caller_put_into_the_metadata_stays() -> None:
    graph = skill_graph().entry(skill("a", metadata={"team": "billing"})).build()
    assert graph.skill("a").metadata["team"] == "billing"


@pytest.mark.holds("routing.reachable.set")
def test_reachable_are_the_targets_of_all_edges_then_the_entries_and_never_the_cursor() -> None:
    a, b, c, d, e = skills("a b c d e")
    graph = (
        skill_graph()
        .entry(a)
        .entry(e, lambda _: False)
        .entry(a, keywords("x"))
        .route(b, d)
        .route(b, c, on_tool_return="t", priority=5)
        .route(b, b, on_tool_return="u")
        .route(b, d, when=len)
        .route(b, e)
        .route(a, b)
        .build()
    )
    assert graph.reachable_skills() == ("a", "e")
    assert graph.reachable_skills("b") == ("d", "c", "e", "a")
    assert graph.reachable_skills("a") == ("b", "e")
    assert graph.reachable_skills("c") == ("a", "e")
    assert graph.reachable_skills("unheard of") == ("a", "e")
