"""Texts numbered together say of each text what it would say alone."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.pace import within

from loreweave.language.number_words import number_words, word_spans
from loreweave.language.numbered_texts import number_texts
from loreweave.language.stretch_tokens import stretch_tokens
from loreweave.language.terms import words
from loreweave.language.tokens import count_tokens

ODD = "aB'’ \n\t\x01\x0b\x1c\x1e\u00a0\u3000é字e\u0301İß—🙂\ufe0f1[#-_\ud800"
some_text = st.one_of(
    st.text(),
    st.text(alphabet=st.sampled_from(ODD)),
    st.lists(st.sampled_from(["word", "Word,", "  ", "\n", "'s", "x" * 70 + "'", "y" * 40, "don't", " "])).map("".join),
)


def cut(text: str) -> list[str]:
    return [chunk for chunk in re.split("[ \t\n\r]+", text) if chunk]


@given(st.lists(some_text, max_size=5))
def test_every_chunk_stands_where_its_text_has_it(texts: list[str]) -> None:
    numbered = number_texts(texts)
    assert len(set(numbered.chunks)) == len(numbered.chunks)
    bounds = numbered.bounds.tolist()
    found = [numbered.chunks[number] for number in numbered.numbers.tolist()]
    assert [found[bounds[place] : bounds[place + 1]] for place in range(len(texts))] == [cut(text) for text in texts]


@pytest.mark.holds("graph.tokens.never-below")
@given(st.lists(some_text, min_size=1, max_size=5), st.data())
def test_the_tokens_of_a_stretch_are_those_of_its_text(texts: list[str], data: st.DataObject) -> None:
    """However it cuts through words, blanks and letters of several bytes."""
    written = [text.replace("\ud800", "?").encode("utf-8", "replace") for text in texts]
    for text, counter in zip(written, stretch_tokens(written), strict=True):
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, len(text)))
        assert counter.count(0, len(text)) == count_tokens(text.decode())
        assert counter.count(start, end) == count_tokens(text[start:end].decode("utf-8", "replace"))


@given(st.lists(some_text, max_size=5))
def test_the_words_of_texts_are_those_of_their_chunks(texts: list[str]) -> None:
    for text in texts:
        assert [word for chunk in cut(text) for word in words(chunk)] == words(text)


@pytest.mark.holds("graph.speed.hostile-openers")
@pytest.mark.parametrize("width", [6, 12, 24, 48])
def test_a_megabyte_of_different_words_is_numbered_in_a_second(width: int) -> None:
    text = " ".join(str(number).zfill(width) for number in range(1_000_000 // (width + 1))).encode()
    found, numbers = within(1, lambda: number_words(text, *word_spans(text)))
    assert len(found) == len(numbers) == 1_000_000 // (width + 1)
    assert [found[number] for number in numbers.tolist()] == text.split()


def test_words_that_crowd_one_another_are_still_told_apart() -> None:
    """So many different words share their places in the table that some are numbered the slow way."""
    text = b" ".join(b"%x" % (number * 0x1_0000_0001) for number in range(400_000))
    found, numbers = number_words(text, *word_spans(text))
    assert [found[number] for number in numbers.tolist()] == text.split()
    assert len(set(found)) == len(found) == 400_000
