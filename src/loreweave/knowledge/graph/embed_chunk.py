"""Vectors for the notes of one chunk."""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from loreweave.seams.embedding.embedder import Embedder, LocalEmbedder

if TYPE_CHECKING:
    from loreweave.knowledge.graph.chunk_texts import ChunkTexts


@dataclass(frozen=True, slots=True)
class ChunkVectors:
    """The pieces of the notes of a chunk; those of note i begin at `starts[i]`."""

    starts: array
    vectors: bytes


def text_to_embed(name: str, description: str | None, body: str) -> str:
    return "\n\n".join(filter(None, (name, description, body)))


def embed_texts(embedder: Embedder, texts: Sequence[str]) -> ChunkVectors:
    """Vectors for the pieces of each text."""
    return _stored(*embedder.embed_pieces(texts))


def embed_chunk(embedder: LocalEmbedder, texts: "ChunkTexts") -> ChunkVectors:
    """The same for the notes of a chunk, whose texts are numbered already."""
    return _stored(*embedder.embed_numbered(texts.numbered, texts.embedded()))


def _stored(rows: Any, offsets: Any) -> ChunkVectors:
    from loreweave.seams.embedding.stored_vectors import quantize

    return ChunkVectors(array("q", offsets.tolist()), quantize(rows))
