"""What is read of a memory's text."""

import pytest
from tests.memory.search.memory_shelf_rows import indexed
from tests.pace import PART, within

from loreweave.memory.search.memory_block import make_block
from loreweave.memory.search.read_memory_text import asked_keys, content_words, read_text, reader_identity
from loreweave.seams.embedding.open_embedder import open_embedder


def test_words_are_read_in_order_with_names_and_signs_marked() -> None:
    content = content_words("The key of Alice is foo_bar, at 10.5%.")
    assert content == ["the", "key", "of", "^alice", "is", "foo", "bar", "=foo_bar", "at", "10", "5", "=10.5%"]


def test_a_name_that_opens_the_content_is_not_read_twice() -> None:
    assert read_text("The deploy key", (), "The  deploy key\nis in the vault", None).rows[0].section.title == ""
    assert read_text("Vault", (), "The  deploy key\nis in the vault", None).rows[0].section.title == "Vault"


def test_a_reading_names_its_reader_and_embedder() -> None:
    static = open_embedder("static")
    assert read_text("n", (), "text", static).reader == reader_identity(static) != reader_identity(None)


def test_a_long_text_is_cut_into_passages_that_hold_all_of_it() -> None:
    static = open_embedder("static")
    assert static is not None
    text = " ".join(f"word{number}" for number in range(130))
    reading = read_text("n", ("t",), text, static)
    assert [len(row.text.split()) for row in reading.rows] == [59, 60, 11]
    assert [row.section.terms for row in reading.rows] == [("t",), (), ()]
    assert len(reading.vectors) == 3 * static.dimensions
    assert make_block([indexed(1, text)], "").text(0) == text


@pytest.mark.parametrize(
    "text", ["Brücke café", "don't won’t", "foo_bar fooBar", "数据库", "C++", "AT&T 10.5%", "Straße"]
)
def test_whatever_a_text_holds_is_asked_for_by_the_keys_of_its_index(text: str) -> None:
    block = make_block([indexed(1, text)], "")
    assert asked_keys(text)
    assert all(block.holders(key).tolist() == [0] for key in asked_keys(text))


@pytest.mark.lengthy(4)
@pytest.mark.holds("memory.search.linear")
@pytest.mark.parametrize("opener", ["_", "a.", "1,", "A ", "((", "'", ".A", "-", "a_", "1.", "é'", "日", "=", "^"])
def test_a_hostile_text_is_read_in_linear_time(opener: str) -> None:
    text = opener * (1_000_000 // PART // len(opener))
    within(1 / PART, lambda: content_words(text))
