"""How much of a query stands close together in the text of a section."""

from __future__ import annotations

import numpy

from loreweave.knowledge.asking.search.index_arrays import Array, IndexArrays
from loreweave.knowledge.asking.search.words_that_tell import TellingWords

PASSAGE = 20  # keys: about a sentence


def closest_passages(arrays: IndexArrays, sections: Array, telling: TellingWords) -> Array:
    """For each section the share of what is asked that its best passage holds, each word by its rarity."""
    found = numpy.zeros(len(sections))
    keys, owners = keys_of(arrays.passage_keys, arrays.passage_starts, sections)
    places = numpy.flatnonzero(telling.numbers[keys])
    words = telling.words[telling.numbers[keys[places]]]
    sought = words < len(telling.rarities)
    places, words = places[sought], words[sought]
    if len(places):
        owners = owners[places]
        held = _held(places + PASSAGE * owners, words, telling.rarities)
        firsts = numpy.flatnonzero(numpy.diff(owners, prepend=-1))
        found[owners[firsts]] = numpy.maximum.reduceat(held, firsts)
    return found / telling.rarities.sum()


def _held(places: Array, words: Array, rarities: Array) -> Array:
    """For each mention what the passage that ends with it holds; a word counts once."""
    last = numpy.full((len(rarities), len(places)), -PASSAGE, dtype=numpy.int64)  # where each word stood last
    last[words, numpy.arange(len(places))] = places
    numpy.maximum.accumulate(last, axis=1, out=last)
    held: Array = ((places - last < PASSAGE) * rarities[:, None]).sum(axis=0)
    return held


def keys_of(keys: Array, starts: Array, sections: Array) -> tuple[Array, Array]:
    """The keys of a field of these sections, and which of them each belongs to."""
    first = starts[sections]
    counts = starts[sections + 1] - first
    ends = numpy.cumsum(counts)
    rows = numpy.arange(ends[-1]) + numpy.repeat(first - (ends - counts), counts)
    return keys[rows], numpy.repeat(numpy.arange(len(sections)), counts)
