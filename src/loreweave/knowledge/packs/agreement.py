"""How far the names over a passage, or one sentence of it, say what a query says.

A query that some heading says means its section; one that no heading says is asked of the texts. So the better of
the two counts, and a text never as much as a name.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy

from loreweave.index.index_arrays import Array, IndexArrays, Rows, begins_of
from loreweave.knowledge.packs.read_query import SectionQuery
from loreweave.knowledge.packs.score_words import RankingWeights

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


def _read_telling_words(wanted: SectionQuery, rarity: Array) -> TellingWords:
    """Stop words tell one name from another that says as much; they are never sought in a text."""
    slots = [slot for slot in wanted.slots if slot.asked and rarity[slot.alternatives[0][0]] > 0.0][:MOST_WORDS]
    rarities = [float(rarity[slot.alternatives[0][0]]) for slot in slots]
    stands: dict[int, tuple[float, int]] = {}
    for word, slot in enumerate(slots):
        most = max(weight for _, weight in slot.alternatives)
        for key, weight in slot.alternatives:  # a word that had to be corrected is still the word meant
            stands.setdefault(key, (rarities[word] * weight / most, word))
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


SENTENCE = 20  # keys, about


def _closest_sentences(arrays: IndexArrays, rows: Array, telling: TellingWords) -> Array:
    """For each row the share of what is asked that its best sentence or so holds, each word by its rarity."""
    found = numpy.zeros(len(rows))
    keys, owners = Rows(arrays.passage_keys, arrays.passage_starts).of(rows)
    numbers = telling.numbers[keys]
    places = numpy.flatnonzero(numbers != 0)  # numbers themselves are looked through much slower
    words = telling.words[numbers[places]]
    sought = words < len(telling.rarities)
    places, words = places[sought], words[sought]
    if len(places):
        owners = owners[places]
        held = _held(places + SENTENCE * owners, words, telling.rarities)
        firsts = begins_of(owners)
        found[owners[firsts]] = numpy.maximum.reduceat(held, firsts)
    return found / telling.rarities.sum()


def _held(places: Array, words: Array, rarities: Array) -> Array:
    """For each mention what the sentence that ends with it holds; a word counts once."""
    last = numpy.full((len(rarities), len(places)), -SENTENCE, dtype=numpy.int64)  # where each word stood last
    last[words, numpy.arange(len(places))] = places
    numpy.maximum.accumulate(last, axis=1, out=last)
    held: Array = ((places - last < SENTENCE) * rarities[:, None]).sum(axis=0)
    return held


_SAME = 0.9999
_KEY_BITS = 32  # of one number for row and key


def agree(
    arrays: IndexArrays, rows: Array, wanted: SectionQuery, rarity: Array, telling: Array, weights: RankingWeights
) -> tuple[Array, Array]:
    """What to add to the score of each row, where the best by words has 1; and whether its name has just the telling
    words of the query, in whatever order and form. `telling`: as `rarity`, but stop words have none."""
    asked = _read_telling_words(wanted, rarity)
    words = len(asked.rarities)
    if not words:
        return numpy.zeros(len(rows)), numpy.zeros(len(rows), dtype=bool)
    names = _names(arrays, rows)
    named = _likeness(names, len(rows), asked, rarity)
    chance = (words - 1) / (words + 1)  # one word is always near itself and two often meet; seven hardly do
    text = weights.sentence * chance * _closest_sentences(arrays, rows, asked)
    exact = weights.same * (named > _SAME) + weights.opening * arrays.opening[rows] * named
    alike = _likeness(names, len(rows), _read_telling_words(wanted, telling), telling) > _SAME
    return numpy.maximum(weights.name * named, text) + exact, alike & (not wanted.unknown)


def _names(arrays: IndexArrays, rows: Array) -> list[tuple[Array, Array]]:
    """Headings, and breadcrumbs, which are the page's title and the heading: (key, row), each word once."""
    headings, owners = Rows(arrays.heading_keys, arrays.heading_starts).of(rows)
    titles, title_owners = Rows(arrays.title_keys, arrays.title_starts).of(rows)
    heading = (owners << _KEY_BITS) + headings
    return [_distinct(each) for each in (heading, numpy.append(heading, (title_owners << _KEY_BITS) + titles))]


def _distinct(mentions: Array) -> tuple[Array, Array]:
    mentions.sort()
    mentions = mentions[begins_of(mentions)]
    return mentions & ((1 << _KEY_BITS) - 1), mentions >> _KEY_BITS


def _likeness(names: list[tuple[Array, Array]], count: int, telling: TellingWords, rarity: Array) -> Array:
    """The best of the names of each row: 1 where it and the query have the same words, 0 where they share none."""
    best = numpy.zeros(count)
    for keys, owners in names:
        asked = telling.worth[telling.numbers[keys]]
        worth = numpy.where(asked, asked, rarity[keys])
        shared = numpy.bincount(owners, weights=asked, minlength=count)
        whole = numpy.bincount(owners, weights=worth, minlength=count)
        numpy.maximum(best, shared * shared / numpy.maximum(whole * telling.said, 1e-9), out=best)
    return best.clip(0.0, 1.0)
