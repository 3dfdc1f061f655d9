"""Conditions on a message as data: compared by value, written into files, drawn."""

from __future__ import annotations

import math
import re
import time
from dataclasses import dataclass, field
from functools import lru_cache

from loreweave.routing.route_errors import BadCondition
from loreweave.routing.route_values import RouteContext, ToolResult


@dataclass(frozen=True, slots=True)
class Keywords:
    """Holds where one of the phrases stands in the message as whole words, whatever the case."""

    phrases: tuple[str, ...]
    _folded: tuple[str, ...] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        if not self.phrases:
            raise BadCondition("keywords needs at least one phrase")
        for phrase in self.phrases:
            if not isinstance(phrase, str) or not phrase.strip():
                raise BadCondition("a keyword must be a text that is not blank")
        object.__setattr__(self, "_folded", tuple(map(_fold_case, self.phrases)))

    def __call__(self, asked: RouteContext | ToolResult) -> bool:
        return self.found_in(_text_of(asked), math.inf)

    def found_in(self, text: str, seconds: float) -> bool:
        """Looks for one phrase after the other, which takes time in proportion to the text."""
        folded = _known_fold(text)
        until = time.perf_counter() + seconds
        for phrase in self._folded:
            if time.perf_counter() > until:
                raise TimeoutError("the keywords took too long")
            at = folded.find(phrase)
            while at >= 0:
                end = at + len(phrase)
                if not _is_word(folded[at - 1 : at]) and not _is_word(folded[end : end + 1]):
                    return True
                at = folded.find(phrase, at + 1)
        return False


def _fold_case(text: str) -> str:
    """Equal for texts that differ in case or in the blanks between words; an i is an i with any dot or none."""
    return " ".join(text.upper().casefold().replace("\u0307", "").split())


_known_fold = lru_cache(maxsize=4)(_fold_case)  # every entry is asked about the same message


def _is_word(letter: str) -> bool:
    return letter.isalnum() or letter == "_"


@dataclass(frozen=True, slots=True)
class MessagePattern:
    """Holds where the expression is found in the message, whatever the case."""

    regex: str
    flags: int = re.IGNORECASE
    _compiled: re.Pattern[str] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        if not isinstance(self.regex, str) or not self.regex:
            raise BadCondition("a pattern needs a regular expression")
        try:
            compiled = re.compile(self.regex, self.flags)
        except (re.error, RecursionError, OverflowError) as error:
            raise BadCondition(f"the pattern {self.regex!r} cannot be read: {error}") from error
        object.__setattr__(self, "_compiled", compiled)

    def __call__(self, asked: RouteContext | ToolResult) -> bool:
        return self._compiled.search(_text_of(asked)) is not None


def keywords(*phrases: str) -> Keywords:
    """An entry condition: any of the phrases, as whole words, whatever the case."""
    return Keywords(phrases)


def pattern(regex: str | re.Pattern[str]) -> MessagePattern:
    """An entry condition: the expression found anywhere, whatever the case."""
    if isinstance(regex, re.Pattern):
        if not isinstance(regex.pattern, str):
            raise BadCondition("a pattern over bytes cannot read a message")
        return MessagePattern(regex.pattern, regex.flags | re.IGNORECASE)
    return MessagePattern(regex)


def _text_of(asked: RouteContext | ToolResult) -> str:
    """On a route the condition reads the result."""
    return asked.user_message if isinstance(asked, RouteContext) else str(asked.result)
