"""What is kept of a memory's text."""

import pytest
from tests.pace import PART, within

from loreweave.memory.search.read_memory_text import read_text, reader_identity, split_vectors
from loreweave.seams.embedding.open_embedder import open_embedder


def test_words_are_kept_in_order_with_names_and_signs_marked() -> None:
    content, other = read_text("Key", ["ops", "Secret Things"], "The key of Alice is foo_bar, at 10.5%.", None).tokens()
    assert content == ["the", "key", "of", "^alice", "is", "foo", "bar", "=foo_bar", "at", "10", "5", "=10.5%"]
    assert other == ["key", "secret", "things", "ops"]


def test_a_name_that_opens_the_content_is_not_read_twice() -> None:
    assert read_text("The deploy key", (), "The  deploy key\nis in the vault", None).tokens()[1] == []


def test_a_reading_names_its_reader_and_embedder() -> None:
    static = open_embedder("static")
    assert read_text("n", (), "text", static).reader == reader_identity(static) != reader_identity(None)


def test_vectors_are_stored_with_their_length() -> None:
    static = open_embedder("static")
    assert static is not None
    width, rows = split_vectors(read_text("n", (), "word " * 130, static).vectors)
    assert (width, len(rows)) == (static.dimensions, 3 * static.dimensions)


@pytest.mark.holds("memory.search.linear")
@pytest.mark.parametrize("opener", ["_", "a.", "1,", "A ", "((", "'", ".A", "-", "a_", "1.", "é'", "日", "=", "^"])
def test_a_hostile_text_is_read_in_linear_time(opener: str) -> None:
    text = opener * (1_000_000 // PART // len(opener))
    within(1 / PART, lambda: read_text("name", (), text, None))
