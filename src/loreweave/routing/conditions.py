"""Conditions on a message as data: compared by value, written into files, drawn."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from loreweave.routing.route_errors import BadCondition
from loreweave.routing.route_values import RouteContext, ToolResult


@dataclass(frozen=True, slots=True)
class Keywords:
    """Holds where one of the phrases stands in the message as whole words, whatever the case."""

    phrases: tuple[str, ...]
    _compiled: re.Pattern[str] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        if not self.phrases:
            raise BadCondition("keywords needs at least one phrase")
        for phrase in self.phrases:
            if not isinstance(phrase, str) or not phrase.strip():
                raise BadCondition("a keyword must be a text that is not blank")
        either = "|".join(r"\s++".join(map(re.escape, phrase.split())) for phrase in self.phrases)
        object.__setattr__(self, "_compiled", re.compile(rf"(?<!\w)(?:{either})(?!\w)", re.IGNORECASE))

    def __call__(self, asked: RouteContext | ToolResult) -> bool:
        return self._compiled.search(_text_of(asked)) is not None


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
