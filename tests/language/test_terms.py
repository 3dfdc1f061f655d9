"""What counts as a word and as a term."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.pace import within

from loreweave.language.edits import within_one_edit
from loreweave.language.terms import MAX_WORD, stem, terms, words


@pytest.mark.holds("graph.terms.normalised")
def test_words_are_compatibility_composed_and_casefolded() -> None:
    assert words("ＡＢＣ ﬁle STRASSE Straße Cafe\u0301") == ["abc", "file", "strasse", "strasse", "café"]


@pytest.mark.holds("graph.terms.normalised")
def test_terms_are_english_stems() -> None:
    assert terms("Regulating emotions regulated emotional") == ["regul", "emot", "regul", "emot"]


def test_marks_part_words_and_apostrophes_inside_a_word_do_not() -> None:
    assert words("self-care, x_y; 'quoted' ''twice'' don't O’Brien’s") == [
        *("self", "care", "x", "y", "quoted", "twice"),
        *("don't", "o'brien's"),
    ]


def test_a_possessive_has_the_term_of_its_owner() -> None:
    assert terms("client's") == terms("client")


def test_marks_of_other_scripts_stay_in_their_words() -> None:
    assert words("हिन्दी में") == ["हिन्दी", "में"]


@pytest.mark.holds("graph.terms.cjk")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("東京都", ["東京", "京都"]),
        ("猫", ["猫"]),
        ("CBT療法の本", ["cbt", "療法", "法の", "の本"]),
        ("안녕하세요", ["안녕", "녕하", "하세", "세요"]),
        ("葛\U000e0100城市", ["葛城", "城市"]),
    ],
)
def test_scripts_without_blanks_are_read_as_pairs_of_neighbours(text: str, expected: list[str]) -> None:
    assert words(text) == expected


@pytest.mark.holds("graph.terms.stop-words")
def test_a_query_loses_its_stop_words() -> None:
    assert terms("How should I approach a client?") == ["approach", "client"]


@pytest.mark.holds("graph.terms.stop-words")
def test_a_query_of_stop_words_alone_keeps_them() -> None:
    assert terms("The who, what") == ["the", "who", "what"]


def test_very_long_words_are_told_apart_by_their_beginning() -> None:
    assert words("x" * 1000) == ["x" * MAX_WORD]
    assert words("y " + "x" * 100 + " " + "x" * 200) == ["y", "x" * MAX_WORD, "x" * MAX_WORD]


@given(st.text(alphabet=st.characters(max_codepoint=127)))
def test_the_quick_way_for_plain_text_equals_the_thorough_one(text: str) -> None:
    assert words(text) == words(text + " é")[:-1]


@given(st.text())
def test_words_hold_no_blank_and_have_a_stem(text: str) -> None:
    assert all(word and stem(word) and not any(mark.isspace() for mark in word) for word in words(text))


@pytest.mark.lengthy(3)
@pytest.mark.parametrize("opener", ["'", "a'", "é'", "字", "\u0301", "字\u0301", "’"])
def test_a_megabyte_of_anything_is_read_in_a_second(opener: str) -> None:
    text = opener * (1_000_000 // len(opener.encode()))
    within(1, lambda: words(text))


@given(st.text(alphabet="abc", max_size=6), st.text(alphabet="abc", max_size=6))
def test_one_edit_is_an_insertion_removal_replacement_or_swap(one: str, other: str) -> None:
    assert within_one_edit(one, other) == (other in _one_edit_from(one))


def _one_edit_from(word: str) -> set[str]:
    cuts = [(word[:place], word[place:]) for place in range(len(word) + 1)]
    return {
        word,
        *(head + letter + tail for head, tail in cuts for letter in "abc"),
        *(head + tail[1:] for head, tail in cuts if tail),
        *(head + letter + tail[1:] for head, tail in cuts if tail for letter in "abc"),
        *(head + tail[1] + tail[0] + tail[2:] for head, tail in cuts if len(tail) > 1),
    }
