"""Several indexes as one: stretches of their rows, brought into one order. Words are numbered anew, nothing is read
again, and no more than a few arrays' pieces are in memory at a time."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import compress, pairwise, repeat
from typing import Any, NamedTuple

import numpy

from loreweave.index.index_arrays import Array, ArrayWriter, IndexArrays, starts_of
from loreweave.seams.embedding.stored_vectors import SCALE

BLOCK = 1 << 18  # entries brought into order at a time


class Stretch(NamedTuple):
    """Neighbouring rows of one index."""

    part: int
    first: int
    end: int  # behind the last


class Gathered(dict[str, Any]):
    """Joined arrays in memory, by name."""

    def __init__(self) -> None:
        super().__init__()
        self._filled: dict[str, int] = {}

    def begin(self, name: str, kind: Any, shape: tuple[int, ...]) -> None:
        self[name], self._filled[name] = numpy.empty(shape, kind), 0

    def put(self, name: str, piece: Array) -> None:
        first = self._filled[name]
        self._filled[name] += len(piece)
        self[name][first : self._filled[name]] = piece

    def keep(self, name: str, value: str | list[str]) -> None:
        self[name] = value


Sink = Gathered | ArrayWriter  # where joined arrays go: memory, or a file


def stretches_of(parts: Array, rows: Array) -> list[Stretch]:
    """`parts`, `rows`: of each row the index it comes from, and its number there."""
    firsts = numpy.flatnonzero((numpy.diff(rows, prepend=-2) != 1) | (numpy.diff(parts, prepend=-1) != 0))
    ends = rows[numpy.append(firsts[1:], len(rows)) - 1] + 1 if len(firsts) else firsts
    return list(map(Stretch, parts[firsts].tolist(), rows[firsts].tolist(), ends.tolist()))


def join_rows(parts: Sequence[IndexArrays], stretches: Sequence[Stretch], sink: Sink) -> None:
    """All arrays but those that number sections and pages. The same whatever the parts: rows say what they say."""
    rows = _row_numbers(parts, stretches)
    for name in ("sizes", "prints", "opening", "lengths"):
        width = max((getattr(part, name).shape[1:] for part in parts), default=())
        _put_values(sink, name, [getattr(part, name) for part in parts], stretches, width)
    _join_vectors(parts, stretches, sink)
    held = [_held_keys(part, own) for part, own in zip(parts, rows, strict=True)]
    keys, key_numbers = _merge_names([part.keys for part in parts], [counts > 0 for counts in held])
    sink.keep("keys", keys)
    counts = numpy.zeros(len(keys), dtype=numpy.int64)
    for own, of in zip(key_numbers, held, strict=True):
        counts[own[of > 0]] += of[of > 0]
    starts = starts_of(counts)
    del keys, held  # with many parts they are much
    holders = _join_entries(parts, rows, key_numbers, starts, sink)
    for name in ("heading", "title", "passage"):
        _put_rows(sink, f"{name}_keys", f"{name}_starts", parts, stretches, key_numbers)
    _put_rows(sink, "link_words", "link_word_starts", parts, stretches)
    _put_rows(sink, "texts", "text_starts", parts, stretches)
    whole = [(own >= 0).all() for own in rows]
    alive = [numpy.full(len(part.word_keys), is_whole) for part, is_whole in zip(parts, whole, strict=True)]
    for stretch in stretches:
        if not whole[stretch.part]:
            alive[stretch.part][_flat(parts[stretch.part], "row_words", "row_word_starts", stretch)] = True
    words, word_numbers = _merge_names([part.words for part in parts], alive)
    sink.keep("words", words)
    _put_rows(sink, "row_words", "row_word_starts", parts, stretches, word_numbers)
    word_keys = numpy.empty(len(words), dtype=numpy.int32)
    for part, numbers, own, is_alive in zip(parts, word_numbers, key_numbers, alive, strict=True):
        word_keys[numbers[is_alive]] = own[part.word_keys[is_alive]]
    _put_whole(sink, "word_keys", word_keys)
    _put_whole(sink, "word_counts", holders[word_keys])


def _row_numbers(parts: Sequence[IndexArrays], stretches: Sequence[Stretch]) -> list[Array]:
    """Of each row of each part its number now, -1 where it is gone."""
    numbers = [numpy.full(len(part.sections), -1, dtype=numpy.int32) for part in parts]
    place = 0
    for part, first, end in stretches:
        numbers[part][first:end] = numpy.arange(place, place + end - first)
        place += end - first
    return numbers


def _put_whole(sink: Sink, name: str, values: Array) -> None:
    sink.begin(name, values.dtype, values.shape)
    sink.put(name, values)


def _put_values(
    sink: Sink, name: str, values: Sequence[Array], stretches: Sequence[Stretch], width: tuple[int, ...]
) -> None:
    """Rows of one value each, or of equally many; those that are less wide hold nothing."""
    kind = values[0].dtype
    sink.begin(name, kind, (sum(stretch.end - stretch.first for stretch in stretches), *width))
    for part, first, end in stretches:
        piece = values[part][first:end]
        sink.put(name, piece if piece.shape[1:] == width else numpy.zeros((end - first, *width), kind))


def _flat(part: IndexArrays, name: str, starts: str, stretch: Stretch) -> Array:
    bounds = getattr(part, starts)[stretch.first : stretch.end + 1]
    found: Array = getattr(part, name)[bounds[0] : bounds[-1]]
    return found


def _put_rows(
    sink: Sink, name: str, starts: str, parts: Sequence[IndexArrays], stretches: Sequence[Stretch],
    numbers: Sequence[Array] | None = None,
) -> None:  # fmt: skip
    """Rows of any length; what they hold is numbered anew where there are `numbers`."""
    lengths = [numpy.diff(getattr(parts[part], starts)[first : end + 1]) for part, first, end in stretches]
    bounds = starts_of(numpy.concatenate([numpy.zeros(0, dtype=numpy.int64), *lengths]))
    _put_whole(sink, starts, bounds)
    sink.begin(name, getattr(parts[0], name).dtype, (int(bounds[-1]),))
    for stretch in stretches:
        piece = _flat(parts[stretch.part], name, starts, stretch)
        sink.put(name, piece if numbers is None else numbers[stretch.part][piece])


def _join_vectors(parts: Sequence[IndexArrays], stretches: Sequence[Stretch], sink: Sink) -> None:
    """None wide where no row says anything."""
    says = any(parts[part].vectors[first:end].any() for part, first, end in stretches)
    width = max(part.vectors.shape[1] for part in parts) if says else 0
    vectors = [part.vectors if says else part.vectors[:, :0] for part in parts]
    _put_values(sink, "vectors", vectors, stretches, (width,))
    sums = [vectors[part][first:end].sum(axis=0, dtype=numpy.int64) for part, first, end in stretches]
    total = sum((one for one in sums if len(one) == width), numpy.zeros(width, dtype=numpy.int64))
    count = max(1, sum(stretch.end - stretch.first for stretch in stretches))
    _put_whole(sink, "mean", (total / (SCALE * count)).astype(numpy.float32))
    sink.keep("embedder", next((part.embedder for part in parts if part.embedder), "") if says else "")


def _held_keys(part: IndexArrays, rows: Array) -> Array:
    """Of each key how many entries stay."""
    if (rows >= 0).all() or len(part.key_starts) == 1:
        return numpy.diff(part.key_starts).astype(numpy.int32)
    stays: Array = numpy.add.reduceat(rows[part.entry_rows] >= 0, part.key_starts[:-1], dtype=numpy.int32)
    return stays


def _merge_names(names: Sequence[Iterable[str]], alive: Sequence[Array]) -> tuple[list[str], list[Array]]:
    """(those alive in order, for each list the numbers of its names; where one is gone, of the next)."""
    merged: list[str] = []
    seen: set[str] = set()
    for part in sorted(range(len(names)), key=lambda part: -numpy.count_nonzero(alive[part])):
        new = [name for name in compress(names[part], alive[part].tolist()) if name not in seen]
        merged += new
        seen.update(new)
    merged.sort()  # quick: it consists of a few runs
    places = {name: place for place, name in enumerate(merged)}
    numbers = []
    for each, is_alive in zip(names, alive, strict=True):
        own = list(each)
        found = numpy.fromiter(map(places.get, own, repeat(-1)), dtype=numpy.int32, count=len(own))
        for gone in numpy.flatnonzero(~is_alive & (found < 0)).tolist():
            found[gone] = bisect_left(merged, own[gone])
        numbers.append(found)
    return merged, numbers


def _join_entries(
    parts: Sequence[IndexArrays], rows: Sequence[Array], numbers: Sequence[Array], starts: Array, sink: Sink
) -> Array:
    """Who mentions what, by key, then by row, then by field, some keys at a time; answers the holders of each key."""
    keys, total = len(starts) - 1, sum(int((own >= 0).sum()) for own in rows)
    _put_whole(sink, "key_starts", starts)
    sink.begin("entry_rows", numpy.int32, (int(starts[-1]),))
    sink.begin("entry_counts", numpy.uint32, (int(starts[-1]),))
    holders = numpy.zeros(keys, dtype=numpy.int32)
    edges = numpy.unique(numpy.searchsorted(starts, [*range(0, int(starts[-1]), BLOCK), starts[-1]])).tolist()
    for first, end in pairwise([*edges[:-1], keys] if keys else []):
        found = list(_entries(parts, rows, numbers, (first, end), total))
        places, of, mentions = map(numpy.concatenate, zip(*found, strict=True))
        order = numpy.argsort(places, kind="stable")  # of a few runs in order
        sink.put("entry_rows", of[order])
        sink.put("entry_counts", mentions[order])
        is_first = numpy.diff(places[order], prepend=-1) != 0
        holders[first:end] = numpy.add.reduceat(is_first, starts[first:end] - starts[first], dtype=numpy.int32)
    _put_whole(sink, "holders", holders)
    _put_whole(sink, "rarity", rarities(holders, total))
    return holders


def _entries(
    parts: Sequence[IndexArrays], rows: Sequence[Array], numbers: Sequence[Array], keys: tuple[int, int], total: int
) -> Iterator[tuple[Array, Array, Array]]:
    """(one number for key and row, row, count) of the entries of some keys, part by part."""
    for part, own_rows, own_numbers in zip(parts, rows, numbers, strict=True):
        first, end = numpy.searchsorted(own_numbers, keys).tolist()
        bounds = part.key_starts[first : end + 1]
        of = own_rows[part.entry_rows[bounds[0] : bounds[-1]]]
        own = numpy.repeat(own_numbers[first:end].astype(numpy.int64), numpy.diff(bounds))
        counts = part.entry_counts[bounds[0] : bounds[-1]]
        if (of < 0).any():
            stays = of >= 0
            own, of, counts = own[stays], of[stays], counts[stays]
        yield own * total + of, of, counts


def rarities(holders: Array, total: int) -> Array:
    """Of keys in so many of all rows."""
    found: Array = numpy.log1p((total - holders + 0.5) / (holders + 0.5)).astype(numpy.float32)
    return found
