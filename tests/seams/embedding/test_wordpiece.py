import json
from pathlib import Path

import pytest
from tests.pace import within

from loreweave.seams.embedding.static_embedder import MODEL_FOLDER
from loreweave.seams.embedding.wordpiece import read_word, split_words

CASES = json.loads((Path(__file__).parent / "wordpiece_cases.json").read_text(encoding="utf-8"))
VOCABULARY = frozenset((MODEL_FOLDER / "vocabulary.txt").read_text(encoding="utf-8").split("\n"))


@pytest.mark.parametrize("case", CASES, ids=[ascii(case["text"])[:30] for case in CASES])
def test_tokens_equal_those_of_the_reference_tokenizer(case: dict) -> None:
    assert [token for word in split_words(case["text"]) for token in read_word(word, VOCABULARY)] == case["tokens"]


def test_a_cjk_character_is_a_word_and_kana_stay_together() -> None:
    assert split_words("hello世界 かな") == ["hello", "世", "界", "かな"]


@pytest.mark.lengthy(3)
@pytest.mark.parametrize("unit", ["a", "世", "é", "\u0301", "[", "é.", "\x0c", "x ", "ab\u200b", "😀"])
def test_a_megabyte_of_anything_is_read_in_under_a_second(unit: str) -> None:
    text = unit * (1_000_000 // len(unit))
    words = within(1, lambda: split_words(text))
    assert len(words) <= 1_000_000
