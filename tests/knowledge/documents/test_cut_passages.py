"""Passages: what is found and shown, cut once when a document is read."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.examples import examples

from loreweave.contracts.skill_graph import PageSettings
from loreweave.entities.digest import PASSAGE_TOKENS
from loreweave.knowledge.documents.page_record import pack_record, record_page, unpack_record
from loreweave.language.tokens import count_tokens

SENTENCE = "The harbour master writes down which boats came in before the fog and which of them left again. "


def passages(source: str) -> list[str]:
    """What each passage of a page is in the source."""
    record = record_page("page.md", source, PageSettings())
    data = source.encode()
    parts = [part for section in record.sections for part in section.passages]
    return [data[part.start : part.end].decode() for part in parts]


@pytest.mark.holds("retrieval.index.passage")
def test_short_blocks_of_one_section_are_one_passage_and_a_heading_ends_it() -> None:
    assert passages("# Boats\n\nOne.\n\nTwo.\n\n## Nets\n\nThree.\n\n#### Deep\n\nFour.\n") == [
        "One.\n\nTwo.",
        "Three.",
        "Four.",
    ]


@pytest.mark.holds("retrieval.index.passage")
def test_a_long_section_is_cut_between_its_blocks_and_its_items() -> None:
    paragraphs = [f"{number}. {SENTENCE * 3}".strip() for number in range(8)]
    found = passages("# Long\n\n" + "\n\n".join(f"p{text}" for text in paragraphs) + "\n")
    assert "\n\n".join(found) == "\n\n".join(f"p{text}" for text in paragraphs)
    assert len(found) > 2
    assert all(count_tokens(text) <= PASSAGE_TOKENS for text in found)
    items = passages("# List\n\n" + "\n".join(f"- {text}" for text in paragraphs) + "\n")
    assert len(items) > 2
    assert all(text.startswith("- ") for text in items)


@pytest.mark.holds("retrieval.index.passage")
def test_a_fence_and_a_table_are_never_cut() -> None:
    fence = "```\n" + "\n\n".join(f"line {number} = {SENTENCE}" for number in range(60)) + "\n```"
    table = "| a | b |\n|---|---|\n" + "\n".join(f"| {number} | {SENTENCE} |" for number in range(60))
    assert passages(f"# Big\n\nBefore.\n\n{fence}\n\nBetween.\n\n{table}\n\nAfter.\n") == [
        "Before.",
        fence,
        "Between.",
        table,
        "After.",
    ]


@pytest.mark.holds("retrieval.index.passage")
def test_a_heading_without_a_body_is_found_as_a_passage_without_text() -> None:
    record = record_page("page.md", "## Alone\n", PageSettings())
    [section] = record.sections
    [passage] = section.passages
    assert (passage.text, passage.tokens, passage.start == passage.end) == ("", 0, True)
    assert record.headings[passage.heading].text == "Alone"


HEADINGS = ["# One", "## Two", "### Three", "#### Four"]
BLOCKS = ["Text.", SENTENCE * 4, "- a\n- b", "> quote\n> ## inside", "```\ncode\n```", "| a |\n|---|\n| b |", "---"]
ODD_ONES = ["<div>\nhtml\n</div>", "Term\n: meaning", "1. x\n\n   y\n2. z", "%% hidden %%", "é 漢字 👍"]
PIECES = st.sampled_from([*HEADINGS, *BLOCKS, *ODD_ONES])


@given(st.lists(PIECES, max_size=14), st.booleans())
@settings(max_examples=examples(150))
@pytest.mark.holds("retrieval.index.passage")
def test_passages_stand_in_order_below_one_heading_and_are_the_text_of_their_section(
    pieces: list[str], described: bool
) -> None:
    source = ("---\ndescription: About it.\n---\n" if described else "") + "\n\n".join(pieces) + "\n"
    record = record_page("page.md", source, PageSettings())
    assert unpack_record(pack_record(record)) == record
    end = 0
    for part in record.sections:
        texts = [passage.text for passage in part.passages if passage.text]
        assert part.text.endswith("\n".join(texts))
        for passage in part.passages:
            assert end <= passage.start <= passage.end <= len(source.encode())
            end = passage.end
            inside = [found for found in record.headings if passage.start <= found.start < passage.end]
            assert inside == []
            assert passage.heading < 0 or record.headings[passage.heading].end <= passage.start
