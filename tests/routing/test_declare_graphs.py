"""Declaring: what is refused, in which order things stand, and that both forms say the same."""

import logging
import pickle

import pytest
from tests.routing.support_desk import at, skill, skills

from loreweave import (
    BadCondition,
    CheckupFailed,
    DuplicateSkill,
    EntryPolicy,
    ModeConflict,
    NotASkill,
    Skill,
    SkillFileError,
    SkillGraphError,
    UnknownSkill,
    decide,
    define_skill,
    keyword_scorer,
    keywords,
    skill_graph,
)


class Embedder:
    def embed(self, texts: list[str]) -> list[list[float]]:
        return [[float(len(text)), 1.0] for text in texts]


async def later(*_: object) -> bool:
    return True


@pytest.mark.holds("routing.skill.blank")
@pytest.mark.parametrize("blank", ["", "  \n", None, 5])
@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_skill_needs_an_id_a_description_and_a_body(place: int, blank: object) -> None:
    given: list[object] = ["id", "description", "body"]
    given[place] = blank
    with pytest.raises(SkillGraphError):
        define_skill(*given)  # type: ignore[arg-type]


@pytest.mark.holds("routing.skill.tools")
def test_a_tool_is_a_name_a_function_or_something_with_a_name() -> None:
    class Tool:
        name = "search"

    def lookup() -> None: ...

    made = skill("a", tools=["probe", lookup, Tool()])
    assert made.tool_names == ("probe", "lookup", "search")
    assert made.tools[1] is lookup


@pytest.mark.holds("routing.skill.tools")
@pytest.mark.parametrize("tools", ["probe", [""], [3], 7])
def test_what_has_no_name_is_no_tool(tools: object) -> None:
    with pytest.raises(SkillGraphError):
        skill("a", tools=tools)


@pytest.mark.holds("routing.values.copies")
def test_metadata_is_a_dict() -> None:
    for wrong in ([1], "text", 3):
        with pytest.raises(SkillGraphError):
            skill("a", metadata=wrong)


@pytest.mark.holds("routing.errors.family")
def test_every_error_is_a_skill_graph_error_and_a_value_error() -> None:
    for kind in (NotASkill, DuplicateSkill, BadCondition, ModeConflict, UnknownSkill, CheckupFailed, SkillFileError):
        assert issubclass(kind, SkillGraphError)
    assert issubclass(SkillGraphError, ValueError)
    told = SkillFileError("no", "a/SKILL.md", 3)
    assert (str(told), told.path, told.line) == ("no", "a/SKILL.md", 3)
    again = pickle.loads(pickle.dumps(told))
    assert (str(again), again.path, again.line) == ("no", "a/SKILL.md", 3)


@pytest.mark.holds("routing.errors.family")
def test_a_graph_answers_only_for_its_own_skills() -> None:
    graph = skill_graph().entry(skill("a")).build()
    assert graph.skill("a").description == "About a"
    with pytest.raises(UnknownSkill, match='"b"'):
        graph.skill("b")


@pytest.mark.holds("routing.declare.errors-early")
def test_what_is_no_skill_is_refused_where_it_is_named() -> None:
    builder = skill_graph()
    for wrong in (None, 3, "", "  ", {"id": "a"}, decide(lambda _: True, "a", "b")):
        with pytest.raises(NotASkill):
            builder.entry(wrong)  # type: ignore[arg-type]
        with pytest.raises(NotASkill):
            builder.route("a", wrong)  # type: ignore[arg-type]
        with pytest.raises(NotASkill):
            builder.skill(wrong)  # type: ignore[arg-type]
    with pytest.raises(NotASkill):
        skill_graph({"skills": ["a"]})


@pytest.mark.holds("routing.declare.errors-early")
def test_two_unequal_skills_of_one_id_are_refused_where_the_second_is_named() -> None:
    builder = skill_graph().entry(skill("a")).entry(skill("a"), keywords("x"))  # equal ones are one
    with pytest.raises(DuplicateSkill, match='"a"'):
        builder.route(define_skill("a", "Another", "body"), "b")
    assert [one.id for one in builder.build("off").skills] == ["a"]


@pytest.mark.holds("routing.declare.errors-early")
def test_leaves_of_a_tree_are_looked_at_when_the_graph_is_built() -> None:
    with_wrong = skill_graph().tree(decide(lambda _: True, 3, "b"))  # type: ignore[arg-type]
    with pytest.raises(NotASkill):
        with_wrong.build()
    twice = skill_graph().skill(skill("a")).tree(decide(lambda _: True, define_skill("a", "x", "y"), skill("b")))
    with pytest.raises(DuplicateSkill):
        twice.build()


