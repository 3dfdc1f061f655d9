"""An index of pages written as one file from the indexes of some of them each, which wait in another file: what is in
memory meanwhile does not grow with what is indexed."""

from __future__ import annotations

import json
import mmap
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, BinaryIO

import numpy

from loreweave.index.build_index import NOTHING, of_one_meaning
from loreweave.index.index_arrays import ArrayWriter, IndexArrays, PagedIndex, load, mapped
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


class IndexWriter:
    """Gathers the pages of an index, then writes it."""

    def __init__(self, scratch: BinaryIO, paths: Sequence[str]) -> None:
        """`paths`: of all its pages, in order."""
        self._scratch = scratch
        self._paths = paths
        self._older: PagedIndex | None = None
        self._waiting: list[tuple[int, int, list[str], list[str]]] = []
        self._names: dict[str, str] = {}
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
        """Names are shared among parts, for parts repeat most of theirs."""
        part: IndexArrays = load(made.arrays)
        keys, words = ([self._names.setdefault(name, name) for name in names] for names in (part.keys, part.words))
        self._waiting.append((self._scratch.tell(), len(made.arrays), keys, words))
        self._scratch.write(made.arrays + bytes(-len(made.arrays) % _ALIGNED))
        self._firsts.append(part.first_rows.tolist())
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
        lines = [json.dumps([self._paths, named, bare]).encode(), json.dumps(stamps).encode()]
        head = b"\n".join([*lines, *(self._labels[path].rstrip() for path in self._paths)])
        head += b" " * (-(8 + len(head)) % _ALIGNED)
        file.write(len(head).to_bytes(8, "little") + head)
        file.flush()
        fail_at("ingest.index")
        self._scratch.flush()
        waiting = mapped(self._scratch) if self._waiting else None
        views = [view for view in (waiting, self._older.data if self._older else None) if view is not None]

        def release() -> None:
            for view in views:
                if isinstance(view.obj, mmap.mmap):
                    view.obj.madvise(mmap.MADV_DONTNEED)

        stretches, writer = self._stretches(), ArrayWriter(file, release)
        parts = of_one_meaning(self._parts(waiting) or [NOTHING])
        _number_pages(parts, stretches, writer)
        join_rows(parts, stretches, writer)
        writer.close()
        file.flush()

    def _parts(self, waiting: memoryview | None) -> list[IndexArrays]:
        parts = [self._older.arrays] if self._older else []
        for place, size, keys, words in self._waiting:
            part: IndexArrays = load((waiting or memoryview(b""))[place : place + size])
            parts.append(replace(part, keys=keys, words=words))
        return parts

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
