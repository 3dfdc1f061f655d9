"""Questions by a transformer, passages by a table: their vectors meet."""

import pickle

import numpy
import pytest

from loreweave.seams.embedding.open_embedder import open_embedder

TOWER = open_embedder("two-tower")
QUESTIONS = {
    "when do we ship releases": (0.0, -0.0379, 0.0973, 0.0481, -0.0148, -0.0466, 0.1026, -0.0816),
    "how do I drain a node safely?": (0.0192, -0.0183, 0.0101, -0.018, 0.0434, -0.006, -0.0369, 0.0054),
    "na\u00efve caf\u00e9 r\u00e9sum\u00e9": (0.001, 0.0607, 0.0866, -0.005, -0.0484, 0.0004, 0.0233, 0.0187),
    "--eviction-hard": (0.0927, -0.1156, -0.0276, 0.0327, 0.0054, 0.0711, -0.0308, -0.0649),
}


@pytest.mark.holds("memory.search.two-tower")
@pytest.mark.parametrize("question", QUESTIONS)
def test_a_question_is_read_as_by_the_model_it_was_made_of(question: str) -> None:
    assert TOWER is not None
    assert numpy.allclose(TOWER.embed([question])[0][:8], QUESTIONS[question], atol=0.002)


@pytest.mark.holds("memory.search.two-tower")
def test_a_question_meets_the_passage_that_answers_it() -> None:
    assert TOWER is not None
    rows, offsets = TOWER.embed_pieces(["Deploys go out on Tuesdays.", "kubectl drain evicts all pods from a node."])
    assert offsets.tolist() == [0, 1, 2]
    near = rows @ TOWER.embed(["when do we ship releases"])[0]
    assert 0.25 < near[0] < 0.29
    assert near[1] < 0.1


@pytest.mark.holds("memory.search.two-tower")
def test_a_blank_question_and_a_very_long_one_are_read() -> None:
    assert TOWER is not None
    assert not TOWER.embed([" "]).any()
    assert numpy.isclose(numpy.linalg.norm(TOWER.embed(["word " * 10_000])[0]), 1.0, atol=1e-5)
    assert TOWER.embed([]).shape == (0, 256)


@pytest.mark.holds("memory.search.two-tower")
def test_another_process_opens_the_same_embedder() -> None:
    assert TOWER is not None
    other = pickle.loads(pickle.dumps(TOWER))
    assert numpy.array_equal(other.embed(["how do I drain a node?"]), TOWER.embed(["how do I drain a node?"]))
    assert numpy.array_equal(other.embed_pieces(["Drain it."])[0], TOWER.embed_pieces(["Drain it."])[0])
