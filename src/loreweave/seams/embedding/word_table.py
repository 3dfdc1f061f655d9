"""Finds many words of a vocabulary at once: a hash table over arrays, with keys compared in full.

A dict asks for a Python object a word; over megabytes that costs more than all the sums that follow.
"""

from __future__ import annotations

import numpy

_SLOTS_BITS = 17  # four slots a token; the few tokens that lose theirs to another are found the slow way
_KEY_BYTES = 8
_LONGEST = 2 * _KEY_BYTES
_FIRST_MASKS, _SECOND_MASKS = (
    numpy.array([(1 << 8 * min(max(size - skipped, 0), 8)) - 1 for size in range(_LONGEST + 1)], dtype=numpy.uint64)
    for skipped in (0, _KEY_BYTES)
)
_FIRST, _SECOND = numpy.uint64(0x9E3779B97F4A7C15), numpy.uint64(0xC2B2AE3D27D4EB4F)
_SHIFT = numpy.uint64(64 - _SLOTS_BITS)
_HALF = numpy.uint64(32)


def word_spans(text: bytes) -> tuple[numpy.ndarray, numpy.ndarray]:
    """Where words start and end; everything up to the blank counts as a blank."""
    blank = numpy.frombuffer(b" " + text + b" ", dtype=numpy.uint8) <= ord(" ")
    edges = numpy.flatnonzero(blank[1:] != blank[:-1])
    return edges[::2], edges[1::2]


class WordTable:
    """The lines of a vocabulary by number."""

    def __init__(self, vocabulary: bytes) -> None:
        self._keys = _keys(vocabulary, *word_spans(vocabulary))
        self._slots = numpy.zeros(1 << _SLOTS_BITS, dtype=numpy.intp)
        backwards = numpy.arange(len(self._keys[0]))[::-1]  # of two in a slot the first, more common one stays
        self._slots[_slots(*self._keys)[::-1]] = backwards

    def find(self, text: bytes, starts: numpy.ndarray, ends: numpy.ndarray) -> numpy.ndarray:
        """The number of each word of a text, or -1: not known here, which is no proof that it is absent."""
        first, second = _keys(text, starts, ends)
        found = self._slots.take(_slots(first, second))
        other = self._keys[0].take(found) != first
        other |= self._keys[1].take(found) != second
        other |= ends - starts > _LONGEST
        found[other] = -1
        return found


def _keys(text: bytes, starts: numpy.ndarray, ends: numpy.ndarray) -> tuple[numpy.ndarray, numpy.ndarray]:
    """The first sixteen bytes of each word, filled up with zeros, as two numbers."""
    padded = text + bytes(_LONGEST)
    # Eight bytes from every position on, without a copy.
    eights = numpy.ndarray((len(text) + _KEY_BYTES,), dtype="<u8", buffer=padded, strides=(1,))
    sizes = numpy.minimum(ends - starts, _LONGEST)
    first = eights[starts] & _FIRST_MASKS.take(sizes)
    return first, eights[starts + _KEY_BYTES] & _SECOND_MASKS.take(sizes)


def _slots(first: numpy.ndarray, second: numpy.ndarray) -> numpy.ndarray:
    mixed = first * _FIRST
    mixed ^= second * _SECOND
    mixed ^= mixed >> _HALF
    mixed *= _FIRST
    mixed >>= _SHIFT
    return mixed.view(numpy.int64)
