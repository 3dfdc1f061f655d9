from collections.abc import Callable

import pytest

from loreweave.contracts.skill_graph import PageSettings
from loreweave.entities.digest import Digest


def _edges(digest: Digest, kind: str) -> set[tuple[str, str]]:
    return {(edge.source, edge.target) for edge in digest.edges if edge.kind == kind}


@pytest.mark.holds("ask.edges.child-and-next")
def test_sections_lie_below_one_another_and_follow_one_another(digest_made: Callable[..., Digest]) -> None:
    digest = digest_made({"p.md": "# P\n\nIntro.\n\n## A\n\na\n\n### A1\n\nb\n\n## B\n\nc\n"})
    assert _edges(digest, "child") == {("p", "p#a"), ("p#a", "p#a1"), ("p", "p#b")}
    assert _edges(digest, "next") == {("p", "p#a"), ("p#a", "p#a1"), ("p#a1", "p#b")}


@pytest.mark.holds("ask.edges.links")
@pytest.mark.parametrize(
    "link",
    [
        "[x](../api/cli.md#flags)",
        "[x](/docs/api/cli#flags)",
        "[x](/docs/api/cli/#flags)",
        "[x](../api/cli/#flags)",
        "[x](../api/CLI.md#flags)",
        "[x](../api/cli.html#flags)",
        "[x][ref]\n\n[ref]: ../api/cli.md#flags",
        "[[cli#Flags]]",
        "[[api/cli#flags]]",
        "[[Command line#Flags|the flags]]",
    ],
)
def test_a_link_leads_to_its_section(digest_made: Callable[..., Digest], link: str) -> None:
    digest = digest_made(
        {"guide/a.md": f"# A\n\nSee {link}\n", "api/cli.md": "# Command line\n\nT.\n\n## Flags\n\nT.\n"}
    )
    assert _edges(digest, "link") == {("guide/a", "api/cli#flags")}


@pytest.mark.holds("ask.edges.links")
def test_a_link_to_a_deeper_heading_leads_to_the_section_that_holds_it(digest_made: Callable[..., Digest]) -> None:
    pages = {
        "a.md": "See [x](b.md#deep) and [y](b.md#nowhere).\n",
        "b.md": "# B\n\nT.\n\n## One\n\nT.\n\n#### Deep\n\nT.\n",
    }
    assert _edges(digest_made(pages), "link") == {("a", "b#one"), ("a", "b")}


@pytest.mark.holds("ask.edges.links")
def test_a_link_out_into_the_world_is_no_edge(digest_made: Callable[..., Digest]) -> None:
    pages = {
        "a.md": "[x](https://example.org/b) [y](mailto:b@example.org) [z](//example.org/b) [s](#)\n",
        "b.md": "B\n",
    }
    assert _edges(digest_made(pages), "link") == set()


@pytest.mark.holds("ask.edges.links")
def test_a_link_to_the_address_of_the_site_stays_inside(digest_made: Callable[..., Digest]) -> None:
    settings = PageSettings(basePath="https://example.org/help/")
    pages = {
        "a.md": "[x](https://example.org/help/b) [y](https://example.org/help)\n",
        "b.md": "B\n",
        "index.md": "I\n",
    }
    assert _edges(digest_made(pages, settings=settings), "link") == {("a", "b"), ("a", "index")}


@pytest.mark.holds("ask.edges.links")
def test_among_pages_of_one_name_the_nearest_is_meant(digest_made: Callable[..., Digest]) -> None:
    pages = {"x/deep/a.md": "[[setup]]\n", "x/setup.md": "X\n", "y/setup.md": "Y\n"}
    pages |= {"b.md": "[x](Page.md)\n", "page.md": "small\n", "Page.md": "large\n"}
    assert _edges(digest_made(pages), "link") == {("x/deep/a", "x/setup"), ("b", "Page")}


@pytest.mark.holds("ask.edges.defines")
def test_a_section_defines_its_terms(digest_made: Callable[..., Digest]) -> None:
    digest = digest_made({"a.md": "# A\n\nThe Write Ahead Log (WAL) keeps changes.\n"})
    assert _edges(digest, "defines") == {("a", "glossary:Write Ahead Log")}
