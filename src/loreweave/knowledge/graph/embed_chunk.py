"""Vectors for the notes of one chunk."""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass

from loreweave.seams.embedding.embedder import Embedder


@dataclass(frozen=True, slots=True)
class ChunkVectors:
    """The pieces of the notes of a chunk; those of note i begin at `starts[i]`."""

    starts: array
    vectors: bytes


def text_to_embed(name: str, description: str | None, body: str) -> str:
    return "\n\n".join(filter(None, (name, description, body)))


def embed_chunk(embedder: Embedder | None, texts: Sequence[str]) -> ChunkVectors | None:
    """Vectors for the pieces of each text; None without an embedder or a text."""
    if embedder is None or not texts:
        return None
    from loreweave.seams.embedding.stored_vectors import quantize

    rows, offsets = embedder.embed_pieces(texts)
    return ChunkVectors(array("q", offsets.tolist()), quantize(rows))