@pytest.mark.holds("routing.declare.bad-conditions", "routing.declare.errors-early")
def test_a_coroutine_function_is_no_condition_anywhere() -> None:
    class Callable:
        async def __call__(self, *_: object) -> bool:
            return True

    for wrong in (later, Callable(), "text", 3):
        with pytest.raises(BadCondition):
            skill_graph().entry("a", wrong)  # type: ignore[arg-type]
        with pytest.raises(BadCondition):
            skill_graph().route("a", "b", when=wrong)  # type: ignore[arg-type]
        with pytest.raises(BadCondition):
            decide(wrong, "a", "b")  # type: ignore[arg-type]


@pytest.mark.holds("routing.declare.registration-order")
def test_skills_stand_in_the_order_of_their_first_mention() -> None:
    a, b, c, d = skills("a b c d")
    graph = skill_graph().route("b", c, when=len).entry(a).route(b, "a", when=len).skill(d).build()
    assert [one.id for one in graph.skills] == ["c", "a", "b", "d"]
    planted = skill_graph().skill(d).tree(decide(len, b, decide(len, c, a))).skill(skill("e")).build()
    assert [one.id for one in planted.skills] == ["d", "b", "c", "a", "e"]
    listed = skill_graph(skills=[c, b], start=a, steps=[{"from": "b", "to": d, "when": len}])
    assert [one.id for one in listed.skills] == ["c", "b", "a", "d"]


@pytest.mark.holds("routing.declare.ids")
def test_an_id_will_do_wherever_a_skill_is_named_even_before_it_is_registered() -> None:
    graph = skill_graph().entry("a").route("a", "b", on_tool_return="t").skill(skill("b")).skill(skill("a")).build()
    assert graph.next_skill(at()) == "a"
    assert graph.checkup().problems == ()


@pytest.mark.holds("routing.declare.ids")
def test_an_unknown_id_is_told_drawn_and_never_taken() -> None:
    graph = skill_graph().entry("ghost").entry(skill("a")).route("a", "gone").route("lost", "a").build("off")
    assert [edge.to for edge in graph.edges] == ["ghost", "a", "gone", "a"]
    assert [node.id for node in graph.nodes] == ["a"]
    assert [one.skill for one in graph.checkup().problems if one.code == "unknown-skill"] == ["ghost", "gone", "lost"]
    assert graph.next_skill(at()) == "a"
    assert graph.reachable_skills("a") == ()
    assert graph.reachable_skills() == ("a",)
    assert graph.explain_next_skill(at("a", pending_pick="gone")).rejected_pick == "gone"
    same = skill_graph(
        {
            "skills": [skill("a")],
            "start": {"rules": [{"use": "ghost"}, {"use": "a"}]},
            "steps": [{"from": "a", "to": "gone"}, {"from": "lost", "to": "a"}],
            "check": "off",
        }
    )
    assert (same.edges, same.nodes, same.checkup()) == (graph.edges, graph.nodes, graph.checkup())


@pytest.mark.holds("routing.declare.check-modes", "routing.declare.checkup-text")
def test_an_error_is_thrown_logged_or_left_alone(caplog: pytest.LogCaptureFixture) -> None:
    builder = skill_graph().skill(skill("a"))
    with pytest.raises(CheckupFailed) as refused:
        builder.build()
    told = str(refused.value)
    assert told == str(refused.value.checkup)
    assert told.splitlines()[0].startswith("  [error] no-entry: ")
    assert told.splitlines()[1].startswith('  [warning] unreachable-skill: nothing leads to "a"')
    assert str(pickle.loads(pickle.dumps(refused.value))) == told
    with caplog.at_level(logging.WARNING, "loreweave.routing"):
        builder.build("off")
        assert caplog.records == []
        builder.build("warn")
    assert [(record.name, record.getMessage()) for record in caplog.records] == [("loreweave.routing", told)]
    with pytest.raises(SkillGraphError, match="check"):
        builder.build("maybe")  # type: ignore[arg-type]


@pytest.mark.holds("routing.declare.check-modes")
def test_warnings_never_raise() -> None:
    graph = skill_graph().entry(skill("a")).skill(skill("alone")).build()
    assert graph.checkup().ok
    assert [one.code for one in graph.checkup().problems] == ["unreachable-skill"]


