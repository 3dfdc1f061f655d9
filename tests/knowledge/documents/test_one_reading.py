"""One link means one thing, whoever asks: the graph, the edges between sections, the pages, the check of a digest."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.examples import examples
from tests.meant_links import Pairs, of_check, of_graph, of_pages, of_sections

from loreweave.application import Application, open_application
from loreweave.contracts.skill_graph import GraphRequest, PageSettings
from loreweave.knowledge.digest.check_digest import broken_links
from loreweave.language.slug import slug
from loreweave.settings import Settings

PATHS = ("a.md", "Big Idea.md", "guide/_index.md", "guide/deep/c.mdx", "guide/d.markdown", "other/README.md")
PIECES = (
    "[[a]]", "[[big-idea]]", "[[Big Idea|it]]", "[[second]]", "[[Called D]]", "[[guide/deep/c]]", "[[c#There]]",
    "[x](guide/)", "[x](../a.md)", "[x](/docs/guide/deep/c/)", "[x](deep/c.mdx#there)", "[x](/docs/other/)",
    "[x](guide/d.html)", "![[a]]", "[[gone]]", "[x](gone.md)", "[see [[a]] here](guide/d.markdown)",
    "`[[a]]`", "%% [[a]] %%", "<!-- [[a]] -->", "%%", "<!--", "-->", "`", "```\n", "~~~\n", "\n", "\n\n", "    ", "- ",
    "> ", "1. ", "## There\n", "| a | b |\n|---|---|\n", "| [[a\\|b]] | [[c]] |\n", "<div>\n", "</div>\n", "<pre>",
    "</pre>", "[x][r]", "\n\n[r]: a.md\n", "\\", "*", "word ", ":::tip T\n", ":::\n", '!!! note "N"\n', "> [!tip] T\n",
    '{{< ref "a.md" >}}', '[x]({{< relref "guide/d" >}})', "^id\n", '<a href="a.md">', "</a>", "[", "](",
    "{{< note >}}", '<Card href="/docs/guide/">', "</Card>", "[x](Big Idea.md)", "[x](../Big Idea.md#there",
    "{% raw %}", "{% endraw %}", "{% highlight sh %}\n", "{% endhighlight %}", "[x]({% link a.md %})", "{% comment %}",
    "{% endcomment %}", '{% hint style="info" %}\n', "{% endhint %}\n", "{: #x .y}", "{ .y }",
    "[x]({{ site.baseurl }}/a.md)",
)  # fmt: skip
HEADERS = {"guide/d.markdown": "---\nname: Called D\naliases: [second]\n---\n"}


@pytest.fixture(scope="module")
def opened() -> Iterator[Application]:
    with tempfile.TemporaryDirectory() as place:
        application = open_application(Settings(data_dir=Path(place), embedder="none"))
        yield application
        application.close()


def ingest(application: Application, notes: dict[str, str], base: str | None = None) -> str:
    with tempfile.TemporaryDirectory() as place:
        for path, text in notes.items():
            Path(place, path).parent.mkdir(parents=True, exist_ok=True)
            Path(place, path).write_text(text, encoding="utf-8")
        pages = PageSettings(basePath=base) if base else None
        return application.graphs.ingest_folder(Path(place), name="law", pages=pages).graphId


def agree(application: Application, notes: dict[str, str], base: str | None = None) -> Pairs:
    graph = ingest(application, notes, base)
    wanted = of_graph(application, graph)
    assert of_sections(application, graph) == wanted
    assert of_pages(application, graph) == wanted
    assert of_check(application, graph) == wanted
    return wanted


@pytest.mark.holds("graph.reading.links-agree")
@settings(max_examples=examples(60), deadline=None)
@example(texts=["%% [[c]] %% <!-- [[c]] -->", "", "", "", "", ""])
@example(texts=["| a |\n|---|\n| [[c\\|d]] |", "", "", "", "", ""])
@example(texts=["<div>\n[[c]]\n</div>\n\n[see [[c]]](guide/)", "[[big-idea]]", "", "", "", ""])
@given(
    texts=st.lists(
        st.lists(st.sampled_from(PIECES), max_size=12).map("".join), min_size=len(PATHS), max_size=len(PATHS)
    )
)
def test_the_links_of_random_notes_are_the_same_set_for_everybody(opened: Application, texts: list[str]) -> None:
    notes = {path: f"{HEADERS.get(path, '')}Words.\n\n{text}\n" for path, text in zip(PATHS, texts, strict=True)}
    agree(opened, notes)


@pytest.mark.holds("graph.reading.links-agree")
@pytest.mark.parametrize(
    ("text", "targets"),
    [
        ("%% [[a]] %%", set()),
        ("<!-- [[a]] -->", set()),
        ("words <!-- over\n\nblocks [[a]] -->", set()),
        ("`[[a]]`\n\n```\n[[a]]\n```", set()),
        ("| h |\n|---|\n| [[a\\|shown]] |", {"a.md"}),
        ("[[big-idea]]", {"Big Idea.md"}),
        ("[[second]]", {"guide/d.markdown"}),
        ("[[called d]]", {"guide/d.markdown"}),
        ("<div>\n[[a]]\n</div>", {"a.md"}),
        ("<div><code>[[a]]</code></div>", set()),
        ("[see [[a]] there](guide/d.markdown)", {"a.md", "guide/d.markdown"}),
        ('<a href="a.md">a</a>', {"a.md"}),
    ],
)
def test_a_link_is_seen_by_all_or_by_none(opened: Application, text: str, targets: set[str]) -> None:
    notes = {"a.md": "A", "Big Idea.md": "B", "guide/d.markdown": HEADERS["guide/d.markdown"] + "D"}
    assert agree(opened, {**notes, "here.md": f"Words.\n\n{text}\n"}) == {("here.md", target) for target in targets}


@pytest.mark.holds("graph.reading.links-agree")
def test_pages_without_text_are_linked_from_and_to(opened: Application) -> None:
    notes = {
        "called.md": "---\ntitle: Called\n---\n{{< list >}}\n",
        "shown.md": "# Shown\n\n<iframe src='x'></iframe>\n",
        "cards.mdx": "# Cards\n\n<CardList to='/docs/called' />\n",
        "a.md": "Words [[called]], [[shown]] and [[cards]].\n",
    }
    assert agree(opened, notes) == {
        *(("a.md", path) for path in ("called.md", "shown.md", "cards.mdx")), ("cards.mdx", "called.md")
    }  # fmt: skip


@pytest.mark.holds("graph.reading.links-agree")
def test_a_whole_address_below_the_base_is_a_link_to_everybody_and_else_to_nobody(opened: Application) -> None:
    """The same files are read with one base after the other, as somebody does who forgot it at first."""
    notes = {
        "a.md": "A [b](https://Docs.example.org/en/guide/b/#there), [out](https://example.org/en/guide/b/).\n",
        "guide/b.md": "B [home](https://docs.example.org/en), [a](/en/a)\n",
        "index.md": "Start.\n",
    }
    rooted = {("guide/b.md", "a.md")}
    assert agree(opened, notes, "/en/") == rooted
    whole = {("a.md", "guide/b.md"), ("guide/b.md", "index.md")}
    assert agree(opened, notes, "https://docs.example.org/en/") == rooted | whole
    assert agree(opened, notes, "/docs/") == rooted


@pytest.mark.holds("graph.reading.links-agree")
def test_a_wikilink_that_leads_nowhere_is_broken_in_the_graph_and_in_the_check(opened: Application) -> None:
    graph = ingest(opened, {"a.md": "[[Gone One]] and [[a]], %% [[hidden]] %%\n", "b.md": "[[a]] [[gone/two]]\n"})
    broken = opened.graphs.validate(GraphRequest(graphId=graph)).issues.brokenLinks
    assert {(link.source, link.target) for link in broken} == {("a.md", "gone-one"), ("b.md", "gone-two")}
    digest = opened.digest_library.open(graph)
    problems = broken_links(digest.pages.values(), digest.link_map)
    said = {(problem.id, slug(problem.message.removesuffix(" leads to no document."))) for problem in problems}
    assert said == {("a", "gone-one"), ("b", "gone-two")}
