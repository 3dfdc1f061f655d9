"""JSON as a lenient reader sees it, for arguments whose own reader names the field of whatever is wrong."""

import json
from collections.abc import Callable
from typing import Any

MOST_DIGITS = 400  # more than any number has that a float can hold
Pairs = list[tuple[str, Any]]


def lenient_json(text: str | bytes, pairs: Callable[[Pairs], Any] | None = None) -> Any:
    """Takes NaN, infinity, endless digits (as infinity) and halves of surrogate pairs; `ValueError` for no JSON."""
    try:
        return json.loads(text, parse_int=_number, object_pairs_hook=pairs)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _number(digits: str) -> float:
    """Reading very many digits as one whole number would take very long."""
    return int(digits) if len(digits) <= MOST_DIGITS else float("-inf" if digits.startswith("-") else "inf")


def name_given_twice(pairs: Pairs) -> str | None:
    """The first name that an object holds twice: which of its values is meant, nobody can say."""
    if len(dict(pairs)) == len(pairs):
        return None
    seen: set[str] = set()
    for name, _ in pairs:
        if name in seen:
            return name
        seen.add(name)
    return None
