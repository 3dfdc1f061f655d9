"""The tokens of many texts at once, exactly as `count_tokens` counts each of them."""

import re
from collections.abc import Sequence

import numpy

from loreweave.language.numbered_texts import NumberedTexts
from loreweave.language.tokens import blank_tokens, chunk_halves, count_tokens

_ORDINARY = bytes(code for code in range(128) if chr(code) in " \n" or not chr(code).isspace())
_STRANGE_BLANKS = re.compile(r"[^\S \n]")


def count_numbered(texts: Sequence[str], numbered: NumberedTexts, places: Sequence[int]) -> list[int]:
    """The tokens of the texts at these places; `numbered` holds them all."""
    after_blank = numpy.fromiter(chunk_halves(numbered.chunks, True), dtype=numpy.int64)
    opening = numpy.flatnonzero(numbered.opens_line)
    different, inverse = numpy.unique(numbered.numbers[opening], return_inverse=True)
    at_start = chunk_halves([numbered.chunks[number] for number in different.tolist()], False)
    halves = after_blank[numbered.numbers]
    halves[opening] = numpy.fromiter(at_start, dtype=numpy.int64)[inverse]
    sums = numpy.concatenate(([0], numpy.cumsum(halves)))[numbered.bounds].tolist()
    return [
        count_tokens(texts[place])
        if _has_strange_blanks(texts[place])
        else (sums[place + 1] - sums[place] + 1) // 2 + texts[place].count("\n") + blank_tokens(texts[place])
        for place in places
    ]


def _has_strange_blanks(text: str) -> bool:
    rest = text.encode("utf-8", "surrogatepass").translate(None, _ORDINARY)
    return bool(rest) and _STRANGE_BLANKS.search(rest.decode("utf-8", "surrogatepass")) is not None
