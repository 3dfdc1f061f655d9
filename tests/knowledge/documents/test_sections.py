import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.knowledge.documents.read_notes import read_note

from loreweave.contracts.skill_graph import NodeSection as Section
from loreweave.knowledge.graph.stored_notes import render_sections


def sections(text: str) -> tuple[Section, ...]:
    return read_note("note.md", text.encode()).sections


def rendered(text: str) -> str:
    return render_sections(sections(text))


@pytest.mark.holds("graph.sections.first-paragraph", "graph.sections.preamble")
def test_each_heading_stands_with_its_first_paragraph_or_list_item() -> None:
    text = """Opening words
on two lines.

Not shown.

# Title

## Application
The primary tool is
the [[journal]].

Not shown either.

## List
- first item
- second item

## Empty
## Code first
```
# no heading
```
After the code.
"""
    assert rendered(text) == (
        "Opening words on two lines.\n# Title\n## Application\nThe primary tool is the [[journal]].\n"
        "## List\nfirst item\n## Empty\n## Code first\nAfter the code."
    )


@pytest.mark.holds("graph.sections.headings")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# One", [(1, "One")]),
        ("###### Six", [(6, "Six")]),
        ("   # Indented", [(1, "Indented")]),
        ("# Closed ##", [(1, "Closed")]),
        ("# C#", [(1, "C#")]),
        ("#", []),
        ("Setext\n===", [(1, "Setext")]),
        ("Setext\ntwo lines\n---", [(2, "Setext two lines")]),
        ("para\n# Interrupts", [(1, "Interrupts")]),
        ("> # Quoted", [(1, "Quoted")]),
        ("<!-- x --> \n# After", [(1, "After")]),
        ("<div>\n</div>\n\n# After", [(1, "After")]),
        ("#tag", []),
        ("####### Seven", []),
        ("\\# Escaped", []),
        ("    # Code", []),
        ("```\n# Code\n```", []),
        ("~~~\n# Code", []),
        ("<!--\n# Comment\n-->", []),
        ("%%\n# Comment\n%%", []),
        ("<div>\n# In HTML\n</div>", []),
        ("<pre>\n\n# In HTML\n\n</pre>", []),
        ("- item\n---", []),
        ("| a | b |\n|---|---|\n| c | d |", []),
        ("\n---\n", []),
        ("text\n\n===", []),
    ],
)
def test_headings_are_found_outside_code_comments_and_html(text: str, expected: list[tuple[int, str]]) -> None:
    found = [(one.level, one.heading) for one in sections(text) if one.heading is not None]
    assert found == expected


@pytest.mark.holds("graph.sections.headings")
def test_headings_are_also_known_without_their_markup() -> None:
    text = "# The **bold** [[a|shown]] [t](u.md) `code` snake_case _it_ ^id\n## \\*star"
    assert read_note("n.md", text.encode()).headings == ("The bold shown t code snake_case it", "*star")


@pytest.mark.holds("graph.sections.cut")
def test_opening_words_are_cut_at_a_hundred_words_and_four_hundred_characters() -> None:
    (short,) = sections("a " * 150)
    assert short.text == " ".join("a" * 100)
    (wide,) = sections("word " * 95)
    assert len(wide.text) <= 400
    assert wide.text.endswith("word")
    (unbroken,) = sections("x" * 1000)
    assert unbroken.text == "x" * 400


@pytest.mark.holds("graph.sections.never-empty")
@pytest.mark.parametrize(
    "text",
    ["```\ncode\n```", "| a | b |\n|--|--|\n", "<!-- only a comment -->", "---", "[r]: a.md", " " * 500 + "far right"],
)
def test_a_body_without_paragraphs_shows_its_first_characters(text: str) -> None:
    assert rendered(text) == text.strip()


@pytest.mark.holds("graph.sections.never-empty", "graph.sections.cut")
@given(st.text(st.sampled_from("ab #-=`~<>!%[]|\n\t*\\"), max_size=80))
def test_sections_text_is_never_empty_for_a_body(text: str) -> None:
    note = read_note("n.md", text.encode())
    assert bool(render_sections(note.sections)) == bool(note.body)
    assert all(len(one.text) <= 400 and len(one.text.split()) <= 100 for one in note.sections if one.heading)
