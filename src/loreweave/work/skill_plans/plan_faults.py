"""What may be wrong with a plan: the limits of plans, flows and runs, and the faults of a value, field by field.

Lengths of single texts stand in the contract's values. Nothing here looks into what is nested by recursion.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from loreweave.contracts.argument_values import Fault, faults_of
from loreweave.contracts.skill_plan import MOST_STEPS, STEP_TYPES
from loreweave.language.strange_text import is_unicode

MOST_NESTED = 10  # branches inside one another, each one counted
MOST_TREE_STEPS = 500  # of one plan, those in branches too
MOST_FRAMES = 10  # skills inside one another, the plan itself counted
MOST_RUN_STEPS = 10_000  # of one run: skills that call skills multiply, and a run must end
MOST_FILLED = 100_000  # characters of one text once its templates are filled in
MOST_WRITTEN = 10_000_000  # characters that the steps of one run may write in all
MOST_JSON_DEPTH = 400  # fifty blocks in a row are about a hundred; JSON readers give up near a thousand
MOST_JSON_SIZE = 1_000_000  # characters and values of all flows of one request, or of one answer


class PlanFailure(Exception):
    """Why a run ends before its end, in one sentence for people: it becomes the message of the run's last event."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


def step_faults(step: Any, path: str) -> list[Fault]:
    """The faults of one step; the steps inside a branch are only counted."""
    if not isinstance(step, dict):
        return [Fault(path, "must be an object")]
    kind = step.get("type")
    model = STEP_TYPES.get(kind) if isinstance(kind, str) else None
    if model is None:
        return [Fault(f"{path}.type", f"must be one of {', '.join(STEP_TYPES)}")]
    inner = step.get("thenSteps")
    if kind != "branch" or not isinstance(inner, list):
        return faults_of(model, step, path)
    return [*faults_of(model, {**step, "thenSteps": []}, path), *count_faults(inner, f"{path}.thenSteps")]


def count_faults(steps: list[Any], path: str) -> list[Fault]:
    return [Fault(path, f"must hold at most {MOST_STEPS} steps")] if len(steps) > MOST_STEPS else []


class JsonMeter:
    """How large and deep JSON from outside is, by counting characters and values down; a value that holds itself is too
    deep or too large like any other."""

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
        return "\0" not in value and is_unicode(value)
    if isinstance(value, float):
        return math.isfinite(value)
    return value is None or isinstance(value, bool | int | dict | list)
