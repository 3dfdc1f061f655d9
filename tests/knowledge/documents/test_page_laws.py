from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.examples import examples
from tests.pace import PART, within

from loreweave.contracts.skill_graph import PageSettings
from loreweave.knowledge.documents.page_record import record_page
from loreweave.knowledge.documents.render_page import render_page
from loreweave.language.markdown.anchors import SLUG_SCHEMES
from loreweave.language.markdown.decode_text import decode_text

PIECES = st.sampled_from(
    [
        *(
            "# ",
            "## ",
            "### ",
            "- ",
            "> ",
            "1. ",
            "```",
            "```sh\n",
            "~~~\n",
            "`",
            "``",
            "    ",
            "\t",
            "\n",
            "\n\n",
            "---\n",
        ),
        *(
            "| a | Default |\n|---|---|\n| `x` | 3 |\n",
            "<b>",
            "</b>",
            "<Tab a={1}>\n",
            "</Tab>\n",
            "<!--",
            "-->",
            "{",
            "}",
        ),
        *(
            "{#id}",
            "{: #id}",
            "[[a|b]]",
            "[x](y.md)",
            "![i](j)",
            "**",
            "*",
            "_",
            "\\",
            "&amp;",
            "é",
            "你",
            "😀",
            "\u2028",
        ),
        *(
            "--flag",
            "ENV_NAME",
            "defaults to ",
            "by default `x`",
            "3.11",
            "https://a.b/c",
            "\r\n",
            "\r",
            "\0",
            "\ud800",
        ),
        *(
            "import a from 'b'\n",
            "export const a = {\n",
            "Write Log (WL). ",
            "\n: text",
            "[^1]",
            "[^1]: f\n",
            "<script>",
        ),
        *(
            "<textarea>",
            "<svg>",
            "<h2 id='a'>",
            "<table>",
            "<pre>",
            "word ",
            "Foo",
            ":::note\n",
            "\x1f",
            "===\n",
            "title: x\n",
        ),
    ]
)
SOURCES = st.lists(PIECES, max_size=40).map("".join) | st.text(max_size=200)
PATHS = st.sampled_from(["page.md", "page.mdx", "glossary.md"])


class Ids(HTMLParser):
    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: set[str] = set()
        self.feed(html)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.found.update(value or "" for name, value in attributes if name == "id")


@pytest.mark.holds("ask.facts.verbatim", "ask.sections.offsets", "ask.mdx.tolerance", "ask.facts.line-ends")
@settings(max_examples=examples(400), deadline=None)
@given(path=PATHS, source=SOURCES, scheme=st.sampled_from(SLUG_SCHEMES), depth=st.integers(2, 6))
def test_any_text_is_read_and_every_fact_is_a_slice_of_its_section(
    path: str, source: str, scheme: str, depth: int
) -> None:
    source = decode_text(source.encode("utf-8", "surrogatepass"))[0]
    data = source.encode()
    page = record_page(path, source, PageSettings(slugScheme=scheme, headingDepth=depth))
    anchors = [section.anchor for section in page.sections]
    assert len(anchors) == len(set(anchors))
    for section, after in zip(page.sections, page.sections[1:], strict=False):
        assert section.end == after.start
    if page.sections:
        assert page.sections[-1].end == len(data)
    for section in page.sections:
        assert 0 <= section.start <= section.end
        assert len({fact.literal for fact in section.facts}) == len(section.facts)
        for fact in section.facts:
            assert fact.literal == data[fact.start : fact.end].decode()
            assert section.start <= fact.start < fact.end <= section.end
    assert all(0 <= link.section < len(page.sections) for link in page.links)
    assert all(0 <= found.section < len(page.sections) and found.definition for found in page.glossary)


@pytest.mark.holds("ask.pages.anchors")
@settings(max_examples=examples(300), deadline=None)
@given(path=PATHS, source=SOURCES, scheme=st.sampled_from(SLUG_SCHEMES))
def test_every_anchor_is_an_id_of_the_rendered_page(path: str, source: str, scheme: str) -> None:
    page = record_page(path, source, PageSettings(slugScheme=scheme, headingDepth=6))
    ids = Ids(render_page(path, source, slug_scheme=scheme, link=lambda target, wikilink: None)).found
    assert [
        section.anchor for section in page.sections if section.anchor is not None and section.anchor not in ids
    ] == []


@pytest.mark.holds("ask.facts.line-ends")
@settings(max_examples=examples(200), deadline=None)
@given(path=PATHS, lines=st.lists(SOURCES.map(lambda text: text.replace("\r", "")), max_size=4))
def test_both_line_ends_give_the_same_page(path: str, lines: list[str]) -> None:
    def page(line_end: str) -> object:
        text = "\n".join(lines).replace("\n", line_end)
        source = decode_text(text.encode("utf-8", "replace"))[0]
        return record_page(path, source, PageSettings())

    assert page("\r\n") == page("\n")


@pytest.mark.lengthy(4)
@pytest.mark.holds("ask.documents.linear")
@pytest.mark.parametrize(
    "opener",
    [
        "[",
        "[[",
        "`",
        "*a ",
        "<!--",
        "<a ",
        "![](<",
        "> ",
        "1. ",
        "~~~a\n",
        "A_",
        "1,1",
        "(AB) Aa Bb ",
        "://",
        "Aa Bb (AB). ",
        "x **a** ",
    ],
)
def test_hostile_markdown_is_read_in_time(opener: str) -> None:
    length = 200_000 // PART
    source = (opener * (length // len(opener) + 1))[:length]
    within(1 / PART, lambda: record_page("page.md", source, PageSettings()))
