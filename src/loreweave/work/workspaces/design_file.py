"""One design file: JSON of bounded size and depth, the same checks when it is written and when it is read."""

import json
import math
from typing import Any

from loreweave.errors import InvalidInput, TooLarge

LARGEST = 1024 * 1024  # bytes
DEEPEST = 200  # a chain of blocks nests two levels a block
MOST_VALUES = 100_000


def to_bytes(field: str, value: Any) -> bytes:
    """The file's content; what could not be read again is refused, naming the field."""
    if fault := find_fault(value):
        raise InvalidInput(f"{field} {fault}", field=field)
    data = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode() + b"\n"
    if len(data) > LARGEST:
        raise TooLarge(f"{field} is larger than {LARGEST} bytes", what=field, limit=LARGEST)
    return data


def from_bytes(file: str, data: bytes, kind: type[dict[str, Any]] | type[list[Any]]) -> Any:
    """The value of a file; what is no such value is refused, naming the file."""
    try:
        value = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        raise unreadable(file, "is not valid JSON") from None
    entries = value if isinstance(value, list) else []
    if not isinstance(value, kind) or not all(isinstance(entry, dict) for entry in entries):
        raise unreadable(file, "must hold an object" if kind is dict else "must hold a list of objects")
    if fault := find_fault(value):
        raise unreadable(file, fault)
    return value


def unreadable(file: str, fault: str) -> InvalidInput:
    return InvalidInput(f"{file} {fault}", field="workspace_path", file=file)


def find_fault(value: Any) -> str:
    """Why a value is no JSON that can be kept and sent; nothing where it is. Hostile nesting costs no stack."""
    waiting = [(value, 1)]
    seen = 0
    while waiting:
        entry, depth = waiting.pop()
        seen += 1
        if depth > DEEPEST:
            return f"is nested deeper than {DEEPEST} levels"
        if seen > MOST_VALUES:
            return f"holds more than {MOST_VALUES} values"
        if fault := _own_fault(entry):
            return fault
        if isinstance(entry, dict):
            waiting += [(part, depth + 1) for pair in entry.items() for part in pair]
        elif isinstance(entry, list):
            waiting += [(part, depth + 1) for part in entry]
    return ""


def _own_fault(entry: Any) -> str:
    if isinstance(entry, str):
        return "" if _is_unicode(entry) else "holds text that is not valid Unicode"
    if isinstance(entry, float):
        return "" if math.isfinite(entry) else "holds a number that JSON does not know"
    return "" if entry is None or isinstance(entry, bool | int | dict | list) else "holds what JSON does not know"


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
