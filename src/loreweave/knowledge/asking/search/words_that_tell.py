"""What the words of a query are worth where names and passages are compared with it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy

from loreweave.knowledge.asking.search.index_arrays import Array
from loreweave.knowledge.asking.search.read_query import SectionQuery, Slot

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
