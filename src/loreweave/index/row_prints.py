"""Prints of rows: equal where everything that an index reads of them is equal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import blake2b

import numpy

from loreweave.entities.digest import SearchedPassage, SearchedSection
from loreweave.index.index_arrays import Array

PRINT_BYTES = 16

KnownPrints = Mapping[str, tuple[SearchedSection, tuple[bytes, ...]]]  # by id of the section


def row_prints(rows: Sequence[SearchedPassage], known: KnownPrints) -> list[bytes]:
    """One for each; of a section that is known itself, not only by its id, none is read again."""
    prints = []
    for row in rows:
        found = known.get(row.section.id)
        prints.append(found[1][row.number] if found and found[0] is row.section else _print(row))
    return prints


def as_array(prints: Sequence[bytes]) -> Array:
    return numpy.frombuffer(b"".join(prints), dtype=numpy.uint8).reshape(-1, PRINT_BYTES)


def as_list(prints: Array) -> list[bytes]:
    data = prints.tobytes()
    return [data[start : start + PRINT_BYTES] for start in range(0, len(data), PRINT_BYTES)]


def _print(row: SearchedPassage) -> bytes:
    """Lengths go before the texts, so that no text can pass for another's end."""
    section, literals = row.section, row.literals
    texts = (section.id, str(row.number), section.title, section.above, section.heading or "", row.text)
    every = (*texts, section.summary, *section.called, *section.terms, *literals)
    shape = f"{section.heading is None} {len(section.called)} {len(section.terms)} {list(map(len, every))} "
    return blake2b((shape + "".join(every)).encode("utf-8", "surrogatepass"), digest_size=PRINT_BYTES).digest()
