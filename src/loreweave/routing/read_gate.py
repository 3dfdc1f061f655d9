"""The gate in front of the model: which skill it may open, and what it is told."""

from __future__ import annotations

from dataclasses import dataclass

from loreweave.routing.skill_graph import SkillGraph


@dataclass(frozen=True, slots=True)
class ReadAnswer:
    """What the model is told: the skill's body, or which ids are allowed."""

    accepted: bool
    text: str
    allowed: tuple[str, ...]


def answer_read(graph: SkillGraph, cursor: str | None, allowed: tuple[str, ...], requested: str) -> ReadAnswer:
    if requested in allowed:
        return ReadAnswer(True, graph.skill(requested).body, allowed)
    return ReadAnswer(False, f"{_reason(cursor, requested)} {_allowed(allowed)}", allowed)


def _reason(cursor: str | None, requested: str) -> str:
    if requested == cursor:
        return f'The skill "{requested}" is open already.'
    return f'The skill "{requested}" cannot be opened from here.'


def _allowed(allowed: tuple[str, ...]) -> str:
    if not allowed:
        return "There is no other skill to open."
    named = ", ".join(f'"{one}"' for one in allowed)  # exactly as they are: the model repeats them
    return f"Allowed: {named}."
