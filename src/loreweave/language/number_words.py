"""The words of a large text by number, equal words under one: megabytes without an object a word.

A dict asks for a Python object a word; over megabytes that costs more than what is then done with the words.
"""

from typing import Any

import numpy

_WIDTHS = (8, 16, 32)  # bytes a word may have to be compared as one, two or four numbers; longer ones go to a dict
_MASKS = numpy.array([(1 << 8 * size) - 1 for size in range(9)], dtype=numpy.uint64)
_FACTORS = numpy.array(
    (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0xD6E8FEB86659FD93, 0xA0761D6478BD642F), dtype=numpy.uint64
)
_BLANKS = bytes(chr(code) in "\t\n\r " for code in range(256))
_HALF = numpy.uint64(32)
_SLOT_BITS = 16
_SHIFT = numpy.uint64(64 - _SLOT_BITS)
_ROUNDS = 6  # what still shares its slot with another word then goes to the dict


def word_spans(text: bytes) -> tuple[Any, Any]:
    """Where words start and end, between blanks, tabs and line ends."""
    blank = numpy.frombuffer(b"\1" + text.translate(_BLANKS) + b"\1", dtype=bool)
    edges = numpy.flatnonzero(blank[1:] != blank[:-1])
    return edges[::2], edges[1::2]


def words_by_line(text: bytes) -> Any:
    """How many words each line of a text has."""
    starts, _ = word_spans(text)
    line_ends = numpy.flatnonzero(numpy.frombuffer(text, dtype=numpy.uint8) == ord("\n"))
    return numpy.diff(numpy.concatenate(([0], numpy.searchsorted(starts, line_ends), [len(starts)])))


def number_words(text: bytes, starts: Any, ends: Any) -> tuple[list[bytes], Any]:
    """The different words of these spans, in no particular order, and for each span the number of its word."""
    numbers = numpy.empty(len(starts), dtype=numpy.intp)
    firsts: list[Any] = []  # for each number a span that holds its word
    left: list[Any] = []
    count = 0
    padded = text + bytes(_WIDTHS[-1])
    # Eight bytes from every position on, without a copy.
    eights = numpy.ndarray((len(padded) - 7,), dtype="<u8", buffer=padded, strides=(1,))
    sizes = ends - starts
    least = 0
    for width in _WIDTHS:
        some = numpy.flatnonzero((sizes > least) & (sizes <= width))
        least = width
        if len(some):
            chosen, over = _representatives(_keys(eights, starts[some], sizes[some], width))
            left.append(some[over])
            is_first = numpy.zeros(len(some), dtype=bool)
            settled = numpy.delete(numpy.arange(len(some)), over) if len(over) else slice(None)
            chosen = chosen[settled]
            is_first[chosen] = True
            of_first = numpy.cumsum(is_first) + (count - 1)
            numbers[some[settled]] = of_first[chosen]
            firsts.append(some[is_first])
            count += len(firsts[-1])
    left.append(numpy.flatnonzero(sizes > least))
    spans = numpy.concatenate(firsts) if firsts else numpy.empty(0, dtype=numpy.intp)
    words = [text[start:end] for start, end in zip(starts[spans].tolist(), ends[spans].tolist(), strict=True)]
    _number_by_dict(text, starts, ends, numpy.concatenate(left), words, numbers)
    return words, numbers


def _keys(eights: Any, starts: Any, sizes: Any, width: int) -> list[Any]:
    """The bytes of each word, filled up with zeros, as so many numbers."""
    return [eights[starts + skipped] & _MASKS.take(sizes - skipped, mode="clip") for skipped in range(0, width, 8)]


def _representatives(keys: list[Any]) -> tuple[Any, Any]:
    """For each word the place of an equal one, the same for all equals; and the places that remain unsettled."""
    mixed = keys[0] * _FACTORS[0]
    for key, factor in zip(keys[1:], _FACTORS[1:], strict=False):
        mixed ^= key * factor
    mixed ^= mixed >> _HALF
    mixed *= _FACTORS[0]
    mixed >>= _SHIFT
    slots = mixed.view(numpy.int64)
    chosen = numpy.zeros(len(slots), dtype=numpy.intp)
    table = numpy.zeros(1 << _SLOT_BITS, dtype=numpy.intp)
    left = numpy.arange(len(slots))
    for _ in range(_ROUNDS):
        table[slots] = left
        found = table[slots]
        other = keys[0][found] != keys[0][left]
        for key in keys[1:]:
            other |= key[found] != key[left]
        chosen[left] = found
        left, slots = left[other], slots[other]
        if not len(left):
            break
    return chosen, left


def _number_by_dict(text: bytes, starts: Any, ends: Any, left: Any, words: list[bytes], numbers: Any) -> None:
    known: dict[bytes, int] = {}
    found = []
    for start, end in zip(starts[left].tolist(), ends[left].tolist(), strict=True):
        word = text[start:end]
        number = known.get(word)
        if number is None:
            number = known[word] = len(words)
            words.append(word)
        found.append(number)
    numbers[left] = found
