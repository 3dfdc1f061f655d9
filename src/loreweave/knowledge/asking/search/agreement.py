"""How far the name of a section, or one passage of it, says what a query says.

A query that some heading says means that section; one that no heading says is asked of the texts. So the better of
the two counts, and a text never as much as a name.
"""

from __future__ import annotations

import numpy

from loreweave.knowledge.asking.search.index_arrays import Array, IndexArrays
from loreweave.knowledge.asking.search.passages import closest_passages, keys_of
from loreweave.knowledge.asking.search.read_query import SectionQuery
from loreweave.knowledge.asking.search.words_that_tell import TellingWords, read_telling_words

NAME_WEIGHT = 1.0  # of a name that says just the query: as much as the best score that words by themselves give
PASSAGE_WEIGHT = 0.8  # of a passage with many words of the query: a text may say in passing what a name stands for
SAME_WEIGHT = 0.3  # of a name that is the query word for word, beside those that only come near
OPENING_WEIGHT = 0.05  # of a page's opening beside its parts: who names a page means all of it
_SAME = 0.9999


def agreement(arrays: IndexArrays, sections: Array, wanted: SectionQuery, rarity: Array) -> Array:
    """What to add to the score of each section, where the best by words has 1."""
    telling = read_telling_words(wanted, rarity)
    if not len(telling.rarities):
        return numpy.zeros(len(sections))
    named = _names(arrays, sections, telling, rarity)
    text = PASSAGE_WEIGHT * _significance(len(telling.rarities)) * closest_passages(arrays, sections, telling)
    opening = OPENING_WEIGHT * arrays.opening[sections]
    return numpy.maximum(NAME_WEIGHT * named, text) + SAME_WEIGHT * (named > _SAME) + opening * named


def _significance(words: int) -> float:
    """One word is always near itself and two often meet by chance; seven hardly do."""
    return (words - 1) / (words + 1)


def _names(arrays: IndexArrays, sections: Array, telling: TellingWords, rarity: Array) -> Array:
    """The better of heading and breadcrumb, which is the page's title and the heading."""
    headings, owners = keys_of(arrays.heading_keys, arrays.heading_starts, sections)
    titles, title_owners = keys_of(arrays.title_keys, arrays.title_starts, sections)
    heading = _likeness(headings, owners, len(sections), telling, rarity)
    both = numpy.concatenate((headings, titles)), numpy.concatenate((owners, title_owners))
    return numpy.maximum(heading, _likeness(*both, len(sections), telling, rarity))


def _likeness(keys: Array, owners: Array, count: int, telling: TellingWords, rarity: Array) -> Array:
    """1 where a name and the query have the same words, 0 where they share none; a word counts once."""
    mentions = numpy.sort(owners * len(rarity) + keys)
    owners, keys = numpy.divmod(mentions[numpy.flatnonzero(numpy.diff(mentions, prepend=-1))], len(rarity))
    asked = telling.worth[telling.numbers[keys]]
    worth = numpy.where(asked, asked, rarity[keys])
    shared = numpy.bincount(owners, weights=asked, minlength=count)
    whole = numpy.bincount(owners, weights=worth, minlength=count)
    return (shared * shared / numpy.maximum(whole * telling.said, 1e-9)).clip(0.0, 1.0)
