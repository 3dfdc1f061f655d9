"""Links in bodies: bare edges to skills, resources of other files, findings where they lead nowhere."""

import pytest
from tests.routing.folders.skill_texts import routes, skill_text

from loreweave import SkillGraph
from loreweave.routing.folders.load_skill_graph import compile_skill_files


def linked(body: str, *metadata: str, **files: str) -> SkillGraph:
    """The skill `a` with this body beside `b` and `c`, and `d` further down."""
    texts = {
        "a/SKILL.md": skill_text("a", "skillgraph.entry: always", *metadata, body=body),
        "b/SKILL.md": skill_text("b"),
        "c/SKILL.md": skill_text("c"),
        "group/d/SKILL.md": skill_text("d"),
        "a/MORE.md": "More.",
        "a/deep/INNER.md": "Inner.",
        "shared/WORDS.md": "Words.",
        "a/nested/SKILL.md": "Not a skill: it lies inside one.",
        "skipped/SKILL.md": "No description.",
    }
    return compile_skill_files({**texts, **files})


def targets(graph: SkillGraph) -> list[str]:
    return [edge.to for edge in graph.edges if edge.from_ == "a"]


@pytest.mark.holds("routing.folders.body-links")
def test_links_are_bare_edges_in_the_order_of_their_mention() -> None:
    graph = linked("Go to [[c]], [[b|the b]], [d](../group/d/SKILL.md) or [[b]] and [[c#part]] again.")
    assert targets(graph) == ["c", "b", "d"]
    assert {edge.kind for edge in graph.edges if edge.from_ == "a"} == {"model"}


@pytest.mark.holds("routing.folders.body-links")
@pytest.mark.parametrize(
    "body",
    [
        "`[[b]]`",
        "```\n[[b]]\n```",
        "    [[b]]",
        "<!-- [[b]] -->",
        "\\[[b]]",
        "[[a]]",
        "[x](https://b/SKILL.md)",
        "![x](b)",
    ],
)
def test_code_comments_and_other_addresses_hold_no_links(body: str) -> None:
    graph = linked(f"Text.\n\n{body}\n\nMore.")
    assert targets(graph) == []
    assert "dangling-link" not in {problem.code for problem in graph.checkup().problems}


@pytest.mark.holds("routing.folders.body-links")
def test_links_come_after_routes_and_add_no_second_edge() -> None:
    graph = linked("See [[b]], [[d]] and [[c]].", routes("c: on x", "b"))
    assert [(edge.to, edge.kind, edge.reason) for edge in graph.edges if edge.from_ == "a"] == [
        ("c", "on-tool-return", None),
        ("b", "model", None),
        ("d", "model", "See [[b]], [[d]] and [[c]]."),
    ]


@pytest.mark.holds("routing.folders.link-reason")
def test_the_reason_is_the_sentence_around_the_link() -> None:
    graph = linked("First, e.g. this. Ask [[b]] when a word\nis unclear! Then go on.\n\n- Or [[c|see]]\n- not here")
    assert {edge.to: edge.reason for edge in graph.edges if edge.from_ == "a"} == {
        "b": "Ask [[b]] when a word is unclear!",
        "c": "Or [[c|see]]",
    }


@pytest.mark.holds("routing.folders.resources")
def test_links_to_other_markdown_are_resources_by_path_from_the_root() -> None:
    graph = linked(
        "[m](MORE.md) [[deep/INNER]] [w](../shared/WORDS.md) [r](/shared/WORDS.md) [n](nested/SKILL.md) [[MORE]]"
    )
    assert graph.skill("a").resources == ("a/MORE.md", "a/deep/INNER.md", "shared/WORDS.md", "a/nested/SKILL.md")
    assert targets(graph) == []
    assert [problem.code for problem in graph.checkup().problems if problem.file == "a/SKILL.md"] == []


@pytest.mark.holds("routing.folders.dangling-link")
def test_a_link_to_nothing_is_told_with_its_line() -> None:
    graph = linked(
        "Fine.\n\n[[nowhere]] and [[nowhere]]\n[x](../gone.md) [p](pic.png) [[pic.png]] [s](run.py)\n"
        "[[skipped]] [o](../../out.md)"
    )
    found = [problem for problem in graph.checkup().problems if problem.code == "dangling-link"]
    assert [(one.skill, one.file, one.line) for one in found] == [
        ("a", "a/SKILL.md", line) for line in (10, 11, 12, 12)
    ]
    assert ['"nowhere"' in found[0].message, '"../gone.md"' in found[1].message] == [True, True]
    assert targets(graph) == []
