"""Memories whose texts hardly differ, as candidates for a merge: in a few words that say nothing of the subject, or in
one value. Texts that differ in one value are twins up to ten; more are a series, such as a diary or a list of orders.

No candidate is lost: with at most d differing words, one of any words that stand more than d times in a text is in the
other too, and telling words must be there all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import numpy

from loreweave.contracts.memory_requests import MOST_SOURCES
from loreweave.language.telling_words import NAME, WHOLE, is_telling
from loreweave.memory.search.compare_words import compare_words, differences_reached
from loreweave.memory.search.differing_values import differing_values, symbol, value_similarity
from loreweave.memory.search.index_parts import Filter, MemoryBlock, Part, signature, skeleton
from loreweave.memory.search.memory_index import MemoryIndex
from loreweave.memory.search.memory_rows import IndexVocabulary, node_text
from loreweave.memory.search.read_memory_text import TextReading

Array = numpy.ndarray
_WEIGHED = 64  # words of which the rarest are looked for, unless more are needed
_ENOUGH = 256  # rows of a part that are looked through without asking for words first
_NEW_SERIES = 120  # memories of which some may still be pairs: those of an import come by the hundred
_FEW = 2  # candidates that are compared without looking closer first


def find_twins(
    index: MemoryIndex, reading: TextReading, scope: str, exclude_key: int | None
) -> list[tuple[str, float]]:
    """Most similar first, equal ones by id."""
    own = reading.tokens()[0]
    if all(word[0] == WHOLE for word in own):
        return []
    tokens = known_tokens(own, index.vocabulary)
    found = dict(_value_twins(index, own, tokens, scope, exclude_key))
    if not _tells_unknown(index.vocabulary, own):
        found.update(_word_twins(index, own, tokens, scope, exclude_key))
    return sorted(found.items(), key=lambda twin: (-twin[1], twin[0]))


def series_of(index: MemoryIndex, reading: TextReading, scope: str, exclude_key: int | None) -> list[str]:
    """The memories that this text has just made a series of; nothing where they are none, or long were one."""
    own = reading.tokens()[0]
    rows = _of_skeleton(index, own, known_tokens(own, index.vocabulary), scope, exclude_key)
    is_new = MOST_SOURCES <= sum(len(some) for _, some in rows) <= _NEW_SERIES
    return [node_text(part.block.rows.ids[row]) for part, some in rows for row in some.tolist()] if is_new else []


def _value_twins(
    index: MemoryIndex, own: list[str], tokens: Array, scope: str, exclude_key: int | None
) -> Iterator[tuple[str, float]]:
    alike = _of_skeleton(index, own, tokens, scope, exclude_key)
    if sum(len(rows) for _, rows in alike) >= MOST_SOURCES:
        return
    for part, rows in alike:
        for row in rows.tolist():
            other = spelled(part.block.content(row), index.vocabulary)
            if differing_values(own, other):
                yield node_text(part.block.rows.ids[row]), value_similarity(max(len(own), len(other)))


def _of_skeleton(
    index: MemoryIndex, own: list[str], tokens: Array, scope: str, exclude_key: int | None
) -> list[tuple[Part, Array]]:
    """For each part the rows whose words are the same but for values."""
    if any(symbol(word.removeprefix(NAME)) for word, token in zip(own, tokens.tolist(), strict=True) if token < 0):
        return []
    kind = numpy.uint64(skeleton(tokens[tokens >= 0], index.vocabulary))
    found = []
    for part, mask in zip(index.parts, index.searched(scope), strict=True):
        rows = numpy.flatnonzero(mask & (part.block.skeletons == kind))
        found.append((part, rows[part.block.rows.keys[rows] != (-1 if exclude_key is None else exclude_key)]))
    return found


def _word_twins(
    index: MemoryIndex, own: list[str], tokens: Array, scope: str, exclude_key: int | None
) -> Iterator[tuple[str, float]]:
    reach = differences_reached(len(own))
    alike = _alike(index, scope, exclude_key, tokens, reach)
    terms = _sought_terms([part for part, rows in alike if len(rows) > _ENOUGH], index.vocabulary, own)
    for part, rows in alike:
        block = part.block
        if len(rows) > _ENOUGH:
            rows = _holding(block, rows, terms)
        for row in _overlapping(block, rows, tokens, reach).tolist():
            similarity = compare_words(own, spelled(block.content(row), index.vocabulary))
            if similarity is not None:
                yield node_text(block.rows.ids[row]), similarity


def _alike(
    index: MemoryIndex, scope: str, exclude_key: int | None, tokens: Array, reach: int
) -> list[tuple[Part, Array]]:
    """For each part the rows of about the same length that tell of the same things; most often there are none."""
    sign = numpy.uint64(signature(tokens[tokens >= 0], index.vocabulary))
    found = []
    for part, mask in zip(index.parts, index.searched(scope), strict=True):
        rows = part.block.rows
        near = numpy.abs(rows.content_sizes - len(tokens)) <= reach
        alike = numpy.flatnonzero(mask & near & (part.block.signatures == sign))
        found.append((part, alike[rows.keys[alike] != (-1 if exclude_key is None else exclude_key)]))
    return found


def _holding(block: MemoryBlock, rows: Array, terms: list[int]) -> Array:
    """Those of the rows that hold one of the terms."""
    wanted = numpy.zeros(len(block.rows.keys), dtype=bool)
    wanted[rows] = True
    held = numpy.zeros(len(wanted), dtype=bool)
    for term in terms:
        held[block.postings(term)[0]] = True
    return numpy.flatnonzero(wanted & held)


def known_tokens(marked: list[str], vocabulary: IndexVocabulary) -> Array:
    """The tokens of words, -1 for a word that no memory holds."""
    numbers = vocabulary.words
    return numpy.array([2 * number if (number := numbers.get(word.removeprefix(NAME))) is not None else -1
                        for word in marked], dtype=numpy.int32)  # fmt: skip


def spelled(tokens: Array, vocabulary: IndexVocabulary) -> list[str]:
    """Words with their marks."""
    spellings = vocabulary.spellings
    return [NAME * (token & 1) + spellings[token >> 1] for token in tokens.tolist()]


def _tells_unknown(vocabulary: IndexVocabulary, own: list[str]) -> bool:
    """Whether a text holds a telling word that no memory holds."""
    return any(word not in vocabulary.words for word in _telling(own))


def _telling(own: list[str]) -> set[str]:
    return {word[1:] if word[0] == NAME else word for word in own if word[0] == NAME or is_telling(word)}


def _sought_terms(parts: Sequence[Part], vocabulary: IndexVocabulary, own: list[str]) -> list[int]:
    """Terms of which every twin in these parts has one, as rare in them as can be found cheaply."""
    if not parts:
        return []
    counts = Counter(word.removeprefix(NAME) for word in own)
    numbers = {word: number for word in counts if (number := vocabulary.words.get(word)) is not None}
    telling = _telling(own)
    searched = [word for word in telling if word[0] != WHOLE]
    needed = 1
    if not searched:
        needed = differences_reached(len(own)) + 1
        searched = _longest([word for word in counts if word[0] != WHOLE], counts, max(needed, _WEIGHED))
    terms: list[int] = []
    for _, word, term in sorted(_holders(parts, vocabulary, word, numbers.get(word)) for word in searched):
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


def _holders(parts: Sequence[Part], vocabulary: IndexVocabulary, word: str, number: int | None) -> tuple[int, str, int]:
    """(how many memories hold it, the word, its term or -1)."""
    if number is None:
        return 0, word, -1
    term = int(vocabulary.terms_of(numpy.array([2 * number]))[0])
    return sum(len(part.block.postings(term)[0]) for part in parts), word, term


def _overlapping(block: MemoryBlock, rows: Array, tokens: Array, reach: int) -> Array:
    """Of many rows those that hold enough of the words."""
    if len(rows) <= _FEW:
        return rows
    held, owners = block.tokens_of(rows)
    shared = numpy.bincount(owners[numpy.isin(held >> 1, tokens >> 1)], minlength=len(rows))
    return rows[shared >= block.rows.content_sizes[rows] - reach]


def all_twins(index: MemoryIndex) -> Iterator[tuple[str, str, float]]:
    """(node id, node id, similarity); each pair from both sides."""
    scopes = {number: scope for scope, number in index.vocabulary.scopes.items()}
    chosen = [numpy.flatnonzero(mask) for mask in index.masks(Filter(None, None))]
    for part, rows in zip(index.parts, _with_fellows(index, chosen), strict=True):
        for row in rows.tolist():
            words = " ".join(spelled(part.block.content(row), index.vocabulary))
            reading = TextReading("", f"{words}\n".encode(), b"")
            own, key = node_text(part.block.rows.ids[row]), int(part.block.rows.keys[row])
            for other, similarity in find_twins(index, reading, scopes[int(part.block.rows.scopes[row])], key):
                yield own, other, similarity


def _with_fellows(index: MemoryIndex, chosen: list[Array]) -> list[Array]:
    """Of each part the rows whose scope, and telling words or all words but values, another row has too."""
    blocks = [part.block for part in index.parts]
    if not blocks:
        return []
    scopes = numpy.concatenate([block.rows.scopes[rows] for block, rows in zip(blocks, chosen, strict=True)])
    has_fellow = numpy.zeros(len(scopes), dtype=bool)
    for column in ("signatures", "skeletons"):
        kinds = numpy.concatenate([getattr(block, column)[rows] for block, rows in zip(blocks, chosen, strict=True)])
        order = numpy.lexsort((scopes, kinds))
        same = (kinds[order][1:] == kinds[order][:-1]) & (scopes[order][1:] == scopes[order][:-1])
        has_fellow[order[1:][same]] = True
        has_fellow[order[:-1][same]] = True
    ends = numpy.cumsum([len(rows) for rows in chosen])
    return [rows[has_fellow[end - len(rows) : end]] for rows, end in zip(chosen, ends, strict=True)]
