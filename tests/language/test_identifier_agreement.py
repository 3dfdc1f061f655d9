"""The quick reading of chunks gives what the plain one gives, token by token and place by place."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as some
from tests.examples import DEEP
from tests.language.plain_identifiers import read_plainly

from loreweave.language.identifiers import LONGEST_WHOLE, read_chunk, read_mentions

LETTERS = "aAbBzZ019_-.:/'@$~<>+#(),!?`\"*[]{}|=&\\%^é数カ\u0301\u2019Ωß\x01"
PARTS = [
    *("install", "Install", "API", "APIs", "maxRetries", "OAuth2", "don't", "rock'n'roll", "HEV_TOKEN", "v2", "2", "I"),
    *("café", "使用", "C++", "c#", "word" * 20, "A" * 70, "a." * 70, "b-" * LONGEST_WHOLE, "x" * 4100),
]
MARKS = [
    "",
    "(",
    ")",
    "`",
    "**",
    '"',
    ".",
    ",",
    "--",
    "-",
    "@",
    "$",
    "/",
    "./",
    "<",
    "</",
    ">",
    "+",
    "#",
    "'",
    "…",
    "(" * 9,
]


def assert_agreement(chunk: str) -> None:
    expected = read_plainly(chunk)
    assert read_chunk(chunk) == expected
    assert read_mentions(chunk) == tuple(mention for token in expected for mention in token.mentions)


@given(some.text(alphabet=LETTERS, min_size=1, max_size=12))
def test_any_run_of_signs_is_read_alike(chunk: str) -> None:
    assert_agreement(chunk)


@given(some.text(min_size=1, max_size=20))
def test_any_text_is_read_alike(chunk: str) -> None:
    assert_agreement(chunk)


@pytest.mark.lengthy(7)
@pytest.mark.parametrize("part", PARTS, ids=lambda part: part[:12])
def test_words_and_names_are_read_alike_whatever_stands_around_them(part: str) -> None:
    random = Random(part)
    for opening in MARKS:
        for closing in MARKS if DEEP else random.sample(MARKS, len(MARKS) // 3):
            assert_agreement(opening + part + closing)
            assert_agreement(opening + part + closing + random.choice(PARTS) + random.choice(MARKS))
