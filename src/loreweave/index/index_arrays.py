"""The arrays an index is made of, and how they are written down: plain buffers behind a directory, so that a stored
index is read without being built, and without a copy."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, TypeVar
from zlib import crc32

import numpy

Array = numpy.ndarray
Arrays = TypeVar("Arrays")

CODES = 32  # a field, and whether parts of identifiers are meant: what an entry's count is multiplied by
COARSE = 128  # first numbers of a vector, by which all rows are looked through; models put what tells most there


def word_print(key: str) -> int:
    """How the sentences of links hold a word; never 0."""
    return crc32(key.encode("utf-8", "surrogatepass")) or 1


@dataclass(frozen=True)
class IndexArrays:
    """Rows are passages, in the order of their sections' ids; `given` says where each section stood among those given.

    Nothing here depends on how the rows came to be what they are: built at once or edit by edit, the arrays are
    the same.
    """

    given: Array  # int32, a section
    sections: Array  # int32, a row: number of its section
    pages: Array  # int32, a row: number of its page
    sizes: Array  # int32, a row: tokens of it as it is written
    prints: Array  # uint8, rows × 16: of everything that was read of it; none wide where rows are known otherwise
    keys: list[str]  # sorted
    key_starts: Array  # int64, keys + 1: the entries of key i
    entry_rows: Array  # int32, in order within a key
    entry_counts: Array  # uint32: mentions × CODES + twice the field + 1 for parts of identifiers
    holders: Array  # int32, a key: rows that mention it
    rarity: Array  # float32, a key
    lengths: Array  # int32, rows × fields: mentions
    words: list[str]  # sorted, as written but folded
    word_keys: Array  # int32, a word: its key
    word_counts: Array  # int32, a word: rows of its key
    row_words: Array  # int32, flat: different ones
    row_word_starts: Array  # int64, rows + 1
    heading_keys: Array  # int32, flat
    heading_starts: Array  # int64, rows + 1
    title_keys: Array  # int32, flat
    title_starts: Array  # int64, rows + 1
    opening: Array  # bool, a row: whether it opens its page
    passage_keys: Array  # int32, flat: keys of its text in order, as far as they are looked at
    passage_starts: Array  # int64, rows + 1
    link_words: Array  # uint32, flat: of each sentence in which a note links its words as prints, 0 behind them
    link_word_starts: Array  # int64, rows + 1: they stand with the row that opens the page
    texts: bytes  # UTF-8, flat
    text_starts: Array  # int64, rows + 1
    vectors: Array  # int8, rows × dimensions; none wide without an embedder
    mean: Array  # float32, dimensions: of the vectors as they are compared
    embedder: str  # identity, empty where there is none

    def text(self, row: int) -> str:
        first, last = self.text_starts[row : row + 2].tolist()
        return bytes(self.texts[first:last]).decode("utf-8")

    @cached_property
    def coarse(self) -> Array:
        """float32, rows × fewer dimensions."""
        return self.vectors[:, :COARSE].astype(numpy.float32)


_MAGIC = b"lore-passages-4\n"
_ALIGNED = 64


def dump(arrays: object) -> bytes:
    """Everything a search needs; the same index gives the same bytes."""
    directory: dict[str, list[object]] = {}
    parts: list[bytes] = []
    place = 0
    for entry in fields(arrays):  # type: ignore[arg-type]
        value = getattr(arrays, entry.name)
        if isinstance(value, numpy.ndarray):
            kind: list[object] = [value.dtype.str, list(value.shape)]
            data = numpy.ascontiguousarray(value).tobytes()
        elif isinstance(value, bytes | memoryview):
            kind, data = ["bytes", []], bytes(value)
        elif isinstance(value, str):
            kind, data = ["text", []], value.encode()
        else:
            kind, data = ["lines", []], "\n".join(value).encode("utf-8", "surrogatepass")
        directory[entry.name] = [place, len(data), *kind]
        padding = -len(data) % _ALIGNED
        parts += [data, bytes(padding)]
        place += len(data) + padding
    head = json.dumps(directory).encode()
    opening = _MAGIC + len(head).to_bytes(8, "little") + head
    return b"".join([opening, bytes(-len(opening) % _ALIGNED), *parts])


def load(data: bytes | memoryview, kind: type[Arrays] = IndexArrays) -> Arrays:  # type: ignore[assignment]
    """The arrays of `dump`. Raises ValueError for bytes of another version: the index is then to be built anew."""
    if bytes(data[: len(_MAGIC)]) != _MAGIC:
        raise ValueError("These bytes hold no index of this version")
    head_start = len(_MAGIC) + 8
    head_end = head_start + int.from_bytes(data[len(_MAGIC) : head_start], "little")
    directory = json.loads(bytes(data[head_start:head_end]))
    if directory.keys() != {entry.name for entry in fields(kind)}:  # type: ignore[arg-type]
        raise ValueError("These bytes hold an index of other arrays")
    base = head_end + -head_end % _ALIGNED
    return kind(**{name: _value(data, base, *entry) for name, entry in directory.items()})


def _value(data: bytes | memoryview, base: int, place: int, size: int, kind: str, shape: list[int]) -> Any:
    start = base + place
    if kind in ("text", "lines"):
        text = bytes(data[start : start + size]).decode("utf-8", "surrogatepass")
        return text if kind == "text" else text.split("\n") if size else []
    if kind == "bytes":
        return data[start : start + size]
    dtype = numpy.dtype(kind)
    count = size // dtype.itemsize
    return numpy.frombuffer(data, dtype=dtype, count=count, offset=start).reshape(shape)
