"""Names inside sentences."""

from __future__ import annotations


def quote_name(name: str) -> str:
    """In double quotes and on one line, so that a problem stays one line."""
    return '"' + " ".join(name.split()) + '"'
