"""An index of pages written as one file from the indexes of some of them each, which wait in another file: what is in
memory meanwhile does not grow with what is indexed."""

from __future__ import annotations

import json
import math
import mmap
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from io import SEEK_END
from typing import Any, BinaryIO

import numpy

from loreweave.index.build_index import NOTHING, of_one_meaning
from loreweave.index.index_arrays import Array, ArrayWriter, IndexArrays, PagedIndex, load, read_value, sum_of
from loreweave.index.splice_rows import Sink, Stretch, join_rows

_ALIGNED = 64


@dataclass(frozen=True, slots=True)
class IndexedPages:
    """What was made of some pages, in the order of their paths."""

    paths: list[str]
    arrays: bytes  # as `dump` gives them
    labels: list[bytes]
    bare: list[int]
    named: list[tuple[int, list[str]]]


@dataclass(frozen=True, slots=True)
class _Waiting:
    """An array in a file, or lines, read as far and as often as they are asked for: who maps a file has megabytes in
    memory for a look at a few bytes, and the lines of many parts at once would be much, too."""

    file: BinaryIO
    place: int
    dtype: numpy.dtype
    shape: tuple[int, ...]

    def __len__(self) -> int:
        return self.shape[0]

    def __iter__(self) -> Iterator[str]:
        data = self[:].tobytes()
        return iter(read_value(data, 0, len(data), "lines", []))

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        return self[:]

    def __getitem__(self, wanted: Any) -> Array:
        first, end, _ = (wanted if isinstance(wanted, slice) else slice(None)).indices(len(self))
        width = math.prod(self.shape[1:]) * self.dtype.itemsize
        self.file.seek(self.place + first * width)
        found = numpy.frombuffer(self.file.read(max(0, end - first) * width), self.dtype)
        found = found.reshape(max(0, end - first), *self.shape[1:])
        return found if isinstance(wanted, slice) else found[wanted]


def _waits(file: BinaryIO, place: int, data: bytes, start: int, size: int, kind: str, shape: list[int]) -> Any:
    if kind == "text":
        return read_value(data, start, size, kind, shape)
    is_lines = kind == "lines"
    return _Waiting(file, place + start, numpy.dtype("u1" if is_lines else kind), (size,) if is_lines else (*shape,))


class IndexWriter:
    """Gathers the pages of an index, then writes it."""

    def __init__(self, scratch: BinaryIO, paths: Sequence[str]) -> None:
        """`paths`: of all its pages, in order."""
        self._scratch = scratch
        self._paths = paths
        self._older: PagedIndex | None = None
        self._waiting: list[IndexArrays] = []
        self._firsts: list[list[int]] = []  # of each part the first rows of its pages
        self._places: dict[str, tuple[int, int]] = {}  # by path: part, and number of the page there
        self._labels: dict[str, bytes] = {}
        self._bare: set[str] = set()
        self._named: dict[str, list[list[str]]] = {}

    def keep(self, older: PagedIndex, kept: set[str]) -> None:
        """What an index that was there before says of the pages that are as they were; before any is added."""
        self._older = older
        self._firsts.append(older.arrays.first_rows.tolist())
        self._say(older.paths, older.labels, older.bare, older.named, kept)

    def add(self, made: IndexedPages) -> None:
        place = self._scratch.seek(0, SEEK_END)
        self._scratch.write(made.arrays)
        self._waiting.append(load(made.arrays, read=partial(_waits, self._scratch, place)))
        self._firsts.append(self._waiting[-1].first_rows.tolist())
        self._say(made.paths, made.labels, made.bare, made.named, set(made.paths))

    def _say(
        self, paths: Sequence[str], labels: Sequence[bytes], bare: Iterable[int],
        named: Iterable[tuple[int, list[str]]], wanted: set[str],
    ) -> None:  # fmt: skip
        part = len(self._firsts) - 1
        self._places |= {path: (part, number) for number, path in enumerate(paths) if path in wanted}
        self._labels |= {path: label for path, label in zip(paths, labels, strict=True) if path in wanted}
        self._bare |= wanted.intersection(paths[number] for number in bare)
        for number, names in named:
            if paths[number] in wanted:
                self._named.setdefault(paths[number], []).append(names)

    def write(self, file: BinaryIO, stamps: Any, fail_at: Callable[[str], None]) -> None:
        """`stamps`: what the pages were made of, for whoever builds on this index."""
        named = [(number, names) for number, path in enumerate(self._paths) for names in self._named.get(path, ())]
        bare = [number for number, path in enumerate(self._paths) if path in self._bare]
        file.write(bytes(8))
        file.write(json.dumps([self._paths, named, bare]).encode() + b"\n" + json.dumps(stamps).encode())
        file.writelines(b"\n" + self._labels.pop(path).rstrip() for path in self._paths)
        file.write(b" " * (-file.tell() % _ALIGNED))
        head = file.tell() - 8
        file.seek(0)
        file.write(head.to_bytes(8, "little"))
        file.seek(8 + head)
        file.flush()
        fail_at("ingest.index")
        mapping = self._older.data.obj if self._older and self._older.data else None

        def release() -> None:
            if isinstance(mapping, mmap.mmap):
                mapping.madvise(mmap.MADV_DONTNEED)

        stretches, writer = self._stretches(), ArrayWriter(file, release)
        parts = of_one_meaning([*([self._older.arrays] if self._older else []), *self._waiting] or [NOTHING])
        _number_pages(parts, stretches, writer)
        join_rows(parts, stretches, writer)
        writer.close()
        file.write(sum_of(file, file.seek(0, SEEK_END)))
        file.flush()

    def _stretches(self) -> list[Stretch]:
        found: list[Stretch] = []
        for part, page in map(self._places.__getitem__, self._paths):
            first, end = self._firsts[part][page : page + 2]
            if found and found[-1].part == part and found[-1].end == first:
                first = found.pop().first
            found.append(Stretch(part, first, end))
        return found


def _number_pages(parts: Sequence[IndexArrays], stretches: Sequence[Stretch], sink: Sink) -> None:
    """Sections and pages are counted through all stretches, each of which holds whole pages."""
    counted = 0
    for name in ("pages", "sections"):
        sink.begin(name, numpy.int32, (sum(stretch.end - stretch.first for stretch in stretches),))
        counted = 0
        for part, first, end in stretches:
            piece = getattr(parts[part], name)[first:end]
            sink.put(name, piece - piece[0] + counted)
            counted += int(piece[-1] - piece[0]) + 1
    sink.begin("given", numpy.int32, (counted,))
    sink.put("given", numpy.arange(counted, dtype=numpy.int32))
