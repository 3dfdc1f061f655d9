"""What the best rows speak of beside the question: their most telling words, asked for as well, with less weight."""

from __future__ import annotations

import numpy

from loreweave.index.index_arrays import Array, IndexArrays
from loreweave.index.read_rows import MENTIONS
from loreweave.index.vocabulary import Vocabulary
from loreweave.knowledge.ranking.read_query import SectionQuery, Slot
from loreweave.language.stop_words import STOP_WORDS

LEAST_WORDS = 3  # of a question that is worth expanding
READ_ROWS = 10
MOST_KEYS = 15
WEIGHT = 0.35  # of the most telling one, beside a word that was asked for
COMMON_SHARE = 0.2  # of the rows: a word in more of them tells nothing
SHORTEST = 3


def telling_keys(
    arrays: IndexArrays, vocabulary: Vocabulary, rows: Array, scores: Array, wanted: SectionQuery
) -> list[Slot]:
    """How much the score of the best rows speaks for a word, times its rarity; ties in the order of the words."""
    asked = {key for slot in wanted.slots for key, _ in slot.alternatives}
    worth: dict[int, float] = {}
    for row, score in _best_rows(rows, scores):
        counts: dict[str, int] = {}
        for chunk in arrays.text(row).split(" "):
            for key, word, _, _, _ in MENTIONS[chunk]:
                if word is not None and len(word) >= SHORTEST and word not in STOP_WORDS:
                    counts[key] = counts.get(key, 0) + 1
        for key, count in counts.items():
            number = vocabulary.number(key)
            if number >= 0 and number not in asked:
                worth[number] = worth.get(number, 0.0) + score * count / (count + 1.0)
    most_rows = COMMON_SHARE * len(arrays.sections)
    told = [
        (value * float(arrays.rarity[key]), key) for key, value in worth.items() if arrays.holders[key] <= most_rows
    ]
    chosen = sorted(told, key=lambda found: (-found[0], found[1]))[:MOST_KEYS]
    return [Slot(((key, WEIGHT * value / chosen[0][0]),), asked=False) for value, key in chosen]


def _best_rows(rows: Array, scores: Array) -> list[tuple[int, float]]:
    if len(scores) > READ_ROWS:
        kept = scores >= numpy.partition(scores, -READ_ROWS)[-READ_ROWS]
        rows, scores = rows[kept], scores[kept]
    order = numpy.lexsort((rows, -scores))[:READ_ROWS]
    return list(zip(rows[order].tolist(), scores[order].tolist(), strict=True))
