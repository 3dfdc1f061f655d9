"""The readings of new sections worked into those of an index; what is gone leaves nothing behind."""

from __future__ import annotations

from dataclasses import dataclass

import numpy

from loreweave.knowledge.asking.search.index_arrays import Array, IndexArrays
from loreweave.knowledge.asking.search.merge_names import MergedNames, merge_names
from loreweave.knowledge.asking.search.read_sections import Readings
from loreweave.knowledge.asking.search.splice_rows import Rows, Splice, splice_rows, starts_of


@dataclass(frozen=True, slots=True)
class Entries:
    """Who mentions what, by key, then by section, then by field."""

    keys: MergedNames
    starts: Array
    sections: Array
    counts: Array
    holders: Array  # sections of each key


@dataclass(frozen=True, slots=True)
class Words:
    names: list[str]
    keys: Array
    section_words: Rows


def merge_entries(before: IndexArrays, read: Readings, plan: Splice) -> Entries:
    """Sections are renumbered on the way; those kept stay in order, so that nothing has to be sorted."""
    total = max(1, len(plan.sources))
    numbers = numpy.repeat(numpy.arange(len(before.keys)), numpy.diff(before.key_starts))
    sections, counts = plan.kept[before.entry_sections], before.entry_counts
    if (plan.kept < 0).any():
        stays = sections >= 0
        numbers, sections, counts = numbers[stays], sections[stays], counts[stays]
    alive = numpy.bincount(numbers, minlength=len(before.keys)) > 0
    keys = merge_names(before.keys, alive, read.keys)
    numbers = keys.kept[numbers]
    added = keys.added[read.entry_keys] * total + plan.added[read.entry_sections]  # in order, too
    places = numpy.searchsorted(numbers * total + sections, added)
    numbers = numpy.insert(numbers, places, added // total)
    sections = numpy.insert(sections, places, (added % total).astype(numpy.int32))
    counts = numpy.insert(counts, places, read.entry_counts)
    starts = starts_of(numpy.bincount(numbers, minlength=len(keys.names)))
    firsts = (numpy.diff(sections, prepend=-1) != 0) | (numpy.diff(numbers, prepend=-1) != 0)
    holders = numpy.bincount(numbers[firsts], minlength=len(keys.names))
    return Entries(keys, starts, sections.astype(numpy.int32), counts.astype(numpy.uint32), holders)


def merge_words(before: IndexArrays, read: Readings, plan: Splice, keys: MergedNames) -> Words:
    """A word is gone with the last section that had it, whether or not its key is."""
    old = Rows(before.section_words, before.section_word_starts)
    spliced = splice_rows(old, read.section_words, plan)
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
