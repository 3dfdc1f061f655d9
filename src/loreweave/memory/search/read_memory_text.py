"""What search keeps of a memory's text: its words in order, how they are written, and vectors."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from loreweave.errors import Unavailable
from loreweave.language.folding import fold
from loreweave.language.stop_words import STOP_WORDS
from loreweave.language.telling_words import NAME, WHOLE, may_open_sentence
from loreweave.language.terms import words

if TYPE_CHECKING:
    import numpy

    from loreweave.seams.embedding.embedder import Embedder

READER = "memory-words-2"
_MEMO_SIZE, _MEMO_LENGTH = 100_000, 64
_LONGEST_WHOLE = 120
_OPENING = "\"'([{<*_~“‘«`"
_CLOSING = ".,;:!?\"')]}>*_~…”’»`"
_ENDS_SENTENCE = re.compile(r"[.!?:…][\"')\]}”’»]*$")
_SIGNS = re.compile(r"[_@#$%&+/\\=<>|^€£§°~]|[.:](?=[^\WA-Z])|^[-−](?=\d)|\d[-,.:'’](?=\d)|[^\W\d_]-(?=\d)")


@dataclass(frozen=True, slots=True)
class TextReading:
    """`reader` names what made it; one of another reader is made anew.

    Words are joined by blanks: those of the content, and on a second line those of name and tags.
    Vectors are a row a piece, after the length of a row.
    """

    reader: str
    words: bytes
    vectors: bytes

    def tokens(self) -> tuple[list[str], list[str]]:
        """Words of the content and of name and tags, with their marks."""
        content, _, other = self.words.decode("utf-8").partition("\n")
        return content.split(), other.split()


def reader_identity(embedder: Embedder | None) -> str:
    return f"{READER}+{embedder.identity if embedder else 'none'}"


def read_text(name: str, tags: Iterable[str], content: str, embedder: Embedder | None) -> TextReading:
    return read_texts([(name, tags, content)], embedder)[0]


def content_words(content: str) -> list[str]:
    """The words of a content with their marks."""
    return _marked_words(content)


def read_texts(texts: Sequence[tuple[str, Iterable[str], str]], embedder: Embedder | None) -> list[TextReading]:
    """Readings of (name, tags, content). Where a remote embedder is away, of the words alone, to be made anew."""
    vectors = [b""] * len(texts)
    if embedder is not None:
        try:
            vectors = _vectors([_embedded(name, content) for name, _, content in texts], embedder)
        except Unavailable:
            embedder = None
    reader = reader_identity(embedder)
    return [
        TextReading(reader, _words(name, tags, content), vector)
        for (name, tags, content), vector in zip(texts, vectors, strict=True)
    ]


def split_vectors(stored: bytes) -> tuple[int, bytes]:
    """(length of a row, rows)."""
    return int.from_bytes(stored[:4], "little"), stored[4:]


def _words(name: str, tags: Iterable[str], content: str) -> bytes:
    other = [] if _opens_with(content, name) else words(name)
    other += [word for tag in sorted(tags) for word in words(tag)]
    return f"{' '.join(_marked_words(content))}\n{' '.join(other)}".encode()


def _opens_with(content: str, name: str) -> bool:
    """A name that is the beginning of the content says nothing more."""
    return " ".join(content.split())[: len(name) + 8].startswith(" ".join(name.split()))


def _embedded(name: str, content: str) -> str:
    return content if _opens_with(content, name) else f"{name}\n{content}"


def _vectors(texts: list[str], embedder: Embedder) -> list[bytes]:
    from loreweave.seams.embedding.stored_vectors import quantize

    rows, offsets = embedder.embed_pieces(texts)
    size = _row_length(rows)
    return [size + quantize(rows[first:last]) if last > first else b"" for first, last in pairwise(offsets.tolist())]


def _row_length(rows: numpy.ndarray) -> bytes:
    return int(rows.shape[1]).to_bytes(4, "little")


def _marked_words(text: str) -> list[str]:
    found: list[str] = []
    opens = True
    for chunk in text.split():
        marked = _CHUNKS[chunk]
        if opens and marked and marked[0][0] == NAME and may_open_sentence(marked[0][1:]):
            found.append(marked[0][1:])
            found += marked[1:]
        else:
            found += marked
        opens = _ENDS_SENTENCE.search(chunk[-4:]) is not None if marked else opens
    return found


class _ChunkMemory(dict[str, tuple[str, ...]]):
    """Chunk → its marked words; most texts repeat most of their chunks."""

    def __missing__(self, chunk: str) -> tuple[str, ...]:
        marked = tuple(_read_chunk(chunk))
        if len(chunk) <= _MEMO_LENGTH:
            if len(self) >= _MEMO_SIZE:
                self.clear()
            self[chunk] = marked
        return marked


def _read_chunk(chunk: str) -> list[str]:
    """The words of a run without blanks, marked where written as names, and the run itself where signs matter."""
    inner = words(chunk)
    core = chunk.strip().lstrip(_OPENING).rstrip(_CLOSING)
    if len(inner) > 0 and core[:1].isupper() and inner[0] not in STOP_WORDS:
        inner[0] = NAME + inner[0]
    elif any(character.isupper() for character in core[1:]):  # camelCase, initials, names behind a hyphen
        inner = [word if word in STOP_WORDS else NAME + word for word in inner]
    if core and len(core) <= _LONGEST_WHOLE and _SIGNS.search(core):
        inner.append(WHOLE + "".join(fold(core).split()))
    return inner


_CHUNKS = _ChunkMemory()
