"""An index as bytes: a directory of arrays and the arrays themselves, read back without a copy."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Any

import numpy

from loreweave.index.index_arrays import IndexArrays

_MAGIC = b"lore-passages-2\n"
_ALIGNED = 64


def dump(arrays: IndexArrays) -> bytes:
    """Everything a search needs; the same index gives the same bytes."""
    directory: dict[str, list[object]] = {}
    parts: list[bytes] = []
    place = 0
    for entry in fields(IndexArrays):
        value = getattr(arrays, entry.name)
        if isinstance(value, numpy.ndarray):
            kind: list[object] = [value.dtype.str, list(value.shape)]
            data = numpy.ascontiguousarray(value).tobytes()
        elif isinstance(value, bytes | memoryview):
            kind, data = ["bytes", []], bytes(value)
        elif isinstance(value, str):
            kind, data = ["text", []], value.encode()
        else:
            kind, data = ["lines", []], "\n".join(value).encode("utf-8", "surrogatepass")
        directory[entry.name] = [place, len(data), *kind]
        padding = -len(data) % _ALIGNED
        parts += [data, bytes(padding)]
        place += len(data) + padding
    head = json.dumps(directory).encode()
    opening = _MAGIC + len(head).to_bytes(8, "little") + head
    return b"".join([opening, bytes(-len(opening) % _ALIGNED), *parts])


def load(data: bytes | memoryview) -> IndexArrays:
    """The arrays of `dump`. Raises ValueError for bytes of another version: the index is then to be built anew."""
    if bytes(data[: len(_MAGIC)]) != _MAGIC:
        raise ValueError("These bytes hold no index of this version")
    head_start = len(_MAGIC) + 8
    head_end = head_start + int.from_bytes(data[len(_MAGIC) : head_start], "little")
    directory = json.loads(bytes(data[head_start:head_end]))
    if directory.keys() != {entry.name for entry in fields(IndexArrays)}:
        raise ValueError("These bytes hold an index of other arrays")
    base = head_end + -head_end % _ALIGNED
    return IndexArrays(**{name: _value(data, base, *entry) for name, entry in directory.items()})


def _value(data: bytes | memoryview, base: int, place: int, size: int, kind: str, shape: list[int]) -> Any:
    start = base + place
    if kind in ("text", "lines"):
        text = bytes(data[start : start + size]).decode("utf-8", "surrogatepass")
        return text if kind == "text" else text.split("\n") if size else []
    if kind == "bytes":
        return data[start : start + size]
    dtype = numpy.dtype(kind)
    count = size // dtype.itemsize
    return numpy.frombuffer(data, dtype=dtype, count=count, offset=start).reshape(shape)
