"""The check-up: every code where it applies and nowhere else, in a fixed order."""

from collections.abc import Callable

import pytest
from tests.examples import examples
from tests.routing.support_desk import skill, skills

from loreweave import (
    GraphProblem,
    SkillGraph,
    SkillGraphBuilder,
    decide,
    define_skill,
    keyword_scorer,
    keywords,
    skill_graph,
)


def found(graph: SkillGraph, code: str) -> list[tuple[str | None, str | None, str | None]]:
    """(skill, from, to) of each problem or note of that code."""
    checkup = graph.checkup()
    return [(one.skill, one.from_, one.to) for one in (*checkup.problems, *checkup.notes) if one.code == code]


def told(declare: Callable[[SkillGraphBuilder], object], code: str) -> list[tuple[str | None, str | None, str | None]]:
    builder = skill_graph()
    declare(builder)
    return found(builder.build("off"), code)


def registered(builder: SkillGraphBuilder, names: str = "a b c") -> SkillGraphBuilder:
    for one in skills(names):
        builder.skill(one)
    return builder


@pytest.mark.holds("routing.checkup.unknown-skill")
def test_unknown_ids_are_errors_wherever_they_are_named() -> None:
    graph = registered(skill_graph()).entry("x").route("a", "y").route("z", "w").skill("v").build("off")
    assert found(graph, "unknown-skill") == [
        ("x", None, "x"),
        ("y", "a", "y"),
        ("z", "z", "w"),
        ("w", "z", "w"),
        ("v", None, None),
    ]
    assert not graph.checkup().ok
    tree = registered(skill_graph()).tree(decide(len, "a", decide(len, "gone", "b"))).build("off")
    assert found(tree, "unknown-skill") == [("gone", "d1", "gone")]
    assert told(lambda b: registered(b).entry("a").route("a", "b"), "unknown-skill") == []


@pytest.mark.holds("routing.checkup.no-entry")
def test_a_flat_graph_needs_an_entry_that_is_a_skill() -> None:
    assert told(lambda b: registered(b).entry("x").route("a", "b"), "no-entry") == [(None, None, None)]
    assert told(lambda b: b, "no-entry") == [(None, None, None)]
    (nothing,) = skill_graph().build("off").checkup().problems
    assert "has no skills" in nothing.message
    assert told(lambda b: registered(b).entry("a"), "no-entry") == []
    assert told(lambda b: registered(b).tree("a"), "no-entry") == []


@pytest.mark.holds("routing.checkup.unreachable-skill")
def test_skills_that_no_edges_lead_to_are_told() -> None:
    wired = lambda b: registered(b, "a b c d").entry("a", keywords("x")).route("a", "b").route("c", "d", when=len)  # noqa: E731
    assert told(wired, "unreachable-skill") == [("c", None, None), ("d", None, None)]
    assert told(lambda b: registered(b).entry("a").route("a", "b").route("b", "c", when=len), "unreachable-skill") == []
    assert told(lambda b: registered(b).tree(decide(len, "a", "c")), "unreachable-skill") == [("b", None, None)]


@pytest.mark.holds("routing.checkup.model-edge-only")
def test_skills_that_only_the_model_gets_to_are_told() -> None:
    code = "model-edge-only"
    assert told(lambda b: registered(b).entry("a").route("a", "b").route("a", "c", when=len), code) == [
        ("b", "a", None)
    ]
    assert told(lambda b: registered(b).entry("a").route("a", "b").route("b", "b", when=len), code) == []
    assert told(lambda b: registered(b).entry("a").entry("b", keywords("x")).route("a", "b"), code) == []
    unreached_helps_nobody = lambda b: registered(b).entry("a").route("a", "b").route("c", "b", when=len)  # noqa: E731
    assert told(unreached_helps_nobody, code) == [("b", "a", None)]


@pytest.mark.holds("routing.checkup.ambiguous-routes")
def test_conditioned_edges_that_share_a_priority_are_told_once_a_skill() -> None:
    code = "ambiguous-routes"

    def shared(b: SkillGraphBuilder) -> object:
        registered(b).entry("a")
        for tool in "tuv":
            b.route("a", "b", on_tool_return=tool).route("b", "c", on_tool_return=tool, priority=3)
        return b

    assert told(shared, code) == [(None, "a", None), (None, "b", None)]
    apart = lambda b: (  # noqa: E731
        registered(b)
        .entry("a")
        .route("a", "b", when=len)
        .route("a", "c", when=len, priority=1)
        .route("a", "c")
        .route("a", "b")
        .route("b", "c", when=len)
    )
    assert told(apart, code) == []


