"""How large and how deep JSON from outside is, found without recursion."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from loreweave.work.skill_plans.plan_limits import MOST_JSON_DEPTH


class JsonMeter:
    """Counts characters and values down; a value that holds itself is too deep or too large like any other."""

    def __init__(self, room: int) -> None:
        self._room = room

    def faults(self, value: Any) -> Iterator[str]:
        """At most one."""
        level = [value]
        for _ in range(MOST_JSON_DEPTH):
            deeper: list[Any] = []
            for one in level:
                self._room -= _size(one)
                if self._room < 0:
                    yield "is too large"
                    return
                if not _is_plain(one):
                    yield "must be plain JSON"
                    return
                deeper.extend(_inside(one))
            if not deeper:
                return
            level = deeper
        yield "is nested too deeply"


def _size(value: Any) -> int:
    if isinstance(value, str | dict | list):
        return 1 + len(value)
    return 1


def _inside(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [*value, *value.values()]
    return list(value) if isinstance(value, list) else []


def _is_plain(value: Any) -> bool:
    """What JSON, both databases and a wire can carry."""
    if isinstance(value, str):
        return "\0" not in value and _is_encodable(value)
    if isinstance(value, float):
        return math.isfinite(value)
    return value is None or isinstance(value, bool | int | dict | list)


def _is_encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
