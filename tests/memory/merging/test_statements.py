"""A text falls into statements, and is put together again from them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.pace import within

from loreweave.memory.merging.merge_texts import statement_key, statements, written


def texts(content: str) -> list[str]:
    return [statement.text for statement in statements(content)]


@pytest.mark.holds("memory.merge.statements")
@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("The sky is blue. Grass is green.", ["The sky is blue.", "Grass is green."]),
        ("One line\nanother line", ["One line", "another line"]),
        ("Use e.g. this. Dr. Smith came at 3 p.m. today.", ["Use e.g. this.", "Dr. Smith came at 3 p.m. today."]),
        ("Version 1.2.3 is out. Run it!", ["Version 1.2.3 is out.", "Run it!"]),
        ("`a. B` is code. It stays.", ["`a. B` is code.", "It stays."]),
        ("空は青い。草は緑だ。", ["空は青い。", "草は緑だ。"]),
        ("- first\n- second", ["- first", "- second"]),
        ("before\n```\na. B\n\nc\n```\nafter", ["before", "```\na. B\n\nc\n```", "after"]),
        ("~~~\nopen to the end", ["~~~\nopen to the end"]),
        ("| a | b |\n|---|---|\n| 1 | 2 |\nafter", ["| a | b |\n|---|---|\n| 1 | 2 |", "after"]),
        ("\n\n  \n", []),
    ],
)
def test_a_statement_is_a_sentence_of_a_line_or_a_whole_block(content: str, expected: list[str]) -> None:
    assert texts(content) == expected


@pytest.mark.holds("memory.merge.statement-comparison")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The sky is blue.", "the  SKY is blue"),
        ("- The sky is blue", "3. the sky is blue."),
        ("- [ ] Straße", "* STRASSE"),
        ("caf\u00e9", "cafe\u0301"),
    ],
)
def test_statements_are_compared_without_case_spacing_list_mark_and_final_stop(one: str, other: str) -> None:
    assert statement_key(one) == statement_key(other)


@pytest.mark.holds("memory.merge.statement-comparison")
@pytest.mark.parametrize(("one", "other"), [("a-b", "ab"), ("Run it?", "Run it"), ("x = 1", "x = 2")])
def test_other_differences_tell_statements_apart(one: str, other: str) -> None:
    assert statement_key(one) != statement_key(other)


@pytest.mark.holds("memory.merge.statements")
@given(st.text(alphabet="ab.!? \n\t`~|-*1", max_size=80))
def test_putting_all_statements_together_loses_nothing_written(content: str) -> None:
    found = statements(content)
    assert "".join(written(found).split()) == "".join("".join(statement.text.split()) for statement in found)


@pytest.mark.lengthy(3)
@pytest.mark.holds("memory.limits.linear")
@pytest.mark.parametrize("opener", ["`", ". A", "|\n", "```\n", "1. ", "a. " * 3, "。", "| - |\n"])
def test_the_longest_text_of_openers_is_read_quickly(opener: str) -> None:
    content = (opener * 65_536)[:65_536]
    within(0.5, lambda: statements(content))