@pytest.mark.holds("routing.checkup.self-loop")
def test_edges_to_themselves_are_told_once_an_edge() -> None:
    looped = lambda b: registered(b).entry("a").route("a", "a", when=len).route("a", "a").route("a", "b")  # noqa: E731
    assert told(looped, "self-loop") == [(None, "a", "a"), (None, "a", "a")]
    assert told(lambda b: registered(b).entry("a").route("a", "b"), "self-loop") == []


@pytest.mark.holds("routing.checkup.multi-entry-fanout")
def test_two_standing_entries_are_told_once() -> None:
    code = "multi-entry-fanout"
    assert told(lambda b: registered(b).entry("b").entry("a").entry("c"), code) == [("b", None, None)]
    assert told(lambda b: registered(b).entry("b").entry("a", always=False).entry("c", keywords("x")), code) == []
    assert told(lambda b: registered(b).entry("b").entry("a").entry_by_read(), code) == []
    assert told(lambda b: registered(b).entry("b").entry("b"), code) == []


@pytest.mark.holds("routing.checkup.shadowed-entry")
def test_entries_after_an_unconditional_one_are_told_where_order_chooses() -> None:
    code = "shadowed-entry"
    declare = lambda b: registered(b).entry("a", keywords("x")).entry("b", always=False).entry("c", keywords("y"))  # noqa: E731
    assert told(declare, code) == [("c", "b", None)]
    assert told(lambda b: declare(b).entry_by(keyword_scorer()), code) == []
    assert told(lambda b: registered(b).entry("a", keywords("x")).entry("b"), code) == []
    assert told(lambda b: registered(b).entry("ghost").entry("b"), code) == []


@pytest.mark.holds("routing.checkup.duplicate-declaration")
def test_what_is_declared_twice_is_told_whatever_the_priority() -> None:
    code = "duplicate-declaration"

    def twice(b: SkillGraphBuilder) -> object:
        registered(b).entry("a", keywords("x")).entry("a", keywords("x")).entry("a", keywords("y"))
        b.route("a", "b", on_tool_return="t", on_status=["denied", "failure"])
        b.route("a", "b", on_tool_return="t", on_status=["failure", "denied"], priority=4)
        b.route("a", "b", on_tool_return="t").route("a", "b").route("a", "c").route("a", "b", label="again")
        return b.route("b", "c", when=len).route("b", "c", when=len).route("b", "c", when=bool)

    assert told(twice, code) == [(None, None, "a"), (None, "a", "b"), (None, "a", "b"), (None, "b", "c")]
    assert told(lambda b: registered(b).entry("a").route("a", "b", when=lambda _: 1).route("a", "b"), code) == []


@pytest.mark.holds("routing.checkup.end-has-routes")
def test_conditioned_edges_out_of_an_end_are_told() -> None:
    code = "end-has-routes"
    end = skill("done", end=True)
    assert told(lambda b: registered(b).entry("a").route(end, "a", when=len).route(end, "b"), code) == [
        (None, "done", "a")
    ]
    assert told(lambda b: registered(b).entry("a").route("a", end, when=len).route(end, "b"), code) == []


@pytest.mark.holds("routing.checkup.no-path-to-end")
def test_reached_skills_that_never_come_to_an_end_are_told() -> None:
    code = "no-path-to-end"
    end = skill("done", end=True)
    wired = lambda b: registered(b).entry("a").route("a", end).route("a", "b", when=len).route("c", "b")  # noqa: E731
    assert told(wired, code) == [("b", None, None)]
    assert told(lambda b: registered(b).entry("a").route("a", "b"), code) == []
    assert told(lambda b: registered(b).entry("a").route("a", "b").route("b", end), code) == []
    assert told(lambda b: registered(b).tree(decide(len, end, "a")), code) == []


