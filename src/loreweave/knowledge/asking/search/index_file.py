"""An index as bytes: a directory of arrays and the arrays themselves, read back without a copy."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Any

import numpy

from loreweave.knowledge.asking.search.index_arrays import IndexArrays
from loreweave.knowledge.asking.search.section_index import SectionIndex
from loreweave.seams.embedding.embedder import Embedder

_MAGIC = b"lore-sections-2\n"
_ALIGNED = 64


def dump(index: SectionIndex) -> bytes:
    """Everything a search needs; the same index gives the same bytes."""
    directory: dict[str, list[object]] = {}
    parts: list[bytes] = []
    place = 0
    for entry in fields(IndexArrays):
        value = getattr(index.arrays, entry.name)
        if isinstance(value, numpy.ndarray):
            kind: list[object] = [value.dtype.str, list(value.shape)]
            data = numpy.ascontiguousarray(value).tobytes()
        elif isinstance(value, bytes):
            kind, data = ["bytes", []], value
        elif entry.name in ("keys", "words"):
            kind, data = ["lines", []], "\n".join(value).encode("utf-8", "surrogatepass")
        else:
            kind, data = ["json", []], json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")
        directory[entry.name] = [place, len(data), *kind]
        padding = -len(data) % _ALIGNED
        parts += [data, bytes(padding)]
        place += len(data) + padding
    head = json.dumps(directory).encode()
    opening = _MAGIC + len(head).to_bytes(8, "little") + head
    return b"".join([opening, bytes(-len(opening) % _ALIGNED), *parts])


def load(data: bytes, embedder: Embedder | None = None) -> SectionIndex:
    """The index of `dump`. With an embedder other than the one it was built with it ranks by words alone.

    Raises ValueError for bytes of another version: the index is then to be built anew.
    """
    if not data.startswith(_MAGIC):
        raise ValueError("These bytes hold no section index of this version")
    head_start = len(_MAGIC) + 8
    head_end = head_start + int.from_bytes(data[len(_MAGIC) : head_start], "little")
    directory = json.loads(data[head_start:head_end])
    if directory.keys() != {entry.name for entry in fields(IndexArrays)}:
        raise ValueError("These bytes hold a section index of other arrays")
    base = head_end + -head_end % _ALIGNED
    values = {name: _value(data, base, *entry) for name, entry in directory.items()}
    return SectionIndex(IndexArrays(**values), embedder)


def _value(data: bytes, base: int, place: int, size: int, kind: str, shape: list[int]) -> Any:
    start = base + place
    if kind == "bytes":
        return data[start : start + size]
    if kind == "lines":
        return data[start : start + size].decode("utf-8", "surrogatepass").split("\n") if size else []
    if kind == "json":
        return json.loads(data[start : start + size].decode("utf-8", "surrogatepass"))
    dtype = numpy.dtype(kind)
    count = size // dtype.itemsize
    return numpy.frombuffer(data, dtype=dtype, count=count, offset=start).reshape(shape)
