"""Many texts cut at blanks and line ends, each different chunk of them held once.

Tokens, index words and vectors are all made of such chunks. Texts repeat most of theirs, so what a chunk means is
worked out once and counted where it stands.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy

from loreweave.language.number_words import number_words, word_spans


@dataclass(frozen=True, slots=True)
class NumberedTexts:
    """Which chunk stands where. Text i holds the places from `bounds[i]` to `bounds[i + 1]`."""

    chunks: list[str]  # each different one once
    numbers: Any  # for each place the number of its chunk
    bounds: Any


def number_texts(texts: Sequence[str]) -> NumberedTexts:
    encoded = [text.encode("utf-8", "surrogatepass") for text in texts]
    together = b"\n".join(encoded)
    starts, ends = word_spans(together)
    words, numbers = number_words(together, starts, ends)
    # All at once: words hold no line end.
    chunks = b"\n".join(words).decode("utf-8", "surrogatepass").split("\n") if words else []
    bounds = numpy.searchsorted(starts, numpy.cumsum([0, *(len(text) + 1 for text in encoded)]))
    return NumberedTexts(chunks, numbers, bounds)


def spread(numbers: Any, sizes: Any, members: Any) -> Any:
    """Each number replaced by its members, where those of one number follow on those of the number before it."""
    if len(sizes) and sizes.min() == sizes.max() == 1:
        return members[numbers]
    counts = sizes[numbers]
    shift = (numpy.cumsum(sizes) - sizes)[numbers] - (numpy.cumsum(counts) - counts)
    return members[numpy.repeat(shift, counts) + numpy.arange(counts.sum())]
