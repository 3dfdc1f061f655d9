"""Sections to an index of their passages. One that was built before saves reading those that are as they were."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import compress
from typing import Any

import numpy

from loreweave.entities.digest import SearchedPassage, SearchedSection
from loreweave.index.bulk_work import Run, without_collection
from loreweave.index.embed_rows import embed_rows, no_vectors
from loreweave.index.index_arrays import Array, IndexArrays
from loreweave.index.read_rows import Readings, read_rows
from loreweave.index.row_prints import KnownPrints, as_array, as_list, row_prints
from loreweave.index.splice_rows import (
    Rows,
    Splice,
    plan_splice,
    splice_rows,
    splice_values,
    starts_of,
)
from loreweave.index.weigh_entries import FIELDS
from loreweave.seams.embedding.embedder import Embedder


@dataclass(frozen=True, slots=True)
class MergedNames:
    names: list[str]  # sorted
    kept: Array  # int64, a name that was there: its number now; nothing meant where it is gone
    added: Array  # int64, an added name: its number now


def merge_names(before: list[str], alive: Array, added: list[str]) -> MergedNames:
    """Those of `before` that are still alive, and the added ones, which may be among them. Both come sorted."""
    if not before:
        return MergedNames(added, numpy.zeros(0, dtype=numpy.int64), numpy.arange(len(added)))
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


@dataclass(frozen=True, slots=True)
class Entries:
    """Who mentions what, by key, then by row, then by field."""

    keys: MergedNames
    starts: Array
    rows: Array
    counts: Array
    holders: Array  # rows of each key


@dataclass(frozen=True, slots=True)
class Words:
    names: list[str]
    keys: Array
    row_words: Rows


def merge_entries(before: IndexArrays, read: Readings, plan: Splice) -> Entries:
    """Rows are renumbered on the way; those kept stay in order, so that nothing has to be sorted."""
    total = max(1, len(plan.sources))
    numbers = numpy.repeat(numpy.arange(len(before.keys)), numpy.diff(before.key_starts))
    rows, counts = plan.kept[before.entry_rows], before.entry_counts
    if (plan.kept < 0).any():
        stays = rows >= 0
        numbers, rows, counts = numbers[stays], rows[stays], counts[stays]
    alive = numpy.bincount(numbers, minlength=len(before.keys)) > 0
    keys = merge_names(before.keys, alive, read.keys)
    numbers = keys.kept[numbers]
    added = keys.added[read.entry_keys] * total + plan.added[read.entry_rows]  # in order, too
    places = numpy.searchsorted(numbers * total + rows, added)
    numbers = numpy.insert(numbers, places, added // total)
    rows = numpy.insert(rows, places, (added % total).astype(numpy.int32))
    counts = numpy.insert(counts, places, read.entry_counts)
    starts = starts_of(numpy.bincount(numbers, minlength=len(keys.names)))
    firsts = (numpy.diff(rows, prepend=-1) != 0) | (numpy.diff(numbers, prepend=-1) != 0)
    holders = numpy.bincount(numbers[firsts], minlength=len(keys.names))
    return Entries(keys, starts, rows.astype(numpy.int32), counts.astype(numpy.uint32), holders)


def merge_words(before: IndexArrays, read: Readings, plan: Splice, keys: MergedNames) -> Words:
    """A word is gone with the last row that had it, whether or not its key is."""
    old = Rows(before.row_words, before.row_word_starts)
    spliced = splice_rows(old, read.row_words, plan)
    lengths = numpy.diff(spliced.starts)
    is_new = numpy.repeat(plan.sources > len(plan.kept), lengths)
    alive = numpy.bincount(spliced.flat[~is_new], minlength=len(before.words)) > 0
    words = merge_names(before.words, alive, read.words)
    flat = numpy.empty(len(spliced.flat), dtype=numpy.int32)
    flat[~is_new] = words.kept[spliced.flat[~is_new]]
    flat[is_new] = words.added[spliced.flat[is_new]]
    word_keys = numpy.empty(len(words.names), dtype=numpy.int32)
    word_keys[words.kept[alive]] = keys.kept[before.word_keys[alive]]
    word_keys[words.added] = keys.added[read.word_keys]
    return Words(words.names, word_keys, Rows(flat, spliced.starts))


def merge_keyed(before: Rows, added: Rows, plan: Splice, keys: MergedNames) -> Rows:
    """Rows of keys, such as headings."""
    renumbered = Rows(keys.kept[before.flat].astype(numpy.int32), before.starts)
    return splice_rows(renumbered, Rows(keys.added[added.flat].astype(numpy.int32), added.starts), plan)


@dataclass(frozen=True, slots=True)
class BuiltIndex:
    """The arrays, and the sections they were built of: whoever builds the next index from it saves reading them."""

    arrays: IndexArrays
    known: KnownPrints = field(default_factory=dict)


def build_index(
    sections: Sequence[SearchedSection],
    embedder: Embedder | None,
    before: BuiltIndex | None = None,
    run: Run = map,
) -> BuiltIndex:
    """The same whatever was there `before` and however it is `run`; near-linear in the text that was not."""
    order = sorted(range(len(sections)), key=lambda place: (sections[place].id, place))
    ordered = [sections[place] for place in order]
    rows = [row for section in ordered for row in _rows(section)]
    prints = row_prints(rows, before.known if before else {})
    old = before.arrays if before else NOTHING
    plan = plan_splice(as_list(old.prints), prints)
    with without_collection():
        readings = read_rows([rows[place] for place in plan.added.tolist()])
    counts = [max(1, len(section.passages)) for section in ordered]
    page_numbers = {page: number for number, page in enumerate(sorted({section.page for section in ordered}))}
    pages = numpy.array([page_numbers[section.page] for section in ordered], dtype=numpy.int32)
    arrays = IndexArrays(
        given=numpy.array(order, dtype=numpy.int32),
        sections=numpy.repeat(numpy.arange(len(ordered), dtype=numpy.int32), counts),
        pages=numpy.repeat(pages, counts),
        prints=as_array(prints),
        sizes=numpy.array([row.size for row in rows], dtype=numpy.int32),
        opening=numpy.repeat(numpy.array([section.heading is None for section in ordered], dtype=bool), counts),
        **_merged(old, readings, plan),
        **embed_rows(rows, embedder, old, plan, run),
    )
    firsts = starts_of(numpy.array(counts, dtype=numpy.int64)).tolist()
    known = {
        section.id: (section, tuple(prints[firsts[number] : firsts[number + 1]]))
        for number, section in enumerate(ordered)
    }
    return BuiltIndex(arrays, known)


def _rows(section: SearchedSection) -> list[SearchedPassage]:
    texts = section.passages or (section.text,)
    sizes = section.sizes or (0,) * len(texts)
    return [SearchedPassage(section, number, *found) for number, found in enumerate(zip(texts, sizes, strict=True))]


def _merged(old: IndexArrays, readings: Readings, plan: Splice) -> dict[str, Any]:
    """The arrays of words and texts."""
    entries = merge_entries(old, readings, plan)
    words = merge_words(old, readings, plan, entries.keys)
    headings = merge_keyed(Rows(old.heading_keys, old.heading_starts), readings.headings, plan, entries.keys)
    titles = merge_keyed(Rows(old.title_keys, old.title_starts), readings.titles, plan, entries.keys)
    passages = merge_keyed(Rows(old.passage_keys, old.passage_starts), readings.passages, plan, entries.keys)
    old_texts = Rows(numpy.frombuffer(old.texts, dtype=numpy.uint8), old.text_starts)
    texts = splice_rows(old_texts, readings.texts, plan)
    return {
        "keys": entries.keys.names,
        "key_starts": entries.starts,
        "entry_rows": entries.rows,
        "entry_counts": entries.counts,
        "holders": entries.holders.astype(numpy.int32),
        "rarity": _rarity(entries.holders, len(plan.sources)),
        "lengths": splice_values(old.lengths, readings.lengths, plan),
        "words": words.names,
        "word_keys": words.keys,
        "word_counts": entries.holders[words.keys].astype(numpy.int32),
        "row_words": words.row_words.flat,
        "row_word_starts": words.row_words.starts,
        "heading_keys": headings.flat,
        "heading_starts": headings.starts,
        "title_keys": titles.flat,
        "title_starts": titles.starts,
        "passage_keys": passages.flat,
        "passage_starts": passages.starts,
        "texts": old.texts if plan.same else texts.flat.tobytes(),
        "text_starts": texts.starts,
    }


def _rarity(holders: Array, rows: int) -> Array:
    return numpy.log1p((rows - holders + 0.5) / (holders + 0.5)).astype(numpy.float32)


def _nothing() -> IndexArrays:
    """The index of nothing."""
    integers, starts = numpy.zeros(0, dtype=numpy.int32), numpy.zeros(1, dtype=numpy.int64)
    return IndexArrays(
        given=integers,
        sections=integers,
        pages=integers,
        sizes=integers,
        prints=as_array([]),
        keys=[],
        key_starts=starts,
        entry_rows=integers,
        entry_counts=integers.astype(numpy.uint32),
        holders=integers,
        rarity=integers.astype(numpy.float32),
        lengths=integers.reshape(0, len(FIELDS)),
        words=[],
        word_keys=integers,
        word_counts=integers,
        row_words=integers,
        row_word_starts=starts,
        heading_keys=integers,
        heading_starts=starts,
        title_keys=integers,
        title_starts=starts,
        opening=integers.astype(bool),
        passage_keys=integers,
        passage_starts=starts,
        texts=b"",
        text_starts=starts,
        **no_vectors(0),
    )


NOTHING = _nothing()
