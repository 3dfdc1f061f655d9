import pytest

from loreweave.contracts.skill_graph import PageSettings
from loreweave.entities.digest import PageRecord
from loreweave.knowledge.documents.page_record import record_page


def read(text: str, path: str = "guide/page.md", depth: int = 3) -> PageRecord:
    return record_page(path, text, PageSettings(headingDepth=depth))


def headings(text: str, path: str = "guide/page.md", depth: int = 3) -> list[tuple[int, str | None]]:
    return [(section.level, section.heading) for section in read(text, path, depth).sections]


@pytest.mark.holds("ask.documents.frontmatter")
def test_title_group_and_description_come_from_the_header() -> None:
    page = read("---\ntitle: The title\ngroup: API\ndescription: What it is\n---\n# Other\n")
    assert (page.title, page.group, page.description) == ("The title", "API", "What it is")


@pytest.mark.holds("ask.documents.frontmatter")
def test_the_first_h1_is_the_title_where_the_header_has_none() -> None:
    assert read("text\n\n## Two\n\n# The *first*\n\n# Next\n").title == "The first"
    assert read("## Two\n").title is None
    assert read("---\ntitle: [a, b]\n---\n").title is None


@pytest.mark.holds("ask.sections.boundaries")
def test_h2_to_the_depth_and_later_h1_begin_sections() -> None:
    text = "# Title\nlead\n## Two\n### Three\n#### Four\nfour's text\n# Again\n"
    assert headings(text) == [(0, None), (2, "Two"), (3, "Three"), (1, "Again")]
    assert headings(text, depth=2) == [(0, None), (2, "Two"), (1, "Again")]
    assert headings(text, depth=4)[3] == (4, "Four")
    assert "Four\nfour's text" in read(text).sections[2].text


@pytest.mark.holds("ask.sections.boundaries")
def test_headings_in_quotes_and_lists_begin_nothing_but_take_a_slug() -> None:
    text = "## A\n> ## B\n\n- ## B\n\n## B\n"
    assert [section.anchor for section in read(text).sections] == ["a", "b-2"]


@pytest.mark.holds("ask.sections.commonmark")
@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Setext\n---\n", [(2, "Setext")]),
        ("Two\nlines\n---\n", [(2, "Two lines")]),
        ("## C#\n", [(2, "C#")]),
        ("## Closed ##\n", [(2, "Closed")]),
        ("```\n## code\n```\n", [(0, None)]),
        ("    ## code\n", [(0, None)]),
        ("<div>\n## html\n</div>\n", [(0, None)]),
        ("text\n\n---\n\nmore\n", [(0, None)]),
        ("| a |\n|---|\n| b |\n", [(0, None)]),
        ("##\n\n## \n", []),
        ("\\## no\n", [(0, None)]),
    ],
)
def test_only_what_the_parser_calls_a_heading_is_one(text: str, found: list[tuple[int, str | None]]) -> None:
    assert headings(text) == found


LONG = "Whoever writes a paragraph as long as this one, with several clauses in it and a full stop at its end, and "
LONG += "then draws a line below it before the list of what is related begins, has no heading in mind."


@pytest.mark.holds("retrieval.reading.drawn-lines")
@pytest.mark.parametrize(
    ("text", "found"),
    [
        (f"# T\n{LONG}\n---\nRelevant:\n- x\n", [(0, None)]),
        (f"# T\n\n> {LONG}\n> ---\n\n- {LONG}\n  -----\n", [(0, None)]),
        (f"# T\n{LONG[:160]}\n---\n", [(2, LONG[:160].strip())]),
        (f"# T\n{LONG}\n===\n", [(1, LONG)]),
        (f"# T\n## {LONG} ---\n", [(2, f"{LONG} ---")]),
    ],
)
def test_a_line_of_dashes_below_a_long_paragraph_is_a_line(text: str, found: list[tuple[int, str | None]]) -> None:
    assert headings(text) == found


@pytest.mark.holds("retrieval.reading.drawn-lines")
def test_a_line_drawn_below_a_paragraph_in_code_stays_as_it_was_written() -> None:
    (section,) = read(f"# T\n{LONG}\n---\n```\n{LONG}\n---\n```\n").sections
    assert [line for line in section.text.splitlines() if line] == [LONG, LONG, "---"]


