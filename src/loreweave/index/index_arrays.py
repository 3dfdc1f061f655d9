"""The arrays an index is made of, and how they are written down: plain buffers behind a directory, so that a stored
index is read without being built, and without a copy."""

from __future__ import annotations

import json
import math
import mmap
from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import cached_property, reduce
from io import BytesIO
from typing import Any, BinaryIO, TypeVar
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
    texts: Array  # uint8, flat: UTF-8
    text_starts: Array  # int64, rows + 1
    vectors: Array  # int8, rows × dimensions; none wide without an embedder
    mean: Array  # float32, dimensions: of the vectors as they are compared
    embedder: str  # identity, empty where there is none

    def text(self, row: int) -> str:
        first, last = self.text_starts[row : row + 2].tolist()
        return self.texts[first:last].tobytes().decode("utf-8")

    @cached_property
    def first_rows(self) -> Array:
        """Of each page, and behind the last; int32 as rows are: others, looked up among rows, convert them all."""
        count = int(self.pages[-1]) + 1 if len(self.pages) else 0
        return numpy.searchsorted(self.pages, numpy.arange(count + 1)).astype(numpy.int32)

    @cached_property
    def coarse(self) -> Array:
        """float32, rows × fewer dimensions."""
        return self.vectors[:, :COARSE].astype(numpy.float32)


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows of any length, one after the other."""

    flat: Array
    starts: Array  # int64, rows + 1

    def of(self, chosen: Array) -> tuple[Array, Array]:
        """What the chosen rows hold, and which of them each value belongs to."""
        counts = self.starts[chosen + 1] - self.starts[chosen]
        return self.flat[rows_of(self, chosen)], numpy.repeat(numpy.arange(len(chosen)), counts)


def starts_of(lengths: Array) -> Array:
    starts = numpy.zeros(len(lengths) + 1, dtype=numpy.int64)
    numpy.cumsum(lengths, out=starts[1:])
    return starts


def begins_of(values: Array) -> Array:
    """Where each run of equal values begins."""
    is_first = numpy.ones(len(values), dtype=bool)
    numpy.not_equal(values[1:], values[:-1], out=is_first[1:])
    return numpy.flatnonzero(is_first)


def rows_of(taken: Rows, chosen: Array) -> Array:
    """Places in `flat` of the chosen rows, one after the other."""
    first = taken.starts[chosen]
    counts = taken.starts[chosen + 1] - first
    ends = numpy.cumsum(counts)
    total = int(ends[-1]) if len(ends) else 0
    places: Array = numpy.arange(total) + numpy.repeat(first - (ends - counts), counts)
    return places


_MAGIC = b"lore-passages-5\n"
_ALIGNED, _PIECE, _SUM = 64, 1024 * 1024, 4  # bytes: arrays begin at multiples; summed at once; of the sum


class ArrayWriter:
    """Writes arrays piece by piece to where a file stands: several may be under way, so that no array has to be whole
    in memory. The directory comes last."""

    def __init__(self, file: BinaryIO, release: Callable[[], None] = lambda: None) -> None:
        """`release` lets go of what was read for the arrays before."""
        self._file, self._base, self._release = file, file.tell(), release
        self._directory: dict[str, list[object]] = {}
        self._filled: dict[str, int] = {}
        self._end = _ALIGNED

    def begin(self, name: str, kind: Any, shape: tuple[int, ...]) -> None:
        self._release()
        kind = numpy.dtype(kind)
        self._reserve(name, math.prod(shape) * kind.itemsize, kind.str, list(shape))

    def put(self, name: str, piece: Array) -> None:
        """The next values of an array that was begun."""
        self._write(name, numpy.ascontiguousarray(piece, str(self._directory[name][2])).data)

    def keep(self, name: str, value: str | list[str]) -> None:
        is_text = isinstance(value, str)
        data = (value if isinstance(value, str) else "\n".join(value)).encode("utf-8", "surrogatepass")
        self._reserve(name, len(data), "text" if is_text else "lines", [])
        self._write(name, memoryview(data))

    def close(self) -> None:
        head = json.dumps(self._directory).encode()
        self._file.seek(self._base)
        self._file.write(_MAGIC + self._end.to_bytes(8, "little") + len(head).to_bytes(8, "little"))
        self._file.seek(self._base + self._end)
        self._file.write(head + bytes(-len(head) % _ALIGNED))

    def _reserve(self, name: str, size: int, kind: str, shape: list[int]) -> None:
        self._directory[name] = [self._end, size, kind, shape]
        self._filled[name] = self._end
        self._end += size + -size % _ALIGNED

    def _write(self, name: str, data: memoryview) -> None:
        self._file.seek(self._base + self._filled[name])
        self._file.write(data)
        self._filled[name] += data.nbytes


def dump(arrays: object) -> bytes:
    """Everything a search needs; the same index gives the same bytes."""
    file = BytesIO()
    writer = ArrayWriter(file)
    for entry in fields(arrays):  # type: ignore[arg-type]
        value = getattr(arrays, entry.name)
        if isinstance(value, numpy.ndarray):
            writer.begin(entry.name, value.dtype, value.shape)
            writer.put(entry.name, value)
        else:
            writer.keep(entry.name, value)
    writer.close()
    return file.getvalue()


def read_value(data: bytes | memoryview, start: int, size: int, kind: str, shape: list[int]) -> Any:
    if kind in ("text", "lines"):
        text = bytes(data[start : start + size]).decode("utf-8", "surrogatepass")
        return text if kind == "text" else text.split("\n") if size else []
    dtype = numpy.dtype(kind)
    return numpy.frombuffer(data, dtype=dtype, count=size // dtype.itemsize, offset=start).reshape(shape)


def load(
    data: bytes | memoryview,
    kind: type[Arrays] = IndexArrays,  # type: ignore[assignment]
    read: Callable[..., Any] = read_value,
) -> Arrays:
    """The arrays of `dump`. Raises ValueError for bytes of another version: the index is then to be built anew."""
    size = len(_MAGIC)
    if bytes(data[:size]) != _MAGIC:
        raise ValueError("These bytes hold no index of this version")
    first, length = (int.from_bytes(data[place : place + 8], "little") for place in (size, size + 8))
    directory = json.loads(bytes(data[first : first + length]))
    if directory.keys() != {entry.name for entry in fields(kind)}:  # type: ignore[arg-type]
        raise ValueError("These bytes hold an index of other arrays")
    return kind(**{name: read(data, *entry) for name, entry in directory.items()})


@dataclass(frozen=True)
class PagedIndex:
    """An index whose sections are numbered page by page in the order of the pages' paths."""

    arrays: IndexArrays
    paths: list[str]  # of the pages, sorted
    named: list[tuple[int, list[str]]]  # names that a page gives to one thing
    bare: list[int]  # numbers of the pages that have no section: the graph finds them, a search for sections does not
    labels: list[bytes]  # of each page what results say of it: title, group, (anchor, heading) of its sections; as JSON
    stamps: bytes = b"[]"  # of each page what it was made of, as JSON
    data: memoryview | None = None  # what the arrays are mapped from


