from html.parser import HTMLParser

import pytest

from loreweave.contracts.skill_graph import PageSettings
from loreweave.knowledge.documents.page_record import record_page
from loreweave.knowledge.documents.render_page import render_page


class Elements(HTMLParser):
    """Every tag with its attributes."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attributes)))

    def ids(self) -> list[str | None]:
        return [attributes["id"] for _, attributes in self.found if "id" in attributes]


def nowhere(target: str, wikilink: bool) -> str | None:
    return None


def render(text: str, path: str = "page.md", scheme: str = "github") -> str:
    return render_page(path, text, slug_scheme=scheme, link=nowhere)


HOSTILE = """# Title {#own}

## A & "b" <i>c</i>

words <textarea><title><select><svg><math><plaintext><iframe><noscript><xmp>

## After tags

> ### In a quote

<!-- unclosed in a line --> <style>h2{}</style>

<table><tr><td>

## In a table

text <script>alert(1)</script> <textarea> <!-- x

## Ünïcode 你好

## After tags

- ## In a list

Setext `code`
---
"""


@pytest.mark.holds("ask.pages.anchors")
@pytest.mark.parametrize("scheme", ["github", "astro", "mkdocs"])
def test_each_anchor_is_an_id_whatever_html_stands_around(scheme: str) -> None:
    page = record_page("page.md", HOSTILE, PageSettings(slugScheme=scheme, headingDepth=6))
    ids = Elements(render(HOSTILE, scheme=scheme)).ids()
    anchors = [section.anchor for section in page.sections if section.anchor is not None]
    assert len(anchors) == 6
    assert [anchor for anchor in anchors if ids.count(anchor) != 1] == []
    assert "own" in ids


@pytest.mark.holds("ask.pages.clean")
@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "[x](javascript:alert(1))",
        "<a href=' javascript:alert(1)'>x</a>",
        "![x](data:text/html,1)",
        "<svg/onload=alert(1)>",
        "<iframe src='https://a.example'></iframe>",
        "<div style='color:red' onclick='x()'>a</div>",
        '## x {#a"onclick="alert(1)}',
        '```x"onclick="alert(1)\ncode\n```',
        "<form action=/x><input name=y></form>",
        '[[x" onclick="alert(1)]]',
    ],
)
def test_nothing_in_a_page_can_run(text: str) -> None:
    for tag, attributes in Elements(render(text)).found:
        assert tag not in ("script", "iframe", "svg", "form", "input", "style", "object")
        assert not [name for name in attributes if name.startswith("on") or name == "style"]
        for name in ("href", "src"):
            assert not (attributes.get(name) or "").strip().casefold().startswith(("javascript:", "data:"))


@pytest.mark.holds("ask.pages.links")
def test_links_go_where_the_resolver_says() -> None:
    asked: list[tuple[str, bool]] = []

    def link(target: str, wikilink: bool) -> str | None:
        asked.append((target, wikilink))
        return f"/docs/{target.removesuffix('.md')}" if "gone" not in target else None

    text = "[a](b.md) [[c|d]] [[gone]] [e](gone.md) <a href='f.md'>g</a> ![[h]]\n"
    html = render_page("page.md", text, slug_scheme="github", link=link)
    assert asked == [("b.md", False), ("c", True), ("gone", True), ("gone.md", False), ("f.md", False), ("h", True)]
    hrefs = [attributes["href"] for tag, attributes in Elements(html).found if tag == "a"]
    assert hrefs == ["/docs/b", "/docs/c", "gone.md", "/docs/f", "/docs/h"]
    assert "gone <a" in html


@pytest.mark.holds("ask.pages.anchors")
def test_markdown_becomes_html() -> None:
    text = (
        'Two  \nlines *em* **strong** ~~gone~~ `<c>` &lt; ![al*t* "q"](i.png)\n\n3. a\n4. b\n\n> quote\n\n- [x] done\n'
        "\n| a | b |\n|:--|--:|\n| 1 | 2 |\n\nTerm\n: Def\n\n```sh\n<x>\n```\n\n---\n\nnote[^1]\n\n[^1]: foot\n"
    )
    html = render(text)
    for piece in (
        "<br>",
        "<em>em</em> <strong>strong</strong> <s>gone</s> <code>&lt;c&gt;</code> &lt;",
        'alt="alt &quot;q&quot;"',
        '<ol start="3">',
        "<blockquote>",
        "☑ done",
        '<td align="right">2</td>',
        "<dt>Term</dt>",
        '<pre><code class="language-sh">&lt;x&gt;\n</code></pre>',
        "<hr>",
        'href="#footnote-1"',
        'id="footnote-1"',
    ):
        assert piece in html


@pytest.mark.holds("ask.pages.clean")
def test_header_components_and_comments_are_not_shown() -> None:
    text = "---\ntitle: T\n---\nimport A from 'a'\n\n<A x={1}>\n  ## Inside\n</A>\n\n{/* no */}\n"
    html = render(text, "page.mdx")
    assert html.strip() == '<h2 id="inside">Inside</h2>'
