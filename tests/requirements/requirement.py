"""One binding sentence."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Requirement:
    """One binding sentence, where it comes from, and what is not yet shown of it."""

    text: str
    source: str
    gap: str | None = None
