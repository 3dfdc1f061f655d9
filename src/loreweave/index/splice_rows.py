"""Two indexes as one: rows that were there and rows that are new, brought into one order. What did not change is
copied, not made."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import compress
from typing import Any

import numpy

from loreweave.index.index_arrays import Array, IndexArrays


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows of any length, one after the other."""

    flat: Array
    starts: Array  # int64, rows + 1


@dataclass(frozen=True, slots=True)
class Splice:
    """Which row comes from where."""

    sources: Array  # int64, a row: its number before; a new one's own number, counted on behind a gap
    kept: Array  # int32, a row that was there: its number now, -1 where it is gone
    added: Array  # int64, a new row: its number now

    @property
    def whole(self) -> bool:
        """Whether nothing of what was there is left."""
        return len(self.added) == len(self.sources)

    @property
    def same(self) -> bool:
        """Whether everything is as it was."""
        return not len(self.added) and len(self.kept) == len(self.sources)


def splice_of(found: Array, before: int) -> Splice:
    """`found`: for each row its number among so many before, -1 for a new one; those kept stay in order."""
    is_kept = found >= 0
    added = numpy.flatnonzero(~is_kept)
    kept = numpy.full(before, -1, dtype=numpy.int32)
    kept[found[is_kept]] = numpy.flatnonzero(is_kept)
    return Splice(numpy.where(is_kept, found, before + numpy.cumsum(~is_kept)), kept, added)


def plan_splice(before: Sequence[bytes], wanted: Sequence[bytes]) -> Splice:
    """Rows by their prints. Of equal ones one is kept; where the order of kept ones changed, all are new."""
    numbers = {found: number for number, found in enumerate(before)}
    found = numpy.fromiter((numbers.pop(row, -1) for row in wanted), dtype=numpy.int64, count=len(wanted))
    if (numpy.diff(found[found >= 0]) < 0).any():  # of doubled ids only: others stand in the order of their ids
        found[:] = -1
    return splice_of(found, len(before))


def splice_rows(before: Rows, added: Rows, plan: Splice) -> Rows:
    if plan.whole:
        return added
    if plan.same:
        return before
    gap = len(plan.kept) + 1
    firsts = numpy.flatnonzero(numpy.diff(plan.sources, prepend=-2) != 1)
    lasts = numpy.append(firsts[1:], len(plan.sources)) - 1
    parts = [before.flat[:0]]
    for first, last in zip(plan.sources[firsts].tolist(), plan.sources[lasts].tolist(), strict=True):
        rows, offset = (added, gap) if first >= gap else (before, 0)
        parts.append(rows.flat[rows.starts[first - offset] : rows.starts[last - offset + 1]])
    lengths = splice_values(numpy.diff(before.starts), numpy.diff(added.starts), plan)
    return Rows(numpy.concatenate(parts), starts_of(lengths))


def splice_values(before: Array, added: Array, plan: Splice) -> Array:
    """The same for rows of one value each, or of equally many."""
    if plan.whole:
        return added
    if plan.same:
        return before
    gap = numpy.zeros((1, *before.shape[1:]), dtype=before.dtype)
    return numpy.concatenate((before, gap, added.astype(before.dtype)))[plan.sources]


def starts_of(lengths: Array) -> Array:
    starts = numpy.zeros(len(lengths) + 1, dtype=numpy.int64)
    numpy.cumsum(lengths, out=starts[1:])
    return starts


def rows_of(taken: Rows, chosen: Array) -> Array:
    """Places in `flat` of the chosen rows, one after the other."""
    first = taken.starts[chosen]
    counts = taken.starts[chosen + 1] - first
    ends = numpy.cumsum(counts)
    total = int(ends[-1]) if len(ends) else 0
    places: Array = numpy.arange(total) + numpy.repeat(first - (ends - counts), counts)
    return places


@dataclass(frozen=True, slots=True)
class MergedNames:
    names: list[str]  # sorted
    kept: Array  # int64, a name that was there: its number now; nothing meant where it is gone
    added: Array  # int64, an added name: its number now


def merge_names(before: list[str], alive: Array, added: list[str]) -> MergedNames:
    """Those of `before` that are still alive, and the added ones, which may be among them. Both come sorted."""
    places = numpy.array([bisect_left(before, name) for name in added], dtype=numpy.int64)
    known = numpy.array([before[place : place + 1] == [name] for place, name in zip(places, added, strict=True)], bool)
    alive = alive.copy()
    alive[places[known]] = True
    fresh, fresh_places = list(compress(added, ~known)), places[~known]
    names = before if alive.all() and not fresh else sorted([*compress(before, alive.tolist()), *fresh])
    below = numpy.zeros(len(before) + 1, dtype=numpy.int64)
    numpy.cumsum(alive, out=below[1:])
    kept = below[:-1] + numpy.searchsorted(fresh_places, numpy.arange(len(before)), side="right")
    numbers = numpy.empty(len(added), dtype=numpy.int64)
    numbers[known] = kept[places[known]]
    numbers[~known] = below[fresh_places] + numpy.arange(len(fresh))
    return MergedNames(names, kept, numbers)


