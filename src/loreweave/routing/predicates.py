"""Asking what the caller wrote: functions that may throw, and must not be coroutines."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

from loreweave.routing.route_errors import BadCondition

Predicate = Callable[..., Any]


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
