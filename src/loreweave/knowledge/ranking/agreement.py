"""How far the names over a passage, or one sentence of it, say what a query says.

A query that some heading says means its section; one that no heading says is asked of the texts. So the better of
the two counts, and a text never as much as a name.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy

from loreweave.index.index_arrays import Array, IndexArrays
from loreweave.knowledge.ranking.read_query import SectionQuery, Slot

MOST_WORDS = 16  # of a query: what follows hardly changes which name it means


@dataclass(frozen=True, slots=True)
class TellingWords:
    """The keys that stand for a word of the query, numbered from 1.

    Words are numbered from 0 as they are asked for; a stop word has the number behind the last.
    """

    numbers: Array  # int16, a key of the index: its number here, 0 where it stands for no word
    worth: Array  # float64, a number: the rarity of the word it stands for, less for a poor alternative; 0 has 0
    words: Array  # int64, a number: which word that is; 0 has that of a stop word
    rarities: Array  # float64, a word that is no stop word
    said: float  # worth of the whole query, stop words and all


def read_telling_words(wanted: SectionQuery, rarity: Array) -> TellingWords:
    """Stop words tell one name from another that says as much; they are never sought in a text."""
    slots = [slot for slot in wanted.slots if slot.asked and rarity[slot.alternatives[0][0]] > 0.0][:MOST_WORDS]
    rarities = [float(rarity[slot.alternatives[0][0]]) for slot in slots]
    stands: dict[int, tuple[float, int]] = {}
    for word, slot in enumerate(slots):
        for key, share in _shares(slot):
            stands.setdefault(key, (rarities[word] * share, word))
    said = sum(rarities)
    for key in wanted.passing:
        if key not in stands:
            stands[key] = (float(rarity[key]), len(slots))
            said += float(rarity[key])
    numbers = numpy.zeros(len(rarity), dtype=numpy.int16)
    numbers[list(stands)] = range(1, len(stands) + 1)
    return TellingWords(
        numbers=numbers,
        worth=numpy.array([0.0, *(worth for worth, _ in stands.values())]),
        words=numpy.array([len(slots), *(word for _, word in stands.values())], dtype=numpy.int64),
        rarities=numpy.array(rarities),
        said=said,
    )


def _shares(slot: Slot) -> list[tuple[int, float]]:
    """What each alternative counts beside the best: a word that had to be corrected is still the word meant."""
    most = max(weight for _, weight in slot.alternatives)
    return [(key, weight / most) for key, weight in slot.alternatives]


PASSAGE = 20  # keys: about a sentence


def closest_passages(arrays: IndexArrays, rows: Array, telling: TellingWords) -> Array:
    """For each row the share of what is asked that its best sentence or so holds, each word by its rarity."""
    found = numpy.zeros(len(rows))
    keys, owners = keys_of(arrays.passage_keys, arrays.passage_starts, rows)
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


def keys_of(keys: Array, starts: Array, rows: Array) -> tuple[Array, Array]:
    """The keys of a field of these rows, and which of them each belongs to."""
    first = starts[rows]
    counts = starts[rows + 1] - first
    ends = numpy.cumsum(counts)
    places = numpy.arange(ends[-1]) + numpy.repeat(first - (ends - counts), counts)
    return keys[places], numpy.repeat(numpy.arange(len(rows)), counts)


NAME_WEIGHT = 1.3  # of a name that says just the query, beside 1 for the best by words
PASSAGE_WEIGHT = 0.8  # of a sentence with many words of the query: it may say in passing what a name stands for
SAME_WEIGHT = 0.5  # of a name that is the query word for word, beside those that only come near
OPENING_WEIGHT = 0.05  # of a page's opening beside its parts: who names a page means all of it
_SAME = 0.9999


def agreement(arrays: IndexArrays, rows: Array, wanted: SectionQuery, rarity: Array) -> Array:
    """What to add to the score of each row, where the best by words has 1."""
    telling = read_telling_words(wanted, rarity)
    if not len(telling.rarities):
        return numpy.zeros(len(rows))
    named = _names(arrays, rows, telling, rarity)
    text = PASSAGE_WEIGHT * _significance(len(telling.rarities)) * closest_passages(arrays, rows, telling)
    exact = SAME_WEIGHT * (named > _SAME) + OPENING_WEIGHT * arrays.opening[rows] * named
    agreed: Array = numpy.maximum(NAME_WEIGHT * named, text) + exact
    return agreed


def _significance(words: int) -> float:
    """One word is always near itself and two often meet by chance; seven hardly do."""
    return (words - 1) / (words + 1)


def _names(arrays: IndexArrays, rows: Array, telling: TellingWords, rarity: Array) -> Array:
    """The better of heading and breadcrumb, which is the page's title and the heading."""
    headings, owners = keys_of(arrays.heading_keys, arrays.heading_starts, rows)
    titles, title_owners = keys_of(arrays.title_keys, arrays.title_starts, rows)
    heading = _likeness(headings, owners, len(rows), telling, rarity)
    both = numpy.concatenate((headings, titles)), numpy.concatenate((owners, title_owners))
    return numpy.maximum(heading, _likeness(*both, len(rows), telling, rarity))


def _likeness(keys: Array, owners: Array, count: int, telling: TellingWords, rarity: Array) -> Array:
    """1 where a name and the query have the same words, 0 where they share none; a word counts once."""
    mentions = numpy.sort(owners * len(rarity) + keys)
    owners, keys = numpy.divmod(mentions[numpy.flatnonzero(numpy.diff(mentions, prepend=-1))], len(rarity))
    asked = telling.worth[telling.numbers[keys]]
    worth = numpy.where(asked, asked, rarity[keys])
    shared = numpy.bincount(owners, weights=asked, minlength=count)
    whole = numpy.bincount(owners, weights=worth, minlength=count)
    return (shared * shared / numpy.maximum(whole * telling.said, 1e-9)).clip(0.0, 1.0)
