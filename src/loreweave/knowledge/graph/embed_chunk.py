"""Vectors for the notes of one chunk."""

from array import array
from collections.abc import Sequence

from loreweave.entities.graph_rows import VectorRow
from loreweave.seams.embedding.embedder import Embedder


def embed_chunk(embedder: Embedder | None, segment_key: int, texts: Sequence[str]) -> VectorRow | None:
    """Vectors for the pieces of each text; None without an embedder."""
    if embedder is None or not texts:
        return None
    from loreweave.seams.embedding.stored_vectors import quantize

    rows, offsets = embedder.embed_pieces(texts)
    return VectorRow(segment_key, embedder.identity, array("q", offsets.tolist()), quantize(rows))
