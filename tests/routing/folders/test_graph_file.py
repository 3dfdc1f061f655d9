"""`skillgraph.md`: how entries are chosen, how far a turn may go, or a tree."""

import asyncio

import pytest
from tests.routing.folders.skill_texts import routes, skill_text

from loreweave import EntryPolicy, RouteContext, SkillFileError, SkillGraph
from loreweave.routing.declaring.declarations import HopLimits
from loreweave.routing.folders.load_skill_graph import compile_skill_files

SKILLS = {
    "refunds/SKILL.md": skill_text("refunds", "skillgraph.entry: always", description="Give money back"),
    "parcels/SKILL.md": skill_text("parcels", "skillgraph.entry: default", description="Find a parcel"),
}
PLAIN = {f"{name}/SKILL.md": skill_text(name) for name in ("a", "b", "c")}


def load(header: str, files: dict[str, str] = SKILLS, **more: object) -> SkillGraph:
    return compile_skill_files({**files, "skillgraph.md": f"---\n{header}\n---\nNotes.\n"}, **more)  # type: ignore[arg-type]


class Lengths:
    """An embedder with one direction a word count."""

    def embed(self, texts: list[str]) -> list[list[float]]:
        return [[1.0, float(len(text.split()))] for text in texts]


@pytest.mark.holds("routing.folders.graph-file")
def test_entries_are_read_or_scored() -> None:
    assert load("entry_by: read").entry_by == "read"
    graph = load("entry_by: keyword\npolicy:\n  floor: 0.2\n  min_margin: .1\nlimits: {max_hops: 3, max_visits: 2}")
    assert graph.entry_by == "keyword"
    assert graph.policy == EntryPolicy(floor=0.2, min_margin=0.1)
    assert graph.limits == HopLimits(3, 2)
    assert graph.score_entries is not None
    assert asyncio.run(graph.score_entries(RouteContext(user_message="my money"))).chosen == "refunds"
    assert asyncio.run(graph.score_entries(RouteContext(user_message="weather"))).abstained == "floor"
    relevant = load("entry_by: relevance", embedder=Lengths())
    assert relevant.score_entries is not None
    assert asyncio.run(relevant.score_entries(RouteContext(user_message="x y z"))).scorer == "embedding"


@pytest.mark.holds("routing.folders.graph-file")
def test_relevance_wants_an_embedder_unless_the_graph_is_only_looked_at() -> None:
    with pytest.raises(SkillFileError, match="embedder") as refused:
        load("limits:\nentry_by: relevance")
    assert (refused.value.path, refused.value.line) == ("skillgraph.md", 3)
    assert load("entry_by: relevance", bind="open").entry_by == "embedding"


@pytest.mark.holds("routing.folders.graph-file")
def test_a_scorer_without_entries_scores_all_skills() -> None:
    graph = load("entry_by: keyword", PLAIN)
    assert graph.entry_by == "keyword"
    assert graph.reachable_skills() == ("a", "b", "c")


TREE = """tree:
  if: "keywords: refund"
  label: money?
  then: a
  else:
    if: "@vip"
    then:
      if: "regex: ^now"
      then: b
      else: a
    else: c"""


@pytest.mark.holds("routing.folders.tree-file")
def test_a_tree_asks_its_questions_in_turn() -> None:
    graph = load(TREE, PLAIN, predicates={"vip": lambda ctx: "vip" in ctx.state})
    assert graph.kind == "tree"

    def leaf(message: str, **state: object) -> str | None:
        return graph.explain_next_skill(RouteContext(user_message=message, state=state)).leaf

    assert [leaf("a refund"), leaf("NOW", vip=1), leaf("later", vip=1), leaf("else")] == ["a", "b", "a", "c"]
    assert [(node.id, node.label) for node in graph.nodes if node.kind == "predicate"] == [
        ("d0", "money?"),
        ("d1", "decide"),
        ("d2", "decide"),
    ]


@pytest.mark.holds("routing.folders.tree-file")
def test_links_and_maps_give_way_to_a_tree() -> None:
    linked = {**PLAIN, "a/SKILL.md": skill_text("a", body="See [[b]] and [[gone]].")}
    graph = load("tree: a", linked)
    assert [(edge.from_, edge.to) for edge in graph.edges] == [(None, "a")]
    assert "dangling-link" in {problem.code for problem in graph.checkup().problems}
    vault = load("tree: x", {"x.md": "---\ntype: moc\n---\n[[y]]", "y.md": "Y"})
    assert [(edge.from_, edge.to) for edge in vault.edges] == [(None, "x")]


@pytest.mark.holds("routing.folders.tree-file", "routing.folders.file-errors")
def test_a_tree_beside_entries_or_routes_is_refused() -> None:
    for metadata, line in (("skillgraph.entry: always", 5), (routes("b"), 6)):
        with pytest.raises(SkillFileError, match="tree") as refused:
            load("tree: b", {**PLAIN, "a/SKILL.md": skill_text("a", metadata)})
        assert (refused.value.path, refused.value.line) == ("a/SKILL.md", line)


@pytest.mark.holds("routing.folders.graph-file", "routing.folders.file-errors")
@pytest.mark.parametrize(
    ("header", "line", "words"),
    [
        ("entry_by: luck", 2, "luck"),
        ("entry_by: [read]", 2, "text"),
        ("policy:\n  floor: 1", 2, "entry_by"),
        ("entry_by: keyword\npolicy:\n  floor: high", 4, "number"),
        ("entry_by: keyword\npolicy:\n  roof: 1", 4, "roof"),
        ("entry_by: keyword\npolicy:\n  temperature: 0", 3, "temperature"),
        ("limits:\n  max_hops: many", 3, "whole number"),
        ("limits: 3", 2, "mapping"),
        ("limits:\n  max_visits: 0", 2, "max_visits"),
        ("tree: a\nentry_by: read", 3, "entry_by"),
        ("tree:\n  if: x\n  then: a\n  else: b", 3, "question"),
        ("tree:\n  if: '@x'\n  then: a", 3, "else"),
        ("tree:\n  if: '@x'\n  then: a\n  else: b\n  or: c", 6, "or"),
        ("tree:\n  if: '@x'\n  then: [a]\n  else: b", 4, "branch"),
        ("tree:\n  if: '@nobody'\n  then: a\n  else: b", 3, "nobody"),
        ("tree:\n  if: 'regex: ('\n  then: a\n  else: b", 3, "cannot be read"),
        ("tree: [", 3, "cannot be read"),
    ],
)
def test_what_the_file_cannot_mean_is_refused_with_its_line(header: str, line: int, words: str) -> None:
    with pytest.raises(SkillFileError, match=words) as refused:
        load(header, PLAIN)
    assert (refused.value.path, refused.value.line) == ("skillgraph.md", line)
