"""A small embedder that anyone can check by hand: the letters of a text, counted and brought to length 1."""

from array import array
from collections.abc import Sequence

import numpy

from loreweave.errors import Unavailable
from loreweave.knowledge.graph.view_values import VectorBlock
from loreweave.seams.embedding.stored_vectors import quantize


class LetterEmbedder:
    """Vectors of 26 dimensions; texts that share letters are near."""

    identity = "letters:1"
    dimensions = 26

    def embed(self, texts: Sequence[str]) -> numpy.ndarray:
        rows = numpy.zeros((len(texts), self.dimensions), dtype=numpy.float32)
        for place, text in enumerate(texts):
            for letter in text.lower():
                if "a" <= letter <= "z":
                    rows[place, ord(letter) - ord("a")] += 1
        lengths = numpy.linalg.norm(rows, axis=1, keepdims=True)
        return rows / numpy.where(lengths == 0, 1, lengths)

    def embed_pieces(self, texts: Sequence[str]) -> tuple[numpy.ndarray, numpy.ndarray]:
        """One piece a text; an empty text has none."""
        filled = [text for text in texts if text]
        offsets = numpy.cumsum([0, *(1 if text else 0 for text in texts)])
        return self.embed(filled), offsets


class AbsentEmbedder(LetterEmbedder):
    """The same, but away: as a remote one whose network is down."""

    def embed(self, texts: Sequence[str]) -> numpy.ndarray:
        raise Unavailable("The embedder does not answer.")


def letter_block(pieces: Sequence[Sequence[str]]) -> VectorBlock:
    """The stored vectors of notes with keys 1, 2, … and these pieces."""
    start = array("q", [0])
    for some in pieces:
        start.append(start[-1] + len(some))
    rows = LetterEmbedder().embed([piece for some in pieces for piece in some])
    keys = array("q", range(1, len(pieces) + 1))
    return VectorBlock(keys, array("q", [1] * len(pieces)), start, quantize(rows))
