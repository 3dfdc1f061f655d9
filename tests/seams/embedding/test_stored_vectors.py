import numpy
import pytest
from tests.best_cosines import best_cosines

from loreweave.seams.embedding.static_embedder import StaticEmbedder
from loreweave.seams.embedding.stored_vectors import SCALE, as_rows, quantize

TEXTS = [
    "Breathing slowly calms the body during a panic attack.",
    "A thought record writes down the situation, the thought and the feeling.",
    "Exposure works when the feared thing is met in small steps.",
    "The garden needs water twice a week in summer.",
    "Install the package and start the server on a free port.",
    "Motivation follows action: plan one small pleasant activity.",
    "The therapist listens, reflects and does not hurry to solve.",
    "Interest rates and inflation move the price of bonds.",
]
EMBEDDER = StaticEmbedder()


def test_stored_vectors_come_back_within_half_a_step() -> None:
    rows = EMBEDDER.embed(TEXTS)
    stored = quantize(rows)
    assert len(stored) == rows.size
    assert numpy.abs(as_rows(stored, 256) / SCALE - rows).max() <= 0.5 / 127 + 1e-6


@pytest.mark.parametrize("query", ["how do I calm down", "gardening", "cognitive therapy notes", "run the software"])
def test_int8_keeps_the_ranking(query: str) -> None:
    rows = EMBEDDER.embed(TEXTS)
    question = EMBEDDER.embed([query])[0]
    offsets = numpy.arange(len(TEXTS) + 1)
    exact = best_cosines(question, rows, offsets)
    stored = best_cosines(question, as_rows(quantize(rows), 256), offsets)
    assert numpy.abs(exact - stored).max() < 0.01
    assert exact.argmax() == stored.argmax()
    assert set(numpy.argsort(-exact)[:3]) == set(numpy.argsort(-stored)[:3])


def test_the_best_piece_counts_and_a_text_without_pieces_has_zero() -> None:
    rows, offsets = EMBEDDER.embed_pieces(["", "garden " * 60 + "panic attack", "", "bonds", ""])
    best = best_cosines(EMBEDDER.embed(["panic attack"])[0], rows, offsets)
    assert best[1] == pytest.approx(1, abs=1e-6)
    assert best[[0, 2, 4]].tolist() == [0, 0, 0]
    assert best[3] < 0.5


def test_nothing_stored_gives_zero_for_every_text() -> None:
    empty = numpy.zeros((0, 256), dtype=numpy.int8)
    assert best_cosines(EMBEDDER.embed(["x"])[0], empty, numpy.array([0, 0, 0])).tolist() == [0, 0]
