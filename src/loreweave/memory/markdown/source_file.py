"""A file that an import has found, and how its name is shown."""

from collections.abc import Callable
from dataclasses import dataclass

_LONGEST = 300


@dataclass(frozen=True, slots=True)
class SourceFile:
    """`read` answers the bytes, or says in one sentence why not."""

    path: str
    read: Callable[[], bytes]


def is_memory_name(name: str) -> bool:
    """Whether a path is that of a Markdown file in no hidden place."""
    parts = name.split("/")
    return name.lower().endswith(".md") and not any(part.startswith(".") or part == "__MACOSX" for part in parts)


def shown_path(path: str) -> str:
    """Fit for a report: nothing that could steer a terminal or break an encoder, never long."""
    cut = path if len(path) <= _LONGEST else path[: _LONGEST - 1] + "…"
    return "".join(character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in cut)