@pytest.mark.holds("routing.declare.build-copies")
def test_a_built_graph_does_not_change_when_its_builder_goes_on() -> None:
    builder = skill_graph().entry(skill("a"), keywords("one")).limits(max_hops=1)
    first = builder.build()
    before = (first.skills, first.edges, first.nodes, first.to_mermaid(), first.limits)
    second = builder.entry(skill("b")).route("a", "b", on_tool_return="t").limits(max_hops=9).build()
    assert (first.skills, first.edges, first.nodes, first.to_mermaid(), first.limits) == before
    assert len(second.edges) == 3


@pytest.mark.holds("routing.values.copies")
def test_what_the_caller_passed_in_is_never_changed_and_cannot_change_the_graph() -> None:
    notes = {"tags": ["x"], "deep": {"n": 1}}
    tools = ["probe"]
    carried = ["order"]
    given = skill("a", metadata=notes, tools=tools)
    graph = skill_graph().entry(given).route(given, given, on_tool_return="probe", carry=carried).build()
    notes["tags"].append("y")  # type: ignore[attr-defined]
    notes["deep"]["n"] = 2  # type: ignore[index]
    tools.append("other")
    carried.append("more")
    (kept,) = graph.skills
    assert kept is not given
    assert given.trigger is None
    assert "skillGraph" not in given.metadata
    assert kept.metadata["tags"] == ("x",)
    assert kept.metadata["deep"] == {"n": 1}
    assert kept.tool_names == ("probe",)
    with pytest.raises(TypeError):
        kept.metadata["new"] = 1  # type: ignore[index]
    assert graph.declarations.routes[0].carry == ("order",)


@pytest.mark.holds("routing.values.copies")
def test_a_skill_of_one_graph_may_go_into_another_beside_the_one_it_was_made_of() -> None:
    given = skill("a")
    (copied,) = skill_graph().entry(given).build().skills
    again = skill_graph().entry(copied).route(given, given, on_tool_return="t").build()
    assert [one.id for one in again.skills] == ["a"]
    assert again.skill("a").metadata["skillGraph"]["via"] == "entry"


@pytest.mark.holds("routing.declare.object-form", "routing.declare.forms-agree")
@pytest.mark.parametrize(
    ("start", "declare"),
    [
        ("a", lambda b: b.entry("a")),
        ({"use": "a"}, lambda b: b.entry("a")),
        (
            {"rules": [{"when": keywords("x"), "use": "a"}, {"use": "b"}]},
            lambda b: b.entry("a", keywords("x")).entry("b"),
        ),
        ({"entries": ["a", "b"]}, lambda b: b.entry("a").entry("b").entry_by_read()),
        (
            {"entries": ["a", "b"], "scored_by": keyword_scorer(), "policy": {"floor": 0.5}},
            lambda b: b.entry("a").entry("b").entry_by(keyword_scorer(), EntryPolicy(floor=0.5)),
        ),
        (
            {"entries": ["b", "a"], "by_relevance": Embedder()},
            lambda b: b.entry("b").entry("a").entry_by_relevance(Embedder()),
        ),
    ],
)
def test_the_object_form_equals_the_builder_form(start: object, declare: object) -> None:
    step = {
        "from": "a",
        "to": "b",
        "on_tool_return": "t",
        "on_status": ["denied"],
        "where": "x > 1",
        "priority": 2,
        "carry": ["x"],
    }
    spec = {"skills": skills("a b c"), "start": start, "steps": [step, {"from": "b", "to": "c", "label": "on"}]}
    made = skill_graph({**spec, "limits": {"max_hops": 3}})
    builder = skill_graph()
    for one in skills("a b c"):
        builder.skill(one)
    declare(builder)  # type: ignore[operator]
    builder.route("a", "b", on_tool_return="t", on_status="denied", where="x > 1", priority=2, carry="x")
    other = builder.route("b", "c", label="on").limits(max_hops=3).build()
    assert (made.edges, made.nodes, made.to_mermaid()) == (other.edges, other.nodes, other.to_mermaid())
    assert (made.limits, made.policy, made.entry_by) == (other.limits, other.policy, other.entry_by)
    assert made.checkup() == other.checkup()
    assert skill_graph(**spec).edges == made.edges


@pytest.mark.holds("routing.declare.object-form", "routing.declare.forms-agree")
def test_a_tree_in_the_object_form_equals_the_builder_form() -> None:
    root = decide(len, "a", decide(len, "b", "a", "second"), "first")
    made = skill_graph(skills=skills("a b"), tree=root)
    other = skill_graph().skill(skill("a")).skill(skill("b")).tree(root).build()
    assert (made.edges, made.nodes, made.to_mermaid()) == (other.edges, other.nodes, other.to_mermaid())


