"""What every embedder promises. Free of numpy: a cold command may import this room without paying for it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    import numpy

    from loreweave.language.numbered_texts import NumberedTexts


class Embedder(Protocol):
    """Texts to vectors. Equal text, equal vector, whatever else was embedded before or beside it."""

    @property
    def identity(self) -> str:
        """Key to store beside vectors; it changes whenever the vectors would."""

    def floor(self, texts: int) -> float:
        """The cosine that the nearest of so many texts must have to a question that it may answer."""

    @property
    def dimensions(self) -> int:
        """Length of a vector; for a remote model this may ask the provider once."""

    def embed(self, texts: Sequence[str]) -> numpy.ndarray:
        """One row a text: float32, (n, dimensions), of length 1, or zero for a text without known tokens."""

    def embed_pieces(self, texts: Sequence[str]) -> tuple[numpy.ndarray, numpy.ndarray]:
        """Rows for the pieces of each text (see `pieces`), and int64 offsets of length n + 1 into them:
        the pieces of text i are `rows[offsets[i]:offsets[i + 1]]`. An empty text has none."""


@runtime_checkable
class LocalEmbedder(Embedder, Protocol):
    """Makes its vectors from shipped files alone, so that any process may make them."""

    def embed_numbered(
        self, numbered: NumberedTexts, ranges: Iterable[tuple[int, int]]
    ) -> tuple[numpy.ndarray, numpy.ndarray]:
        """`embed_pieces` for texts that are ranges of places in numbered texts."""


def is_local(embedder: Embedder) -> bool:
    """Whether it is one of those; asked without asking a remote one for anything."""
    return hasattr(embedder, "embed_numbered")
