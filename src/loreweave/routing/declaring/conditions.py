"""Asking what others wrote: functions that may throw and are no coroutines, words and patterns of a message as data."""

from __future__ import annotations

import inspect
import math
import re
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import Any

from loreweave.contracts.route_values import RouteContext, ToolResult
from loreweave.routing.graph_problems import BadCondition

Predicate = Callable[..., Any]
SEARCH_SECONDS = 0.05  # of one search with a stranger's pattern
REQUEST_SECONDS = 0.5  # of all of them while one question is answered
MOST_PATTERNS = 1_000  # that one folder may hold


def check_predicate(predicate: object, where: str) -> None:
    """Refuses what cannot be asked."""
    if not callable(predicate):
        raise BadCondition(f"{where} needs a function as its condition, not {type(predicate).__name__}")
    if inspect.iscoroutinefunction(predicate) or inspect.iscoroutinefunction(type(predicate).__call__):
        raise BadCondition(f"{where} has a coroutine function as its condition; conditions are plain functions")


def requires_second(predicate: Predicate) -> bool:
    """Whether a second parameter must be given."""
    try:
        parameters = inspect.signature(predicate).parameters.values()
    except (TypeError, ValueError):
        return False
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return sum(one.kind in kinds and one.default is inspect.Parameter.empty for one in parameters) >= 2


class PredicateFailed(Exception):
    """Inside one evaluation: the predicate raised this; it did not match."""

    def __init__(self, error: str) -> None:
        super().__init__(error)
        self.error = error


def ask_predicate(ask: Predicate, *subjects: object) -> bool:
    """The answer as a bool. An exception becomes PredicateFailed; an awaitable answer is a mistake and raises."""
    try:
        answer = ask(*subjects)
        if answer is True or answer is False:
            return answer
        awaited = isinstance(answer, Awaitable)
        truth = False if awaited else bool(answer)
    except Exception as error:
        raise PredicateFailed(_sentence(error)) from error
    if awaited:
        if inspect.iscoroutine(answer):
            answer.close()  # it will never run, and need not complain about that
        raise TypeError(f"the condition {_name(ask)} answered an awaitable; conditions are plain functions")
    return truth


def _sentence(error: Exception) -> str:
    try:
        text = str(error)
    except Exception:
        text = ""
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _name(ask: Predicate) -> str:
    while isinstance(ask, partial):
        ask = ask.func
    return getattr(ask, "__name__", None) or type(ask).__name__


class SearchAllowance:
    """What the patterns of strangers may cost while one question is answered: work, not waiting for a processor."""

    __slots__ = ("_left", "_patterns")

    def __init__(self) -> None:
        self._left = REQUEST_SECONDS
        self._patterns: set[tuple[str, int]] = set()

    def take_pattern(self, pattern: str, flags: int) -> None:
        self._patterns.add((pattern, flags))
        if len(self._patterns) > MOST_PATTERNS:
            raise BadCondition(f"the files of a graph hold at most {MOST_PATTERNS:,} patterns")

    @contextmanager
    def one_search(self) -> Iterator[float]:
        """The seconds it may take; TimeoutError where none are left."""
        if self._left <= 0:
            raise TimeoutError(f"the patterns of this question took {REQUEST_SECONDS * 1_000:.0f} ms together")
        began = time.thread_time()
        try:
            yield min(SEARCH_SECONDS, self._left)
        finally:
            self._left -= time.thread_time() - began


_ALLOWED: ContextVar[SearchAllowance | None] = ContextVar("allowed", default=None)


def search_allowance() -> SearchAllowance:
    """That of the question being answered; outside of one, a new one."""
    return _ALLOWED.get() or SearchAllowance()


@contextmanager
def one_question() -> Iterator[None]:
    """A question that another one asks shares what that one has left."""
    before = _ALLOWED.set(search_allowance())
    try:
        yield
    finally:
        _ALLOWED.reset(before)


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
        until = time.thread_time() + seconds
        for phrase in self._folded:
            if time.thread_time() > until:
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
