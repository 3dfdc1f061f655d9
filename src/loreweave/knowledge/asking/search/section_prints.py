"""Prints of sections: equal where everything that an index reads of them is equal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import blake2b

import numpy

from loreweave.entities.digest import SearchedSection
from loreweave.knowledge.asking.search.index_arrays import Array

PRINT_BYTES = 16

KnownPrints = Mapping[str, tuple[SearchedSection, bytes]]  # by id


def section_prints(sections: Sequence[SearchedSection], known: KnownPrints) -> list[bytes]:
    """One for each; a section that is known itself, not only by its id, is not read again."""
    prints = []
    for section in sections:
        found = known.get(section.id)
        prints.append(found[1] if found and found[0] is section else _print(section))
    return prints


def as_array(prints: Sequence[bytes]) -> Array:
    return numpy.frombuffer(b"".join(prints), dtype=numpy.uint8).reshape(-1, PRINT_BYTES)


def as_list(prints: Array) -> list[bytes]:
    data = prints.tobytes()
    return [data[start : start + PRINT_BYTES] for start in range(0, len(data), PRINT_BYTES)]


def _print(section: SearchedSection) -> bytes:
    """Lengths go before the texts, so that no text can pass for another's end."""
    texts = (section.id, section.title, section.heading or "", section.text, section.summary)
    every = (*texts, *section.terms, *section.literals)
    shape = f"{section.heading is None} {len(section.terms)} {list(map(len, every))} "
    return blake2b((shape + "".join(every)).encode("utf-8", "surrogatepass"), digest_size=PRINT_BYTES).digest()
