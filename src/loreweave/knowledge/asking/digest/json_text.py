"""JSON to commit: sorted keys, two spaces, UTF-8, a final newline."""

import json
from functools import lru_cache
from json.encoder import encode_basestring
from typing import Any


def json_bytes(value: Any) -> bytes:
    """As json.dumps(value, ensure_ascii=False, indent=2, sort_keys=True), many times as fast."""
    return (_rendered(value, "\n") + "\n").encode()


def _rendered(value: Any, line: str) -> str:
    """`line` is a new line and what every line of the value's surroundings begins with."""
    kind = type(value)
    inner = line + "  "
    if kind is dict and value:
        fields = [name + _simple(value[key], inner) for key, name in _names(tuple(value), inner)]
        return f"{{{','.join(fields)}{line}}}"
    if kind is list and value:
        try:
            items = list(map(encode_basestring, value))  # most lists are lists of words
        except TypeError:
            items = [_simple(item, inner) for item in value]
        return f"[{inner}{f',{inner}'.join(items)}{line}]"
    return json.dumps(value, ensure_ascii=False)


def _simple(value: Any, line: str) -> str:
    kind = type(value)
    if kind is str:
        return encode_basestring(value)
    return repr(value) if kind is int else _rendered(value, line)


@lru_cache(1024)
def _names(keys: tuple[str, ...], inner: str) -> list[tuple[str, str]]:
    """Keys in order, each with how it is written: the same few shapes come again and again."""
    return [(key, f"{inner}{encode_basestring(key)}: ") for key in sorted(keys)]