@pytest.mark.holds("ask.sections.page-level")
def test_the_page_level_section_needs_a_description_or_text_besides_the_h1() -> None:
    assert headings("") == []
    assert headings("# Title\n") == []
    assert headings("# Title\n<!-- nothing -->\n\n---\n") == []
    assert headings("# Title\n\ntext\n") == [(0, None)]
    assert headings("---\ndescription: words\n---\n# Title\n") == [(0, None)]
    assert headings("## First\ntext\n") == [(2, "First")]
    assert headings("---\ntitle: Called\n---\n") == [(0, None)]  # a place that links lead to, as the next two
    assert headings("# Title\n<iframe src='x'></iframe>\n") == [(0, None)]
    assert headings("# Title\n\n{{< list >}}\n") == [(0, None)]
    section = read("# Title\n\ntext\n").sections[0]
    assert (section.anchor, section.heading, section.text) == (None, None, "text")


@pytest.mark.holds("ask.sections.empty-heading")
def test_a_heading_without_text_starts_nothing_and_one_without_body_is_a_section() -> None:
    page = read("## A\n## \n## B\n## <!-- c -->\n## C\n")
    assert [(section.heading, section.text) for section in page.sections] == [("A", ""), ("B", ""), ("C", "")]


@pytest.mark.holds("ask.sections.plain-heading")
@pytest.mark.parametrize(
    ("written", "heading", "anchor"),
    [
        ("Fish &amp; *chips*", "Fish & chips", "fish--chips"),
        ("The [label](to.md) and [[note|name]]", "The label and name", "the-label-and-name"),
        ("snake_case_name __bold__", "snake_case_name bold", "snake_case_name-bold"),
        ("`<Foo />` and `--flag`", "<Foo /> and --flag", "foo--and---flag"),
        ("~~old~~ <b>new</b>", "old new", "old-new"),
    ],
)
def test_a_heading_is_plain_text(written: str, heading: str, anchor: str) -> None:
    section = read(f"## {written}\n").sections[0]
    assert (section.heading, section.anchor) == (heading, anchor)


@pytest.mark.holds("ask.sections.offsets")
def test_sections_are_stretches_of_the_source_in_bytes() -> None:
    text = "---\ntitle: é\n---\nlead é\n\n  ## Ünë\nbody\n## Two\n"
    page = read(text)
    data = text.encode()
    assert [data[section.start : section.end].decode() for section in page.sections] == [
        "lead é\n\n",
        "  ## Ünë\nbody\n",
        "## Two\n",
    ]


@pytest.mark.holds("ask.documents.clean-text")
def test_text_has_no_markup_and_no_comments_but_keeps_code() -> None:
    text = (
        "A **bold** [link](x.md) and `code` <!-- hidden -->\nnext &lt;line.\n\n<!--\nFOO_HIDDEN\n-->\n\n"
        "```\nkept  code\n```\n\n| a | b |\n|---|---|\n| c | d |\n\n<p>In <b>HTML</b><script>no()</script></p>\n"
    )
    section = read(text).sections[0]
    assert section.text == "A bold link and code next <line.\nkept  code\na b\nc d\nIn HTML"
    assert [fact.literal for fact in section.facts] == ["code", "kept  code"]


@pytest.mark.holds("ask.documents.clean-text")
def test_directives_are_no_definitions_and_leave_no_marks() -> None:
    page = read("Words before.\n\n:::tip Title\nInside the box.\n:::\n\n:smile: a word\n")
    assert page.sections[0].text == "Words before.\nTitle\nInside the box.\n:smile: a word"
    assert page.glossary == ()


@pytest.mark.holds("ask.documents.links")
def test_links_are_collected_as_written_with_their_section() -> None:
    text = "[[A#b|c]]\n\n## S\n[x](../y.md#z) [r][ref] ![image](i.png) ![[embed]] `[no](code.md)`\n\n[ref]: r.md\n"
    assert [(link.section, link.target, link.wikilink) for link in read(text).links] == [
        (0, "A#b", True),
        (1, "../y.md#z", False),
        (1, "r.md", False),
        (1, "embed", True),
    ]
