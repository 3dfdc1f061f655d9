"""Memories that say nearly the same as a text.

Twins hardly differ, as candidates for a merge: in a few words that say nothing of the subject, or in one value. Texts
that differ in one value are twins up to ten; more are a series, such as a diary or a list of orders. No twin is missed:
telling words must be there all, and of the other words of a text all but a few. Near memories share most of their words
or their meaning.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy

from loreweave.contracts.memory_requests import MOST_SOURCES
from loreweave.entities.stored_memory import PLACES
from loreweave.index.index_arrays import Array, Rows, rows_of
from loreweave.index.read_chunks import MENTIONS
from loreweave.language.telling_words import NAME, WHOLE
from loreweave.memory.search.compare_words import compare_words, differences_reached
from loreweave.memory.search.differing_values import differing_values, signs_of, value_similarity
from loreweave.memory.search.memory_block import MemoryBlock
from loreweave.memory.search.memory_index import Filter, MemoryIndex
from loreweave.memory.search.read_memory_query import Meaning, largest
from loreweave.memory.search.read_memory_text import TextReading, content_words, is_plain, key_of

_NEW_SERIES = 120  # memories of which some may still be pairs: those of an import come by the hundred
_MANY = 256  # candidates that are not looked at one by one
_SURE = 3  # letters from which on a word is read as one word by every reader
Found = list[tuple[MemoryBlock, Array]]


def find_twins(
    index: MemoryIndex, reading: TextReading, scope: str, exclude_key: int | None
) -> list[tuple[str, float]]:
    """Most similar first, equal ones by id."""
    return _twins(index, reading.words, index.masks(Filter(scope, None)), exclude_key)


def _twins(
    index: MemoryIndex, own: list[str], masks: Sequence[Array], exclude_key: int | None
) -> list[tuple[str, float]]:
    if all(word[0] == WHOLE for word in own):
        return []
    found = dict(_value_twins(own, _alike(index, "skeletons", own, masks, exclude_key)))
    found.update(_word_twins(own, _alike(index, "signatures", own, masks, exclude_key)))
    return sorted(found.items(), key=lambda twin: (-twin[1], twin[0]))


def series_of(index: MemoryIndex, reading: TextReading, scope: str, exclude_key: int | None) -> list[str]:
    """The memories that this text has just made a series of; nothing where they are none, or long were one."""
    alike = _alike(index, "skeletons", reading.words, index.masks(Filter(scope, None)), exclude_key)
    is_new = MOST_SOURCES <= sum(len(some) for _, some in alike) <= _NEW_SERIES
    return [_node_text(block.columns.ids[one]) for block, some in alike for one in some.tolist()] if is_new else []


def _alike(index: MemoryIndex, sign: str, own: list[str], masks: Sequence[Array], exclude_key: int | None) -> Found:
    """For each part the memories of the same sign; most often there are none."""
    wanted = signs_of([own])[0][int(sign == "skeletons")]
    found = []
    for part, mask in zip(index.parts, masks, strict=True):
        columns = part.block.columns
        some = numpy.flatnonzero(mask & (getattr(columns, sign) == wanted))
        found.append((part.block, some[columns.keys[some] != (-1 if exclude_key is None else exclude_key)]))
    return found


def _value_twins(own: list[str], alike: Found) -> Iterator[tuple[str, float]]:
    if sum(len(some) for _, some in alike) >= MOST_SOURCES:
        return
    for block, some in alike:
        for one in some.tolist():
            other = content_words(block.text(one))
            if differing_values(own, other):
                yield _node_text(block.columns.ids[one]), value_similarity(max(len(own), len(other)))


def _word_twins(own: list[str], alike: Found) -> Iterator[tuple[str, float]]:
    reach = differences_reached(len(own))
    for block, some in alike:
        some = some[numpy.abs(block.columns.content_sizes[some] - len(own)) <= reach]
        for one in _overlapping(block, some, own, reach).tolist():
            similarity = compare_words(own, content_words(block.text(one)))
            if similarity is not None:
                yield _node_text(block.columns.ids[one]), similarity


def _overlapping(block: MemoryBlock, some: Array, own: list[str], reach: int) -> Array:
    """Of many memories those that hold all but so many of the words."""
    bare = {word.removeprefix(NAME) for word in own}
    sure = sorted(word for word in bare if word.isascii() and word.isalnum() and len(word) >= _SURE)
    if len(some) > _MANY and len(sure) > reach:  # of so many words a twin has one
        held_any = numpy.zeros(len(block), dtype=bool)
        for _, key in sorted((block.rows_with(key), key) for key in map(key_of, sure))[: reach + 1]:
            held_any[block.holders(key)] = True
        some = some[held_any[some]]
    if not len(some):
        return some
    numbers = [number for number in map(block.vocabulary.word_number, sure) if number >= 0]
    arrays = block.arrays
    bounds = arrays.row_word_starts[block.starts]
    held = arrays.row_words[rows_of(Rows(arrays.row_words, bounds), some)]
    owners = numpy.repeat(numpy.arange(len(some)), bounds[some + 1] - bounds[some])
    shared = numpy.bincount(owners[numpy.isin(held, numbers)], minlength=len(some))
    return some[shared >= len(sure) - reach]


def all_twins(index: MemoryIndex) -> Iterator[tuple[str, str, float]]:
    """(node id, node id, similarity); each pair from both sides."""
    masks = {
        scope: index.masks(Filter(scope, None)) for part in index.parts for scope in part.block.columns.scope_names
    }
    chosen = [numpy.flatnonzero(mask) for mask in index.masks(Filter(None, None))]
    for part, some in zip(index.parts, _with_fellows(index, chosen), strict=True):
        columns = part.block.columns
        for one in some.tolist():
            own, scope = content_words(part.block.text(one)), columns.scope_names[int(columns.scopes[one])]
            for other, similarity in _twins(index, own, masks[scope], int(columns.keys[one])):
                yield _node_text(columns.ids[one]), other, similarity


def _with_fellows(index: MemoryIndex, chosen: list[Array]) -> list[Array]:
    """Of each part the memories whose telling words, or all words but values, another one has too."""
    has_fellow = numpy.zeros(sum(map(len, chosen)), dtype=bool)
    for sign in ("signatures", "skeletons"):
        signs = [getattr(part.block.columns, sign)[some] for part, some in zip(index.parts, chosen, strict=True)]
        kinds = numpy.concatenate([numpy.zeros(0, dtype=numpy.uint64), *signs])
        order = numpy.argsort(kinds, kind="stable")
        same = kinds[order][1:] == kinds[order][:-1]
        has_fellow[order[1:][same]] = True
        has_fellow[order[:-1][same]] = True
    ends = numpy.cumsum([len(some) for some in chosen])
    return [some[has_fellow[end - len(some) : end]] for some, end in zip(chosen, ends, strict=True)]


NEAR = 0.6
COMPARED, MOST_COMPARED = 48, 256
WEIGHED, ASKED = 20, 10  # longest words of the text that are looked up; rarest of them that propose memories


def find_near(index: MemoryIndex, reading: TextReading, scope: str, limit: int) -> list[tuple[str, float]]:
    """Best first, equal ones by id. Similarity is that of the words or of the vectors, whichever is greater."""
    masks = index.live(scope).masks
    own = _own_keys(reading)
    places = _by_words(index, own, masks)
    meaning = _meaning(index, reading, masks)
    if meaning is not None:
        places = numpy.union1d(places, meaning.proposed(COMPARED))
    similarity = _shared_words(index, own, places)
    if meaning is not None:
        similarity = numpy.maximum(similarity, meaning.cosines(places))
    similarity = similarity.round(PLACES)
    near = numpy.flatnonzero(similarity >= NEAR)
    ids = index.gather(places[near], "ids")
    order = numpy.lexsort((ids[:, 1], ids[:, 0], -similarity[near]))[:limit].tolist()
    return [(_node_text(ids[place]), float(similarity[near[place]])) for place in order]


def _own_keys(reading: TextReading) -> set[str]:
    """What a content is told by, or all that it holds where that is nothing."""
    held = {mention.key for chunk in reading.content.split() for mention in MENTIONS[chunk]}
    return set(filter(is_plain, held)) or held


def _meaning(index: MemoryIndex, reading: TextReading, masks: list[Array]) -> Meaning | None:
    if not reading.vectors:
        return None
    return Meaning(index, numpy.frombuffer(reading.vectors, dtype=numpy.int8).reshape(len(reading.rows), -1), masks)


def _by_words(index: MemoryIndex, own: set[str], masks: list[Array]) -> Array:
    """Places of the memories that share the most of the rarest words."""
    held: list[tuple[int, str, list[Array]]] = []
    for key in sorted(own, key=lambda key: (-len(key), key)):
        found = [part.block.holders(key) for part in index.parts]
        if any(map(len, found)):
            holders = [some[mask[some]] for some, mask in zip(found, masks, strict=True)]
            held.append((sum(map(len, holders)), key, holders))
        if len(held) == WEIGHED:
            break
    weights = numpy.zeros(int(index.offsets[-1]))
    for count, _, holders in sorted((one for one in held if one[0]), key=lambda one: one[:2])[:ASKED]:
        for some, offset in zip(holders, index.offsets.tolist(), strict=False):
            weights[some + offset] += 1.0 / (1 + count.bit_length())
    places = numpy.flatnonzero(weights)
    return places[largest(weights[places], COMPARED, MOST_COMPARED)]


def _shared_words(index: MemoryIndex, own: set[str], places: Array) -> Array:
    """Twice the words that both hold, of the words that each holds."""
    found = [numpy.zeros(0)]
    for _, block, chosen in index.by_part(places):
        keys, owners = block.plain_keys(chosen)
        pairs = numpy.unique((owners.astype(numpy.int64) << 32) | keys)
        owners, keys = pairs >> 32, pairs & 0xFFFFFFFF
        known = [number for number in map(block.vocabulary.number, own) if number >= 0]
        shared = numpy.bincount(owners[numpy.isin(keys, known)], minlength=len(chosen))
        found.append(2.0 * shared / (len(own) + numpy.bincount(owners, minlength=len(chosen))).clip(1))
    return numpy.concatenate(found)


def _node_text(numbers: Array) -> str:
    digits = f"{int(numbers[0]):016x}{int(numbers[1]):016x}"
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))
