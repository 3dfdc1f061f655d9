"""What search reads of a memory's text: its words in order, how they are written, its passages, and their vectors."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

from loreweave.entities.digest import SearchedPassage, SearchedSection
from loreweave.errors import Unavailable
from loreweave.index.nearness import embed_texts, embedded_text
from loreweave.index.read_chunks import MENTIONS
from loreweave.language.identifiers import HEADED
from loreweave.language.slug import fold
from loreweave.language.stop_words import STOP_WORDS
from loreweave.language.telling_words import NAME, WHOLE, may_open_sentence
from loreweave.language.terms import words
from loreweave.seams.embedding.embedder import Embedder
from loreweave.seams.embedding.wordpiece import piece_length

READER = "memory-passages-1"
_LEAST_BEHIND_NAME = 10  # words of a content that stand in one passage with its name
_MEMO_SIZE, _MEMO_LENGTH = 100_000, 64
_LONGEST_WHOLE = 120
_OPENING = "\"'([{<*_~“‘«`"
_CLOSING = ".,;:!?\"')]}>*_~…”’»`"
_ENDS_SENTENCE = re.compile(r"[.!?:…][\"')\]}”’»]*$")
_SIGNS = re.compile(r"[_@#$%&+/\\=<>|^€£§°~]|[.:](?=[^\WA-Z])|^[-−](?=\d)|\d[-,.:'’](?=\d)|[^\W\d_]-(?=\d)")


@dataclass(frozen=True)
class TextReading:
    """`reader` names what made the vectors, a row a passage; those of another reader are made anew."""

    name: str
    tags: tuple[str, ...]
    content: str
    reader: str = READER
    vectors: bytes = b""

    @cached_property
    def words(self) -> list[str]:
        return content_words(self.content)

    @cached_property
    def rows(self) -> list[SearchedPassage]:
        """Name and tags stand over the first passage alone: a memory has them once."""
        name = "" if _opens_with(self.content, self.name) else self.name
        chunks = self.content.split()
        length = piece_length(len(chunks))
        first = max(_LEAST_BEHIND_NAME, length - len(name.split()))
        cuts = [0, *range(first, len(chunks), length), len(chunks)]
        head = SearchedSection("", "", name, "", self.tags, (), "", "")
        return [
            SearchedPassage(head if not number else _REST, number, " ".join(chunks[start : cuts[number + 1]]))
            for number, start in enumerate(cuts[:-1])
        ]


_REST = SearchedSection("", "", "", "", (), (), "", "")


def reader_identity(embedder: Embedder | None) -> str:
    return f"{READER}+{embedder.identity if embedder else 'none'}"


def read_text(name: str, tags: Iterable[str], content: str, embedder: Embedder | None) -> TextReading:
    return read_texts([(name, tags, content)], embedder)[0]


def read_texts(texts: Sequence[tuple[str, Iterable[str], str]], embedder: Embedder | None) -> list[TextReading]:
    """Readings of (name, tags, content). Where a remote embedder is away, of the words alone, to be made anew."""
    readings = [TextReading(name, tuple(tags), content, reader_identity(None)) for name, tags, content in texts]
    if embedder is None:
        return readings
    try:
        vectors = embed_texts([embedded_text(row) for reading in readings for row in reading.rows], embedder)
    except Unavailable:
        return readings
    found, reader, first = [], reader_identity(embedder), 0
    for reading in readings:
        own = vectors[first : first + len(reading.rows)]
        found.append(TextReading(reading.name, reading.tags, reading.content, reader, own.tobytes()))
        first += len(reading.rows)
    return found


def _opens_with(content: str, name: str) -> bool:
    """A name that is the beginning of the content says nothing more."""
    return " ".join(content.split())[: len(name) + 8].startswith(" ".join(name.split()))


def key_of(word: str) -> str:
    """The key by which an index knows a word of `words`."""
    mentions = MENTIONS[word]
    return next((mention.key for mention in mentions if mention.key[0] != WHOLE), mentions[0].key if mentions else word)


def asked_keys(text: str) -> list[str]:
    """The keys that a text asks for in order, without stop words unless nothing else remains."""
    found: list[tuple[str, bool]] = []
    for chunk in text.split():
        mentions = MENTIONS[chunk]
        if mentions and all(mention.key[0] == WHOLE for mention in mentions):  # `C++`
            found.append((mentions[0].key, False))
        else:
            found += [(key_of(word), word in STOP_WORDS) for word in words(chunk)]
    return [key for key, is_stop in found if not is_stop] or [key for key, _ in found]


def is_plain(key: str) -> bool:
    """Whether a key is a word that says something."""
    return key[0] not in (WHOLE, HEADED) and key not in _stop_keys()


@cache
def _stop_keys() -> frozenset[str]:
    return frozenset(map(key_of, STOP_WORDS))


def content_words(content: str) -> list[str]:
    """The words of a content with their marks."""
    found: list[str] = []
    opens = True
    for marked, ends in map(_CHUNKS.__getitem__, content.split()):
        if marked:
            if opens and marked[0][0] == NAME and may_open_sentence(marked[0][1:]):
                found.append(marked[0][1:])
                found += marked[1:]
            else:
                found += marked
            opens = ends
    return found


class _ChunkWords(dict[str, tuple[tuple[str, ...], bool]]):
    """Chunk → its marked words, and whether it ends a sentence; most texts repeat most of their chunks."""

    def __missing__(self, chunk: str) -> tuple[tuple[str, ...], bool]:
        read = tuple(_read_chunk(chunk)), _ENDS_SENTENCE.search(chunk[-4:]) is not None
        if len(chunk) <= _MEMO_LENGTH:
            if len(self) >= _MEMO_SIZE:
                self.clear()
            self[chunk] = read
        return read


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


_CHUNKS = _ChunkWords()