def join_words(before: IndexArrays, added: IndexArrays, plan: Splice) -> dict[str, Any]:
    """The arrays of words and texts of rows from both."""
    if plan.whole:
        return {name: getattr(added, name) for name in _WORD_ARRAYS}
    keys, entries = _merge_entries(before, added, plan)
    words = _merge_words(before, added, plan, keys)
    found = {**entries, **words, "word_counts": entries["holders"][words["word_keys"]]}
    for name in ("heading", "title", "passage"):
        old, new = (
            Rows(numbers[getattr(one, f"{name}_keys")].astype(numpy.int32), getattr(one, f"{name}_starts"))
            for one, numbers in ((before, keys.kept), (added, keys.added))
        )
        rows = splice_rows(old, new, plan)
        found[f"{name}_keys"], found[f"{name}_starts"] = rows.flat, rows.starts
    old, new = (Rows(one.link_words, one.link_word_starts) for one in (before, added))
    rows = splice_rows(old, new, plan)
    found["link_words"], found["link_word_starts"] = rows.flat, rows.starts
    old, new = (Rows(numpy.frombuffer(one.texts, dtype=numpy.uint8), one.text_starts) for one in (before, added))
    rows = splice_rows(old, new, plan)
    found["texts"], found["text_starts"] = before.texts if plan.same else rows.flat.tobytes(), rows.starts
    found["lengths"] = splice_values(before.lengths, added.lengths, plan)
    return found


def _merge_entries(before: IndexArrays, added: IndexArrays, plan: Splice) -> tuple[MergedNames, dict[str, Any]]:
    """Rows are renumbered on the way; those kept stay in order, so that nothing has to be sorted."""
    total = max(1, len(plan.sources))
    numbers = numpy.repeat(numpy.arange(len(before.keys)), numpy.diff(before.key_starts))
    rows, counts = plan.kept[before.entry_rows], before.entry_counts
    if (plan.kept < 0).any():
        stays = rows >= 0
        numbers, rows, counts = numbers[stays], rows[stays], counts[stays]
    alive = numpy.bincount(numbers, minlength=len(before.keys)) > 0
    keys = merge_names(before.keys, alive, added.keys)
    numbers = keys.kept[numbers]
    new = numpy.repeat(keys.added, numpy.diff(added.key_starts)) * total + plan.added[added.entry_rows]  # in order, too
    places = numpy.searchsorted(numbers * total + rows, new)
    numbers = numpy.insert(numbers, places, new // total)
    rows = numpy.insert(rows, places, (new % total).astype(numpy.int32))
    counts = numpy.insert(counts, places, added.entry_counts)
    return keys, entry_arrays(keys.names, numbers, rows, counts, len(plan.sources))


def entry_arrays(keys: list[str], numbers: Array, rows: Array, counts: Array, total: int) -> dict[str, Any]:
    """Who mentions what, by key, then by row, then by field; `numbers` of the keys."""
    firsts = (numpy.diff(rows, prepend=-1) != 0) | (numpy.diff(numbers, prepend=-1) != 0)
    holders = numpy.bincount(numbers[firsts], minlength=len(keys))
    return {
        "keys": keys,
        "key_starts": starts_of(numpy.bincount(numbers, minlength=len(keys))),
        "entry_rows": rows.astype(numpy.int32),
        "entry_counts": counts.astype(numpy.uint32),
        "holders": holders.astype(numpy.int32),
        "rarity": numpy.log1p((total - holders + 0.5) / (holders + 0.5)).astype(numpy.float32),
    }


def _merge_words(before: IndexArrays, added: IndexArrays, plan: Splice, keys: MergedNames) -> dict[str, Any]:
    """A word is gone with the last row that had it, whether or not its key is."""
    old, new = (Rows(one.row_words, one.row_word_starts) for one in (before, added))
    spliced = splice_rows(old, new, plan)
    is_new = numpy.repeat(plan.sources > len(plan.kept), numpy.diff(spliced.starts))
    alive = numpy.bincount(spliced.flat[~is_new], minlength=len(before.words)) > 0
    words = merge_names(before.words, alive, added.words)
    flat = numpy.empty(len(spliced.flat), dtype=numpy.int32)
    flat[~is_new] = words.kept[spliced.flat[~is_new]]
    flat[is_new] = words.added[spliced.flat[is_new]]
    word_keys = numpy.empty(len(words.names), dtype=numpy.int32)
    word_keys[words.kept[alive]] = keys.kept[before.word_keys[alive]]
    word_keys[words.added] = keys.added[added.word_keys]
    return {"words": words.names, "word_keys": word_keys, "row_words": flat, "row_word_starts": spliced.starts}


_WORD_ARRAYS = (
    *("keys", "key_starts", "entry_rows", "entry_counts", "holders", "rarity", "lengths", "words", "word_keys"),
    *("word_counts", "row_words", "row_word_starts", "heading_keys", "heading_starts", "title_keys", "title_starts"),
    *("passage_keys", "passage_starts", "link_words", "link_word_starts", "texts", "text_starts"),
)
