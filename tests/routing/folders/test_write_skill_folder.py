"""Writing a graph and reading it back: the same nodes, the same edges, files that every client takes."""

import re
from collections import defaultdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from skills_ref import validate
from tests.routing.folders.skill_texts import routes, skill_text

from loreweave import (
    SkillEdge,
    SkillGraph,
    SkillGraphError,
    decide,
    define_skill,
    keywords,
    load_skill_graph,
    pattern,
    skill_graph,
    write_skill_folder,
)
from loreweave.routing.folders.load_skill_graph import compile_skill_files


def needs_audit(*_: Any) -> bool:
    return True


def is_new(*_: Any) -> bool:
    return False


NAMED = {"needs_audit": needs_audit, "is_new": is_new}
NAMES = ("alpha", "beta", "gamma-2", "übung", "z9")
TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\x00\r"), min_size=1, max_size=40).filter(str.strip)
LABELS = st.none() | TEXTS
CONDITIONS = (
    st.none()
    | st.sampled_from(list(NAMED.values()))
    | st.lists(TEXTS.filter(lambda text: len(text.splitlines()) == 1), min_size=1, max_size=3).map(
        lambda phrases: keywords(*phrases)
    )
    | st.sampled_from(["a|b", r"^\s*x: y # z", 'q" label="x"', "(?i)a, b"]).map(pattern)
)
ROUTES = st.fixed_dictionaries(
    {},
    optional={
        "when": st.sampled_from(list(NAMED.values())),
        "on_tool_return": st.sampled_from(["probe", "a b", "x#y", '"q"', "/s/"])
        | st.sampled_from([re.compile("a b#"), re.compile(r"x/y\/z", re.I), re.compile(".", re.S | re.X | re.M)]),
        "on_status": st.lists(st.sampled_from(["success", "denied", "absent"]), min_size=1, max_size=2, unique=True),
        "where": st.sampled_from(["a > 1", 'a.b == "x # y" and c in [1, two]', "a != null", 'x == "!5 label=z"']),
        "priority": st.integers(-20, 20),
        "label": TEXTS,
        "carry": st.lists(st.sampled_from(["order", "a b", "c,d", '"']), min_size=1, max_size=3, unique=True),
    },
).filter(lambda route: "when" not in route or not {"on_tool_return", "on_status", "where"} & set(route))
BODIES = st.lists(
    st.sampled_from(
        [
            "Plain.",
            "[[alpha]]",
            "[[beta|b]]",
            "`[[beta]]`",
            "[g](../gamma-2/SKILL.md)",
            "[[nowhere]]",
            "# [[z9]]",
            "---",
        ]
    ),
    min_size=1,
    max_size=6,
).map("\n\n".join)


@st.composite
def graphs(draw: st.DrawFn) -> SkillGraph:
    names = draw(st.lists(st.sampled_from(NAMES), min_size=1, unique=True))
    builder = skill_graph()
    for name in names:
        metadata = draw(st.dictionaries(TEXTS.filter(lambda key: not key.startswith("skillgraph")), TEXTS, max_size=2))
        tools = draw(st.lists(st.sampled_from(["probe", "look_up", "crm.find"]), unique=True))
        body = draw(BODIES)
        builder.skill(define_skill(name, draw(TEXTS), body, tools=tools, end=draw(st.booleans()), metadata=metadata))
    for name in draw(st.lists(st.sampled_from(names), min_size=1, max_size=6)):
        builder.entry(name, draw(CONDITIONS), label=draw(LABELS), always=draw(st.booleans()))
    for _ in range(draw(st.integers(0, 8))):
        target = draw(st.sampled_from([*names, "somebody else"]))
        builder.route(draw(st.sampled_from(names)), target, **draw(ROUTES))
    if draw(st.booleans()):
        builder.limits(draw(st.none() | st.integers(0, 9)), draw(st.none() | st.integers(1, 9)))
    if draw(st.booleans()):
        builder.entry_by_read()
    return builder.build(check="off")


@st.composite
def trees(draw: st.DrawFn) -> SkillGraph:
    branches = st.recursive(
        st.sampled_from(NAMES),
        lambda inner: st.builds(decide, CONDITIONS.filter(bool), inner, inner, TEXTS),
        max_leaves=8,
    )
    builder = skill_graph()
    for name in draw(st.permutations(NAMES)):
        builder.skill(define_skill(name, "About", draw(BODIES)))
    return builder.tree(draw(branches)).build()


def grouped(graph: SkillGraph) -> dict[Any, list[SkillEdge]]:
    found = defaultdict(list)
    for edge in graph.edges:
        found[edge.from_].append(edge)
    return dict(found)


def written_and_read(graph: SkillGraph) -> SkillGraph:
    with TemporaryDirectory() as folder:
        root = Path(folder) / "skills"
        written = write_skill_folder(graph, root)
        for skill in graph.skills:
            assert validate(root / skill.id) == []
        assert {path for path in written if path.name == "SKILL.md"} == {
            root / skill.id / "SKILL.md" for skill in graph.skills
        }
        return load_skill_graph(root, predicates=NAMED, check="off")


@pytest.mark.holds("routing.folders.write-round-trip", "routing.folders.write-specification")
@given(graph=graphs())
def test_a_graph_written_and_read_is_the_same(graph: SkillGraph) -> None:
    read = written_and_read(graph)
    assert read.nodes == graph.nodes
    assert grouped(read) == grouped(graph)
    assert (read.entry_by, read.limits) == (graph.entry_by, graph.limits)
    for one, other in zip(read.skills, graph.skills, strict=True):
        assert (one.description, one.tool_names, one.end) == (other.description.strip(), other.tool_names, other.end)
        kept = {key: value for key, value in one.metadata.items() if key != "skillGraph"}
        assert kept == {key: value for key, value in other.metadata.items() if key != "skillGraph"}
    assert grouped(written_and_read(read)) == grouped(graph)


