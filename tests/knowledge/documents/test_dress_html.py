"""Clean HTML made good to look at."""

import pytest
from tests.pace import PART, within

from loreweave.knowledge.documents.dress_html import dress_html
from loreweave.knowledge.documents.render_page import render_page


@pytest.mark.holds("ask.pages.looks")
def test_a_note_between_its_marks_gets_a_frame_and_a_title() -> None:
    html = "<p>/// tip</p>\n<p>Text.</p>\n<p>///</p>\n<p>After.</p>\n"
    assert dress_html(html) == (
        '<div class="aside note"><p class="aside-title">Tip</p><p>Text.</p>\n</div>\n<p>After.</p>\n'
    )
    titled = dress_html("<p>/// warning | Mind &lt;this&gt;</p><p>///</p>")
    assert titled == '<div class="aside alarm"><p class="aside-title">Mind &lt;this&gt;</p></div>\n'


def test_a_title_may_hold_markup_and_a_note_be_one_paragraph() -> None:
    titled = dress_html("<p>/// tip | <strong>A</strong> to</p><p>x</p><p>///</p>")
    assert titled == '<div class="aside note"><p class="aside-title"><strong>A</strong> to</p><p>x</p></div>\n'
    whole = render_page("a.md", "/// note | B\nSome *text*\nmore\n///\n", slug_scheme="github", link=lambda *_: None)
    assert dress_html(whole) == (
        '<div class="aside note"><p class="aside-title">B</p><p>Some <em>text</em>\nmore</p>\n</div>\n'
    )


def test_notes_inside_notes_end_with_their_own_mark() -> None:
    html = "<p>//// tab | A</p><p>/// tip</p><p>x</p><p>///</p><p>////</p>"
    assert dress_html(html).count("<div") == dress_html(html).count("</div>") == 2


@pytest.mark.parametrize(
    "html",
    [
        "<p>/// tip</p><p>never ended</p>",
        "<p>///</p>",
        "<ul><li><p>/// tip</p></li></ul><p>///</p>",
        "<pre><code>/// tip\n///\n</code></pre>",
        "<p>/// tip <em>more</em></p>",
    ],
)
def test_marks_that_frame_nothing_stay_as_they_are(html: str) -> None:
    assert dress_html(html) == html


def test_alerts_get_titles() -> None:
    alert = dress_html("<blockquote>\n<p>[!WARNING]\nMind.</p>\n</blockquote>")
    assert alert == '<blockquote class="alarm"><p class="aside-title">Warning</p><p>Mind.</p>\n</blockquote>'


def test_pictures_show_their_words() -> None:
    assert dress_html('<img src="a.png" alt="A &amp; B">') == '<span class="picture">A &amp; B</span>'
    assert dress_html('<img alt="" src="a.png">') == ""
    shown = dress_html('<img src="https://a.test/b.png?c=&quot;" alt="">')
    assert shown == (
        '<a class="picture" href="https://a.test/b.png?c=&quot;" rel="noopener noreferrer">b.png?c=&quot;</a>'
    )
    assert dress_html('<a href="/x"><img src="https://a.test/b.png" alt="B"></a>') == (
        '<a href="/x"><span class="picture">B</span></a>'
    )


def test_ids_stay_where_they_are() -> None:
    html = '<p>/// tip</p><h2 id="a">A</h2><p>///</p><h2 id="b">B</h2>'
    assert [part in dress_html(html) for part in ('<h2 id="a">A</h2>', '<h2 id="b">B</h2>')] == [True, True]


@pytest.mark.lengthy(3)
@pytest.mark.parametrize(
    "piece",
    [
        "<p>/// a</p>",
        "<p>///</p>",
        "<p>//// a</p><p>///</p>",
        "<p>",
        "<",
        '<img alt="',
        "///",
        "<p>/// a\n",
        "<p>/// a | <b",
        "/// a\nb",
    ],
)
def test_a_megabyte_of_marks_takes_linear_time(piece: str) -> None:
    within(1 / PART, lambda: dress_html(piece * (1_000_000 // PART // len(piece))))


@pytest.mark.parametrize(
    "text",
    [
        '!!! note "Look *here*"\n    Inside [[a]].\n\nAfter.\n',
        '???+ note "Look *here*"\n\n    Inside [[a]].\n\nAfter.\n',
        '=== "Look *here*"\n    Inside [[a]].\nAfter.\n',
        ":::tip Look *here*\nInside [[a]].\n:::\nAfter.\n",
        ":::tip[Look *here*]\n\nInside [[a]].\n\n:::\n\nAfter.\n",
    ],
)
def test_titled_blocks_of_every_dialect_are_framed(text: str) -> None:
    html = dress_html(render_page("p.md", text, slug_scheme="github", link=lambda target, wikilink: f"/{target}"))
    assert html.split() == [
        "<div",
        'class="aside',
        'note"><p',
        'class="aside-title">Look',
        "<em>here</em></p><p>Inside",
        "<a",
        'href="/a"',
        'rel="noopener',
        'noreferrer">a</a>.</p>',
        "</div>",
        "<p>After.</p>",
    ]


def test_titled_blocks_are_framed_inside_one_another_and_inside_lists() -> None:
    text = '1. One\n\n    !!! warning\n        Outer\n\n        !!! tip "Inner"\n            Deep\n\n2. Two\n'
    html = dress_html(render_page("p.md", text, slug_scheme="github", link=lambda target, wikilink: None))
    assert "".join(html.split()) == (
        '<ol><li><p>One</p><divclass="asidealarm"><pclass="aside-title">Warning</p><p>Outer</p>'
        '<divclass="asidenote"><pclass="aside-title">Inner</p><p>Deep</p></div></div></li><li><p>Two</p></li></ol>'
    )
