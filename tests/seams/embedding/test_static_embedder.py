import hashlib
import json
import subprocess
import sys

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.examples import examples
from tests.pace import PART, within

from loreweave.seams.embedding.static_embedder import MODEL_FOLDER, StaticEmbedder
from loreweave.seams.embedding.wordpiece import MOST_PIECES, WORDS_PER_PIECE, pieces, read_word, split_words

EMBEDDER = StaticEmbedder()


@pytest.mark.holds("house.embedding.static-default", "house.embedding.identity")
def test_the_identity_is_a_digest_of_the_shipped_files() -> None:
    weights = (MODEL_FOLDER / "weights.int8").read_bytes()
    vocabulary = (MODEL_FOLDER / "vocabulary.txt").read_bytes()
    digest = hashlib.sha256(weights + b"\0" + vocabulary).hexdigest()[:12]
    assert EMBEDDER.identity == f"static-minilm-256-{digest}"
    assert EMBEDDER.dimensions == 256
    assert len(weights) == 256 * (vocabulary.count(b"\n") + 1)
    assert len(weights) < 8_000_000


def test_the_model_card_names_source_and_licence() -> None:
    card = json.loads((MODEL_FOLDER / "model.json").read_text(encoding="utf-8"))
    assert "all-MiniLM-L6-v2" in card["source"]
    assert "Apache-2.0" in card["licence"]


def test_rows_are_float32_of_length_one_and_zero_without_a_known_token() -> None:
    rows = EMBEDDER.embed(["breathing slowly", "", "…", "the of and", "😀"])
    assert rows.dtype == numpy.float32
    assert rows.shape == (5, 256)
    assert numpy.linalg.norm(rows[0]) == pytest.approx(1, abs=1e-6)
    assert not rows[1:].any()


def test_no_texts_give_no_rows() -> None:
    assert EMBEDDER.embed([]).shape == (0, 256)
    rows, offsets = EMBEDDER.embed_pieces([])
    assert rows.shape == (0, 256)
    assert offsets.tolist() == [0]


def test_a_row_is_the_sum_of_its_tokens_rows() -> None:
    text = "Electroencephalographically, naïve cafés: 世界 snake_case!"
    tokens = (MODEL_FOLDER / "vocabulary.txt").read_text(encoding="utf-8").split("\n")
    table = numpy.fromfile(MODEL_FOLDER / "weights.int8", dtype=numpy.int8).reshape(-1, 256).astype(numpy.float64)
    total = sum(
        table[tokens.index(token)] for word in split_words(text) for token in read_word(word, frozenset(tokens))
    )
    assert numpy.array_equal(
        EMBEDDER.embed([text])[0], (total / numpy.sqrt((total * total).sum())).astype(numpy.float32)
    )


def test_ascii_marks_carry_no_weight() -> None:
    assert not EMBEDDER.embed(list("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")).any()


@settings(max_examples=examples(50), deadline=None)
@given(st.lists(st.text(max_size=60), max_size=6), st.randoms(use_true_random=False))
def test_a_vector_does_not_depend_on_its_company(texts: list[str], random) -> None:
    shuffled = list(texts)
    random.shuffle(shuffled)
    together = EMBEDDER.embed(shuffled)
    for row, text in zip(together, shuffled, strict=True):
        assert numpy.array_equal(row, StaticEmbedder.embed(EMBEDDER, [text])[0])


def test_vectors_are_equal_in_another_process_with_another_hash_seed() -> None:
    program = (
        "from loreweave.seams.embedding.static_embedder import StaticEmbedder as S; import hashlib;"
        "print(hashlib.sha256(S().embed(['worry postponement', 'x ' * 999]).tobytes()).hexdigest())"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    here = EMBEDDER.embed(["worry postponement", "x " * 999]).tobytes()
    assert found == {hashlib.sha256(here).hexdigest() + "\n"}


def test_related_words_are_nearer_than_strangers() -> None:
    near = [("doctor", "physician"), ("anxiety", "worry"), ("car", "automobile"), ("buy", "purchase")]
    first = EMBEDDER.embed([pair[0] for pair in near])
    second = EMBEDDER.embed([pair[1] for pair in near])
    cosines = first @ second.T
    for index in range(len(near)):
        strangers = numpy.delete(cosines[index], index)
        assert cosines[index, index] > strangers.max() + 0.1


def test_pieces_have_sixty_words_and_a_short_last_one_is_kept() -> None:
    words = [f"w{index}" for index in range(130)]
    cut = pieces(" ".join(words))
    assert [len(piece.split()) for piece in cut] == [60, 60, 10]
    assert " ".join(cut).split() == words
    assert pieces(" \n ") == []


def test_a_very_long_text_has_longer_pieces_and_loses_no_word() -> None:
    cut = pieces("word " * (WORDS_PER_PIECE * MOST_PIECES * 3))
    assert len(cut) == MOST_PIECES
    assert sum(len(piece.split()) for piece in cut) == WORDS_PER_PIECE * MOST_PIECES * 3


def test_cjk_text_without_blanks_is_cut_too() -> None:
    assert len(pieces("世界" * 100)) == 4


def test_rows_of_pieces_equal_the_pieces_embedded_one_by_one() -> None:
    texts = ["alpha beta " * 100, "", "世界 mindful breathing, " * 90, "one"]
    rows, offsets = EMBEDDER.embed_pieces(texts)
    for index, text in enumerate(texts):
        expected = EMBEDDER.embed(pieces(text))
        assert numpy.array_equal(rows[offsets[index] : offsets[index + 1]], expected)
    assert offsets[-1] == len(rows)


def test_a_long_text_sums_exactly_as_a_short_one() -> None:
    short, long = EMBEDDER.embed(["calm breathing", "calm breathing " * 5000])
    assert numpy.array_equal(short, long)


@pytest.mark.lengthy(3)
@pytest.mark.parametrize("unit", ["a", "世", "é.", "[[", "word ", "😀", "ab1-", "\u0301"])
def test_a_megabyte_of_anything_is_embedded_in_under_two_seconds(unit: str) -> None:
    text = unit * (1_000_000 // PART // len(unit))
    rows, _ = within(1 / PART, lambda: EMBEDDER.embed_pieces([text]))
    within(1 / PART, lambda: EMBEDDER.embed([text]))
    assert len(rows) <= MOST_PIECES