@pytest.mark.holds("routing.folders.write-round-trip")
@given(graph=trees())
def test_a_tree_written_and_read_is_the_same(graph: SkillGraph) -> None:
    read = written_and_read(graph)
    assert read.nodes == graph.nodes
    assert read.edges == graph.edges


@pytest.mark.holds("routing.folders.write-round-trip")
def test_what_came_from_nested_folders_keeps_its_links_and_reasons() -> None:
    files = {
        "SKILL.md": skill_text("top", "skillgraph.entry: always", body="Read [this](x/one/SKILL.md) first."),
        "x/one/SKILL.md": skill_text(
            "one", routes("two: when @needs_audit"), body="Then [[two]]. Or [t](../../SKILL.md)."
        ),
        "y/two/SKILL.md": skill_text("two", body="And [[one]]."),
    }
    graph = compile_skill_files(files, bind="open", root_name="top")
    read = written_and_read(graph)
    assert grouped(read) == grouped(graph)
    assert [edge.reason for edge in read.edges if edge.from_ == "top"] == ["Read [this](x/one/SKILL.md) first."]


@pytest.mark.holds("routing.folders.write-specification")
def test_a_written_file_is_plain_yaml_with_the_specified_keys(tmp_path: Path) -> None:
    skill = define_skill(
        "a", "Say: --- this", "Body.", tools=["x"], metadata={"license": "MIT", "compatibility": "any", "n": 5}
    )
    write_skill_folder(skill_graph().entry(skill).build(), tmp_path)
    assert (tmp_path / "a" / "SKILL.md").read_text(encoding="utf-8") == (
        '---\nname: "a"\ndescription: "Say: --\\x2d this"\nlicense: "MIT"\ncompatibility: "any"\nmetadata:\n'
        '  n: "5"\n  skillgraph.entry: "always"\n  skillgraph.order: "10"\n  skillgraph.tools: "x"\n---\n\nBody.\n'
    )
    assert not (tmp_path / "skillgraph.md").exists()


def two(**route: Any) -> SkillGraph:
    a, b = define_skill("a", "A", "a"), define_skill("b", "B", "b")
    return skill_graph().entry(a).route(a, b, **route).build()


class Nameless:
    def __call__(self, *_: Any) -> bool:
        return True


def renamed(*_: Any) -> bool:
    return True


renamed.__name__ = "needs_audit"


class OwnScorer:
    name = "mine"

    def score(self, message: str, candidates: Any) -> list[float]:
        return [1.0 for _ in candidates]


def refused_graphs() -> dict[str, SkillGraph]:
    one = define_skill("a", "A", "a")
    deep: Any = "a"
    for _ in range(100):
        deep = decide(needs_audit, deep, "a")
    return {
        "a lambda": two(when=lambda result: True),
        "a callable without a name": two(when=Nameless()),
        "words in a result": two(when=keywords("x")),
        "a where of two lines": two(where="a ==\n1"),
        "a pattern that no slashes can hold": two(on_tool_return=re.compile("a/i b")),
        "a flag that no letter stands for": two(on_tool_return=re.compile("a", re.ASCII)),
        "an id with capitals": skill_graph().entry(define_skill("A", "A", "a")).build(),
        "an id with blanks": skill_graph().entry(define_skill("a b", "A", "a")).build(),
        "an id that leads elsewhere": skill_graph().entry(define_skill("../a", "A", "a")).build(),
        "an id of hyphens": skill_graph().entry(define_skill("a--b", "A", "a")).build(),
        "a long id": skill_graph().entry(define_skill("a" * 65, "A", "a")).build(),
        "a long description": skill_graph().entry(define_skill("a", "A" * 1025, "a")).build(),
        "a surrogate": skill_graph().entry(define_skill("a", "A\ud800", "a")).build(),
        "a tool with a blank": skill_graph().entry(define_skill("a", "A", "a", tools=["x y"])).build(),
        "an entry that is no skill": skill_graph().entry(one).entry("ghost").build(check="off"),
        "a route from no skill": skill_graph().entry(one).route("ghost", one).build(check="off"),
        "no entry": skill_graph().skill(one).build(check="off"),
        "routing metadata": skill_graph().entry(define_skill("a", "A", "a", metadata={"skillgraph.x": "y"})).build(),
        "two functions of one name": skill_graph().entry(one, needs_audit).entry(one, renamed).build(),
        "a scorer of one's own": skill_graph().entry(one).entry_by(OwnScorer()).build(),
        "a tree deeper than a header": skill_graph().skill(one).tree(deep).build(),
    }


@pytest.mark.holds("routing.folders.write-refusals")
@pytest.mark.parametrize("case", list(refused_graphs()))
def test_what_files_cannot_say_is_refused_before_anything_is_written(case: str, tmp_path: Path) -> None:
    with pytest.raises(SkillGraphError):
        write_skill_folder(refused_graphs()[case], tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.holds("routing.folders.write-refusals")
def test_a_folder_with_other_skills_is_left_alone(tmp_path: Path) -> None:
    graph = two()
    assert len(write_skill_folder(graph, tmp_path)) == 2
    assert len(write_skill_folder(graph, tmp_path)) == 2
    other = tmp_path / "deep" / "other" / "SKILL.md"
    other.parent.mkdir(parents=True)
    other.write_text(skill_text("other"), encoding="utf-8")
    before = (tmp_path / "a" / "SKILL.md").stat().st_mtime_ns
    with pytest.raises(SkillGraphError, match="other"):
        write_skill_folder(graph, tmp_path)
    assert (tmp_path / "a" / "SKILL.md").stat().st_mtime_ns == before
