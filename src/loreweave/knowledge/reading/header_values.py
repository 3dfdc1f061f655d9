"""What a header can hold, and the ways in which reading one ends early."""

from typing import TypeAlias

Value: TypeAlias = "str | list[Value] | dict[str, Value] | None"
Pairs = list[tuple[str, Value, int]]  # key as written, value, line counted from 0 inside the header

NULLS = frozenset(("", "~", "null", "Null", "NULL"))


class NotAHeader(Exception):
    """What stands between the rules is no mapping: the file has no header."""


class HeaderRefused(Exception):
    """A header that is not worth its cost: anchors, aliases, too deep or too large."""

    def __init__(self, reason: str, line: int) -> None:
        super().__init__(reason)
        self.reason = reason
        self.line = line


class YamlFailed(Exception):
    """Not YAML; simple lines may still be readable."""

    def __init__(self, reason: str, line: int) -> None:
        super().__init__(reason)
        self.reason = reason
        self.line = line
