"""Patterns that came from a file: whoever wrote them, one search takes 50 ms at most and then gives up."""

from __future__ import annotations

import re
import warnings
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from loreweave.routing.conditions import Keywords
from loreweave.routing.route_errors import BadCondition
from loreweave.routing.route_values import RouteContext, ToolResult

MOST_SECONDS = 0.05
MOST_CHARACTERS = 1_000
FLAG_LETTERS = {"i": re.IGNORECASE, "m": re.MULTILINE, "s": re.DOTALL, "x": re.VERBOSE}


@dataclass(frozen=True, slots=True)
class BoundedPattern:
    """Searches like a compiled pattern, and is a condition on the message. Raises TimeoutError when it gives up."""

    pattern: str
    flags: int = re.UNICODE

    def __post_init__(self) -> None:
        if not self.pattern:
            raise BadCondition("a pattern needs a regular expression")
        if len(self.pattern) > MOST_CHARACTERS:
            raise BadCondition(f"a pattern has at most {MOST_CHARACTERS} characters")
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # what the library would have its own authors know
                re.compile(self.pattern, self.flags)
        except (re.error, RecursionError, OverflowError) as error:
            raise BadCondition(f"the pattern {self.pattern[:100]!r} cannot be read: {error}") from None

    def search(self, string: str, /) -> object | None:
        found: object | None = _compiled(self.pattern, self.flags).search(string, timeout=MOST_SECONDS)
        return found

    def __call__(self, ctx: RouteContext) -> bool:
        return self.search(ctx.user_message) is not None


class BoundedKeywords(Keywords):
    """Phrases that came from a file: thousands that begin alike can be as endless as a pattern."""

    __slots__ = ()

    def __call__(self, asked: RouteContext | ToolResult) -> bool:
        text = asked.user_message if isinstance(asked, RouteContext) else str(asked.result)
        pattern = self._compiled
        return _compiled(pattern.pattern, pattern.flags).search(text, timeout=MOST_SECONDS) is not None


@lru_cache(maxsize=512)
def _compiled(pattern: str, flags: int) -> Any:
    """In the engine that knows a time limit; it is loaded with the first search."""
    import regex  # type: ignore[import-untyped]

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return regex.compile(pattern, int(flags & ~re.UNICODE) | regex.VERSION0 | regex.UNICODE)
