"""JSON to commit: sorted keys, two spaces, UTF-8, a final newline."""

import json
from json.encoder import encode_basestring
from typing import Any


def json_bytes(value: Any) -> bytes:
    """As json.dumps(value, ensure_ascii=False, indent=2, sort_keys=True), several times as fast."""
    return (_rendered(value, "\n") + "\n").encode()


def _rendered(value: Any, line: str) -> str:
    """`line` is a new line and what every line of the value's surroundings begins with."""
    if isinstance(value, str):
        return encode_basestring(value)
    inner = line + "  "
    if isinstance(value, dict):
        if not value:
            return "{}"
        fields = [f"{encode_basestring(key)}: {_rendered(value[key], inner)}" for key in sorted(value)]
        return f"{{{inner}{f',{inner}'.join(fields)}{line}}}"
    if isinstance(value, list | tuple):
        if not value:
            return "[]"
        items = [_rendered(item, inner) for item in value]
        return f"[{inner}{f',{inner}'.join(items)}{line}]"
    return json.dumps(value)
