"""All memories whose texts hardly differ, at once: only those can, whose telling words are the same."""

from collections.abc import Iterator

import numpy

from loreweave.memory.search.index_parts import Filter
from loreweave.memory.search.memory_index import MemoryIndex
from loreweave.memory.search.memory_rows import node_text
from loreweave.memory.search.memory_twins import find_twins, spelled
from loreweave.memory.search.read_memory_text import TextReading

Array = numpy.ndarray


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
    """Of each part the rows whose scope and telling words another row has too."""
    blocks = [part.block for part in index.parts]
    if not blocks:
        return []
    kinds = numpy.concatenate([block.signatures[rows] for block, rows in zip(blocks, chosen, strict=True)])
    scopes = numpy.concatenate([block.rows.scopes[rows] for block, rows in zip(blocks, chosen, strict=True)])
    order = numpy.lexsort((scopes, kinds))
    same = (kinds[order][1:] == kinds[order][:-1]) & (scopes[order][1:] == scopes[order][:-1])
    has_fellow = numpy.zeros(len(order), dtype=bool)
    has_fellow[order[1:][same]] = True
    has_fellow[order[:-1][same]] = True
    ends = numpy.cumsum([len(rows) for rows in chosen])
    return [rows[has_fellow[end - len(rows) : end]] for rows, end in zip(chosen, ends, strict=True)]
