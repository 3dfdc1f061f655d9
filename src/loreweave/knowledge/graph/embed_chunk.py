"""Vectors for the notes of one chunk."""

from array import array
from collections.abc import Sequence

from loreweave.entities.graph_rows import VectorRow
from loreweave.seams.embedding.embedder import Embedder


def embed_chunk(embedder: Embedder | None, segment_key: int, texts: Sequence[str]) -> VectorRow | None:
    """One vector for each piece of each text; None without an embedder."""
    if embedder is None or not texts:
        return None
    from loreweave.seams.embedding.pieces import cut_pieces, quantize

    starts, pieces = array("q", [0]), []
    for text in texts:
        pieces += cut_pieces(text)
        starts.append(len(pieces))
    return VectorRow(segment_key, embedder.identity, starts, quantize(embedder.embed(pieces)))
