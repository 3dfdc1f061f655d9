"""Text that keeps to a number of tokens: whole where it fits, else as much as does, and a line on the rest."""

import json
import re
import sys
from collections.abc import Callable, Sequence
from typing import Any

from loreweave.errors import InvalidInput
from loreweave.language.tokens import count_tokens

MAX_TOKENS = 2000  # of an answer, where nobody asked for more
CUT = "[…]"
TOO_LITTLE = "Nothing fits; allow more tokens."
# Where a text may be cut: at the end of a line, and in a long one between words.
_PIECES = re.compile(r"\n|[^\n]{1,400}(?:(?<=\s)|(?=\n)|\Z)|[^\n]{1,400}")
_FENCE = re.compile(r"^[ \t]*(```+|~~~+)", re.MULTILINE)

Make = Callable[[int], str]


def most_parts(budget: int, make: Make, most: int) -> int | None:
    """Of `make(0)` to `make(most)` the one with the most parts that costs no more than the budget, if any does."""
    if count_tokens(make(most)) <= budget:
        return most
    fitting, too_many = -1, most
    while fitting + 1 < too_many:
        middle = (fitting + too_many) // 2
        if count_tokens(make(middle)) <= budget:
            fitting = middle
        else:
            too_many = middle
    return fitting if fitting >= 0 else None


def longest_fit(budget: int, make: Make, most: int) -> str:
    parts = most_parts(budget, make, most)
    if parts is not None:
        return make(parts)
    return TOO_LITTLE if count_tokens(TOO_LITTLE) <= budget else ""


def told_text(head: str, text: str, budget: int, more: Make, tail: Sequence[str] = ()) -> str:
    """Head and text, then lines of the tail as far as there is room. `more(n)` says how to get n tokens left out."""
    whole = f"{head}\n\n{text}" if text else head

    def beside(count: int) -> str:
        rest = [f"and {len(tail) - count} more"] if 0 < count < len(tail) else []
        return "\n\n".join([whole, "\n".join([*tail[:count], *rest])] if count else [whole])

    if count_tokens(whole) <= budget:
        return longest_fit(budget, beside, len(tail))
    pieces, tokens = _PIECES.findall(text), count_tokens(text)

    def cut(count: int) -> str:
        shown = "".join(pieces[:count]).rstrip()
        fences = _FENCE.findall(shown)
        closed = f"{shown}\n{fences[-1]}" if len(fences) % 2 else shown
        return f"{head}\n\n{closed}\n{CUT}\n\n{more(tokens - count_tokens(shown))}"

    return longest_fit(budget, cut, len(pieces) - 1)


def told_list(head: str, lines: Sequence[str], request: Any) -> str:
    """A page of a list, and a last line with how many more there are and how to get them."""
    start, budget = start_of(request.cursor), budget_of(request)
    page = lines[start : start + request.limit]

    def make(count: int) -> str:
        left = len(lines) - start - count
        shown = [head, "", *page[:count]] if count else [head]
        if left > 0:
            how = f'cursor: "{start + count}"' if count else "more tokens"
            shown += ["", f"{left} more: call again with {how}."]
        return "\n".join(shown)

    return longest_fit(budget, make, len(page))


def budget_of(request: Any) -> int:
    """Where a model can say how many it wants and does, that holds."""
    if "maxTokens" in type(request).model_fields:
        return int(request.maxTokens)
    return sys.maxsize if "limit" in request.model_fields_set else MAX_TOKENS


def start_of(cursor: str | None) -> int:
    if cursor is None:
        return 0
    if not (cursor.isascii() and cursor.isdigit() and len(cursor) < 10):
        raise InvalidInput("cursor is not one of ours", field="cursor")
    return int(cursor)


def told_record(record: dict[str, Any], budget: int) -> str:
    """Compact JSON; where it is too long its longest lists and texts are cut, and `leftOut` says by how much."""
    kept, left_out = dict(record), dict[str, int]()

    def written() -> str:
        told = {**kept, "leftOut": left_out} if left_out else kept
        return json.dumps(told, ensure_ascii=False, separators=(",", ":"))

    lengths = {name: len(json.dumps(value)) for name, value in record.items() if isinstance(value, list | str)}
    for name in sorted(lengths, key=lambda name: -lengths[name]):
        if count_tokens(written()) <= budget:
            break

        def make(count: int, name: str = name) -> str:
            kept[name], left_out[name] = record[name][:count], len(record[name]) - count
            return written()

        make(most_parts(budget, make, len(record[name])) or 0)
    return written()
