"""Memories whose texts hardly differ, as candidates for a merge.

No candidate is lost: with at most d differing words, one of any words that stand more than d times in a text is in the
other too, and telling words must be there all.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy

from loreweave.language.telling_words import NAME, WHOLE, is_telling
from loreweave.memory.search.compare_words import compare_words, differences_reached
from loreweave.memory.search.index_vocabulary import IndexVocabulary
from loreweave.memory.search.memory_block import MemoryBlock, signature
from loreweave.memory.search.memory_rows import node_text
from loreweave.memory.search.read_memory_text import TextReading

if TYPE_CHECKING:
    from loreweave.memory.search.memory_index import MemoryIndex

Array = numpy.ndarray
_WEIGHED = 64  # words of which the rarest are looked for, unless more are needed
_FEW = 2  # candidates that are compared without looking closer first


def find_twins(
    index: MemoryIndex, reading: TextReading, scope: str, exclude_key: int | None
) -> list[tuple[str, float]]:
    """Most similar first, equal ones by id."""
    own = reading.tokens()[0]
    terms = _sought_terms(index, own)
    if not terms:
        return []
    tokens = known_tokens(own, index.vocabulary)
    reach = differences_reached(len(own))
    found = []
    sign = numpy.uint64(signature(tokens[tokens >= 0], index.vocabulary))
    for part, mask in zip(index.parts, index.searched(scope), strict=True):
        block = part.block
        alike = mask & (numpy.abs(block.rows.content_sizes - len(own)) <= reach) & (block.signatures == sign)
        if not alike.any():  # most often no text is of the same length and tells of the same things
            continue
        held = [rows[alike[rows]] for rows in (block.postings(term)[0] for term in terms)]
        rows = numpy.unique(numpy.concatenate(held)).astype(numpy.int64)
        rows = rows[block.rows.keys[rows] != (-1 if exclude_key is None else exclude_key)]
        for row in _overlapping(block, rows, tokens, reach).tolist():
            similarity = compare_words(own, spelled(block.content(row), index.vocabulary))
            if similarity is not None:
                found.append((node_text(block.rows.ids[row]), similarity))
    return sorted(found, key=lambda twin: (-twin[1], twin[0]))


def known_tokens(marked: list[str], vocabulary: IndexVocabulary) -> Array:
    """The tokens of words, -1 for a word that no memory holds."""
    numbers = vocabulary.words
    return numpy.array([2 * number if (number := numbers.get(word.removeprefix(NAME))) is not None else -1
                        for word in marked], dtype=numpy.int32)  # fmt: skip


def spelled(tokens: Array, vocabulary: IndexVocabulary) -> list[str]:
    """Words with their marks."""
    spellings = vocabulary.spellings
    return [NAME * (token & 1) + spellings[token >> 1] for token in tokens.tolist()]


def _sought_terms(index: MemoryIndex, own: list[str]) -> list[int]:
    """Terms of which every twin has one; none where there can be no twin."""
    vocabulary = index.vocabulary
    counts = Counter(word.removeprefix(NAME) for word in own)
    numbers = {word: number for word in counts if (number := vocabulary.words.get(word)) is not None}
    telling = {word for word in counts if is_telling(word)} | {word[1:] for word in own if word[0] == NAME}
    if telling - numbers.keys():
        return []  # no memory holds it
    searched = [word for word in telling if word[0] != WHOLE]
    needed = 1
    if not searched:
        needed = differences_reached(len(own)) + 1
        searched = _longest([word for word in counts if word[0] != WHOLE], counts, max(needed, _WEIGHED))
    terms: list[int] = []
    for _, word, term in sorted(_holders(index, word, numbers.get(word)) for word in searched):
        if term >= 0:
            terms.append(term)
        needed -= 1 if telling else counts[word]
        if needed <= 0:
            break
    return terms


def _longest(words: list[str], counts: Counter[str], mentions: int) -> list[str]:
    """Long words are mostly rare; so many mentions are enough."""
    found = []
    for word in sorted(words, key=lambda word: (-len(word), word)):
        found.append(word)
        mentions -= counts[word]
        if mentions <= 0:
            break
    return found


def _holders(index: MemoryIndex, word: str, number: int | None) -> tuple[int, str, int]:
    """(how many memories hold it, the word, its term or -1)."""
    if number is None:
        return 0, word, -1
    term = int(index.vocabulary.terms_of(numpy.array([2 * number]))[0])
    return sum(len(part.block.postings(term)[0]) for part in index.parts), word, term


def _overlapping(block: MemoryBlock, rows: Array, tokens: Array, reach: int) -> Array:
    """Of many rows those that hold enough of the words."""
    if len(rows) <= _FEW:
        return rows
    held, owners = block.tokens_of(rows)
    shared = numpy.bincount(owners[numpy.isin(held >> 1, tokens >> 1)], minlength=len(rows))
    return rows[shared >= block.rows.content_sizes[rows] - reach]
