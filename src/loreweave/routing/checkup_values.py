"""What a check-up says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

# Problems come in this order; those of one code in the order of registration or declaration.
PROBLEM_CODES = (
    "unknown-skill",
    "no-entry",
    "unreachable-skill",
    "model-edge-only",
    "ambiguous-routes",
    "self-loop",
    "multi-entry-fanout",
    "shadowed-entry",
    "duplicate-declaration",
    "end-has-routes",
    "no-path-to-end",
    "body-foreign-tool",
    "body-unknown-tool",
    "name-mismatch",
    "skill-skipped",
    "dangling-link",
    "unordered-entries",
    "route-tool-not-owned",
    "body-too-long",
    "duplicate-description",
)
NOTE_CODES = ("cycle", "unbound-predicate", "vendor-key-ignored")


@dataclass(frozen=True, slots=True)
class GraphProblem:
    """One finding and what it is about."""

    kind: Literal["error", "warning", "note"]
    code: str
    message: str
    skill: str | None = None
    from_: str | None = None
    to: str | None = None
    file: str | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True)
class GraphCheckup:
    """`ok` unless there is an error; warnings and notes never spoil it."""

    ok: bool
    problems: tuple[GraphProblem, ...] = ()
    notes: tuple[GraphProblem, ...] = ()

    def __str__(self) -> str:
        return "\n".join(f"  [{found.kind}] {found.code}: {found.message}" for found in self.problems)