def sum_of(file: BinaryIO, size: int) -> bytes:
    """Of its first bytes, behind which it stands. They are read, not mapped, so that they take no memory."""
    file.seek(0)
    pieces = (file.read(min(_PIECE, size - first)) for first in range(0, size, _PIECE))
    return reduce(lambda found, piece: crc32(piece, found), pieces, 0).to_bytes(_SUM, "little")


def open_paged(file: BinaryIO) -> dict[str, Any]:
    """What a paged index consists of. Raises ValueError where the file holds none of this version, or a spoilt one."""
    data = mapped(file)
    if sum_of(file, len(data) - _SUM) != data[-_SUM:]:
        raise ValueError("These bytes are not those that were written")  # a disk, or a computer that went off
    size = int.from_bytes(data[:8], "little")
    head, stamps, *labels = bytes(data[8 : 8 + size]).split(b"\n")
    paths, named, bare = json.loads(head)
    arrays: IndexArrays = load(data[8 + size :])
    found = {"arrays": arrays, "paths": paths, "named": named, "bare": bare, "labels": labels, "stamps": stamps}
    return {**found, "data": data}


def mapped(file: BinaryIO) -> memoryview:
    """What a file holds, without reading it; one without bytes cannot be mapped and raises ValueError."""
    if isinstance(file, BytesIO):
        return memoryview(file.getvalue())
    return memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
