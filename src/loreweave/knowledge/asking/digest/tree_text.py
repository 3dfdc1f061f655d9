"""One file of a digest's tree: a header of JSON values, which is YAML too, and a text below it."""

import json
import re
from typing import Any

from loreweave.errors import InvalidInput

_FOLDED = re.compile("[\x7f-\x9f\u2028\u2029\ufeff]")  # YAML would read them as breaks, or not at all


def write_entry(fields: dict[str, Any], body: str) -> bytes:
    """Lists stand one item a line: a change is one line of a diff."""
    lines = ["---"]
    for name, value in fields.items():
        if isinstance(value, list) and value:
            lines += [f"{name}:", *(f"- {_one_line(item)}" for item in value)]
        else:
            lines.append(f"{name}: {_one_line(value)}")
    return "\n".join([*lines, "---", "", body, ""]).encode()


def read_entry(data: bytes, name: str) -> tuple[dict[str, Any], str]:
    """What write_entry was given."""
    try:
        text = data.decode()
        if not text.startswith("---\n"):
            raise ValueError("no header")
        header, separator, body = text[4:].partition("\n---\n\n")
        if not separator or not body.endswith("\n"):
            raise ValueError("no text")
        return _fields(header), body[:-1]
    except ValueError as trouble:
        raise InvalidInput(f"{name} is no file of a digest's tree: {trouble}", field="tree", file=name) from None


def _fields(header: str) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    last: list[Any] = []
    for line in header.split("\n"):
        if line.startswith("- "):
            last.append(json.loads(line[2:]))
            continue
        name, colon, value = line.partition(":")
        if not colon:
            raise ValueError("a line without a name")
        last = []
        fields[name] = json.loads(value) if value else last
    return fields


def _one_line(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, sort_keys=True)
    return _FOLDED.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
