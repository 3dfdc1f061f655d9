"""The rows of one bucket as bytes: words, scopes and tags numbered within, so that any process reads them."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import fields

import numpy

from loreweave.memory.search.index_vocabulary import IndexVocabulary
from loreweave.memory.search.memory_rows import MemoryRows

Array = numpy.ndarray
_MAGIC = b"lore-memories-1\n"


def pack_rows(rows: MemoryRows, vocabulary: IndexVocabulary) -> bytes:
    """Equal rows give equal bytes only within one process: numbers follow its vocabulary."""
    words, tokens = _renumbered(rows.tokens >> 1, vocabulary.spellings)
    scopes, scope_numbers = _renumbered(rows.scopes, list(vocabulary.scopes))
    tags, tag_numbers = _renumbered(rows.tags, list(vocabulary.tags))
    changed = {"tokens": 2 * tokens + (rows.tokens & 1), "scopes": scope_numbers, "tags": tag_numbers}
    arrays = {entry.name: changed.get(entry.name, getattr(rows, entry.name)) for entry in fields(MemoryRows)}
    head = {
        "words": words,
        "scopes": scopes,
        "tags": tags,
        "arrays": [[name, array.dtype.str, list(array.shape)] for name, array in arrays.items()],
    }
    opening = json.dumps(head, ensure_ascii=False).encode()
    parts = [numpy.ascontiguousarray(array).tobytes() for array in arrays.values()]
    return b"".join([_MAGIC, len(opening).to_bytes(8, "little"), opening, *parts])


def unpack_rows(content: bytes, vocabulary: IndexVocabulary) -> MemoryRows:
    """Raises ValueError for bytes of another version: they are then read anew."""
    if not content.startswith(_MAGIC):
        raise ValueError("These bytes hold no memories of this version")
    start = len(_MAGIC) + 8
    place = start + int.from_bytes(content[len(_MAGIC) : start], "little")
    head = json.loads(content[start:place])
    arrays: dict[str, Array] = {}
    for name, kind, shape in head["arrays"]:
        count = int(numpy.prod(shape))
        arrays[name] = numpy.frombuffer(content, dtype=kind, count=count, offset=place).reshape(shape)
        place += arrays[name].nbytes
    if arrays.keys() != {entry.name for entry in fields(MemoryRows)}:
        raise ValueError("These bytes hold other columns of memories")
    words = _numbers(head["words"], vocabulary.number)
    tokens = arrays["tokens"]
    arrays["tokens"] = 2 * words[tokens >> 1] + (tokens & 1)
    arrays["scopes"] = _numbers(head["scopes"], vocabulary.scope)[arrays["scopes"]]
    arrays["tags"] = _numbers(head["tags"], vocabulary.tag)[arrays["tags"]]
    return MemoryRows(**arrays)


def _renumbered(numbers: Array, names: list[str]) -> tuple[list[str], Array]:
    used, places = numpy.unique(numbers, return_inverse=True)
    return [names[number] for number in used.tolist()], places.astype(numpy.int32)


def _numbers(names: list[str], number: Callable[[str], int]) -> Array:
    return numpy.array([number(name) for name in names], dtype=numpy.int32)