@pytest.mark.holds("routing.checkup.body-foreign-tool")
def test_a_body_that_speaks_of_tools_of_others_is_told() -> None:
    code = "body-foreign-tool"
    owner = define_skill("owner", "d", "probe and shared", tools=["probe", "shared", "crm.look-up", "dig"])
    other = define_skill("other", "d", "Call probe(x), `crm.look-up`. digging shared probe", tools=["shared"])
    graph = skill_graph().entry(owner).route(owner, other, when=len).build()
    assert found(graph, code) == [("other", None, None), ("other", None, None)]
    said = [one.message for one in graph.checkup().problems if one.code == code]
    assert ['"probe"' in said[0], '"crm.look-up"' in said[1]] == [True, True]
    assert [one.code for one in graph.checkup(known_tools=["probe", "crm.look-up"]).problems] == []


@pytest.mark.holds("routing.checkup.body-unknown-tool")
def test_a_body_that_calls_a_tool_of_nobody_is_told_once_a_name() -> None:
    code = "body-unknown-tool"
    body = "look_up(x), look_up(y), lookup(z), Look_Up(q), open_case (later), the skill(s), read_skill(id), my_own()"
    one = define_skill("a", "d", body, tools=["my_own"])
    graph = skill_graph().entry(one).build()
    assert found(graph, code) == [("a", None, None)]
    assert '"look_up"' in graph.checkup().problems[0].message
    assert graph.checkup(["look_up"]).problems == ()
    assert skill_graph().entry(one).build(known_tools=["look_up"]).checkup().problems == ()


@pytest.mark.holds("routing.checkup.cycle")
def test_groups_that_conditioned_edges_lead_round_in_are_noted() -> None:
    graph = (
        registered(skill_graph(), "a b c d e f")
        .entry("f")
        .route("b", "a", when=len)
        .route("a", "b", when=len)
        .route("b", "c", when=len)
        .route("c", "b", when=len)
        .route("d", "e", when=len)
        .route("e", "d")
        .route("f", "f", when=len)
        .build("off")
    )
    assert found(graph, "cycle") == [("a", None, None)]
    (note,) = graph.checkup().notes
    assert note.kind == "note"
    assert '"a", "b", "c"' in note.message


@pytest.mark.holds("routing.checkup.order", "routing.checkup.pure")
def test_problems_come_in_the_order_of_the_table_and_notes_apart() -> None:
    end = define_skill("done", "d", "not_there(x) probe", end=True)
    builder = registered(skill_graph(), "a b c d").skill(skill("owner", tools=["probe"])).skill(end)
    builder.entry("a").entry("b").entry("ghost").route("a", "c").route("a", "a", when=len).route("a", "b", when=len)
    builder.route("a", "c").route(end, "a", when=len).route("a", end).route("b", "a", when=len)
    graph = builder.build("off")
    assert [one.code for one in graph.checkup().problems] == [
        "unknown-skill",
        "unreachable-skill",
        "unreachable-skill",
        "model-edge-only",
        "model-edge-only",
        "ambiguous-routes",
        "self-loop",
        "multi-entry-fanout",
        "shadowed-entry",
        "duplicate-declaration",
        "end-has-routes",
        "no-path-to-end",
        "body-foreign-tool",
        "body-unknown-tool",
    ]
    assert [one.code for one in graph.checkup().notes] == ["cycle"]
    assert graph.checkup() == graph.checkup()
    kinds = {one.kind for one in graph.checkup().problems if one.code not in ("unknown-skill", "no-entry")}
    assert kinds == {"warning"}


@pytest.mark.holds("routing.checkup.messages", "routing.declare.checkup-text")
def test_messages_name_skills_in_double_quotes_on_one_line() -> None:
    odd = define_skill("two\nlines", "d", "b")
    checkup = skill_graph().entry("gone").entry(odd).route(odd, odd).build("off").checkup()
    assert len(str(checkup).splitlines()) == len(checkup.problems)
    for problem in checkup.problems:
        assert '"' in problem.message
        assert isinstance(problem, GraphProblem)
        assert f"  [{problem.kind}] {problem.code}: {problem.message}" in str(checkup).splitlines()


@pytest.mark.holds("routing.tree.deep")
def test_a_chain_of_thousands_of_skills_is_checked_without_recursion() -> None:
    count = examples(50_000)
    names = [f"s{number}" for number in range(count)]
    builder = skill_graph().entry(skill(names[0]))
    for one, following in zip(names, names[1:] + names[:1], strict=True):
        builder.route(one, skill(following) if following != names[0] else following, on_tool_return="t")
    graph = builder.build()
    assert graph.checkup().problems == ()
    assert [note.code for note in graph.checkup().notes] == ["cycle"]
    assert len(graph.to_mermaid().splitlines()) == 2 + count + count + 1