@pytest.mark.holds("routing.declare.object-keys")
@pytest.mark.parametrize(
    ("spec", "named"),
    [
        ({"skils": []}, "skils"),
        ({"start": {"use": "a", "uze": 1}}, "uze"),
        ({"start": {"rules": [{"use": "a", "wen": len}]}}, "wen"),
        ({"start": {"entries": ["a"], "scored": 1}}, "scored"),
        ({"start": {"use": "a", "policy": None}}, "policy"),
        ({"steps": [{"from": "a", "to": "b", "on_tool": "t"}]}, "on_tool"),
        ({"limits": {"hops": 1}}, "hops"),
        ({"start": {"entries": ["a"], "scored_by": keyword_scorer(), "policy": {"flor": 1}}}, "flor"),
    ],
)
def test_unknown_keys_are_refused_by_name(spec: dict, named: str) -> None:
    with pytest.raises(SkillGraphError, match=named):
        skill_graph({"skills": [skill("a")], **spec})


@pytest.mark.holds("routing.declare.object-keys")
@pytest.mark.parametrize(
    "spec",
    [
        {"skills": skill("a")},
        {"start": {}},
        {"start": {"use": "a", "rules": []}},
        {"start": {"rules": [{"when": len}]}},
        {"start": {"entries": "a"}},
        {"start": {"entries": ["a"], "policy": EntryPolicy()}},
        {"steps": [{"from": "a"}]},
        {"steps": ["a"]},
        {"limits": {"max_hops": -1}},
        {"limits": {"max_visits": 0}},
        {"limits": {"max_hops": True}},
    ],
)
def test_a_graph_that_cannot_be_read_is_refused(spec: dict) -> None:
    with pytest.raises(SkillGraphError):
        skill_graph({"skills": [skill("a")], "start": "a", **spec})


@pytest.mark.holds("routing.declare.object-keys")
def test_a_graph_is_given_as_one_dict_or_as_keywords() -> None:
    with pytest.raises(SkillGraphError):
        skill_graph({"skills": []}, skills=[])  # type: ignore[call-overload]
    with pytest.raises(CheckupFailed):
        skill_graph({})


@pytest.mark.holds("routing.declare.mode-conflict")
@pytest.mark.parametrize(
    "declare",
    [
        lambda b: b.tree("a").entry("a"),
        lambda b: b.tree("a").route("a", "b"),
        lambda b: b.tree("a").entry_by_read(),
        lambda b: b.tree("a").entry_by(keyword_scorer()),
        lambda b: b.tree("a").entry_by_relevance(Embedder()),
        lambda b: b.tree("a").tree("a"),
        lambda b: b.entry("a").entry_by_read().entry_by(keyword_scorer()),
        lambda b: b.entry("a").entry_by_relevance(Embedder()).entry_by(keyword_scorer()),
        lambda b: b.entry("a").entry_by_read().entry_by_read(),
    ],
)
def test_ways_that_exclude_each_other_are_refused_at_the_latest_when_the_graph_is_built(declare: object) -> None:
    with pytest.raises(ModeConflict):
        declare(skill_graph().skill(skill("a"))).build("off")  # type: ignore[operator]


@pytest.mark.holds("routing.declare.mode-conflict")
def test_the_object_form_refuses_the_same() -> None:
    for spec in (
        {"tree": "a", "start": "a"},
        {"tree": "a", "steps": [{"from": "a", "to": "a"}]},
        {"start": {"entries": ["a"], "scored_by": keyword_scorer(), "by_relevance": Embedder()}},
    ):
        with pytest.raises(ModeConflict):
            skill_graph({"skills": [skill("a")], **spec})


@pytest.mark.holds("routing.values.frozen")
def test_skills_compare_by_value_and_cannot_change() -> None:
    assert skill("a", tools=["t"], metadata={"k": [1]}) == skill("a", tools=("t",), metadata={"k": (1,)})
    assert skill("a") != skill("a", end=True)
    assert len({skill("a"), skill("a"), skill("b")}) == 2
    with pytest.raises(AttributeError):
        skill("a").body = "other"  # type: ignore[misc]
    graph = skill_graph().entry(skill("a")).build()
    with pytest.raises(AttributeError):
        graph.skills = ()  # type: ignore[misc]
    assert isinstance(graph.skills, tuple)
    assert isinstance(graph.edges, tuple)
    assert isinstance(graph.nodes, tuple)
    assert isinstance(graph.skills[0], Skill)
