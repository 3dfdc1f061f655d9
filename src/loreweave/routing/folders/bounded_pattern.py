"""Patterns that came from a file: whoever wrote them, compiling one and searching with it stays cheap.

An engine lays repeats out before it searches, some of them twice, so one line can ask for gigabytes. Hence a pattern
is judged by its text alone before anything compiles it. The text is read as the standard library reads it, and the
engine that knows a time limit is handed what was read: nothing in it can mean something else there.
"""

from __future__ import annotations

import re
import warnings
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from loreweave.contracts.route_values import RouteContext
from loreweave.routing.declaring.conditions import Keywords, search_allowance
from loreweave.routing.graph_problems import BadCondition

MOST_CHARACTERS = 500
MOST_NESTED = 10
MOST_REPEATS = 10_000  # of one thing, by all the repeats around it
MOST_LAID_OUT = 50_000  # of all things together
FEW_PARTS = 200  # a pattern that is no larger is compiled in a moment
FLAG_LETTERS = {"i": re.IGNORECASE, "m": re.MULTILINE, "s": re.DOTALL, "x": re.VERBOSE}
_TOKEN = re.compile(
    r"""
    (?P<escape> \\N\{[^}]*+\} | \\. )
    | (?P<set> \[ \^?+ \]?+ (?: [^\]\\] | \\. )*+ \] )
    | (?P<comment> \(\?\# (?: [^)\\] | \\. )*+ \) )
    | (?P<flags> \(\? (?P<on>[aiLmsux]*+) (?: - (?P<off>[a-z]*+) )?+ (?P<scope>[:)]) )
    | (?P<back> \(\?P=\w*+\) )
    | (?P<group> \( (?: \? (?: P<\w*+> | <[=!] | \(\w*+\) | [=!>] ) )?+ )
    | (?P<end> \) )
    | (?P<repeat> (?: [*+?] | \{ (?!\}) (?P<least>[0-9]*+) (?P<comma> , (?P<most>[0-9]*+) )?+ \} ) [?+]?+ )
    | (?P<plain> . )
    """,
    re.VERBOSE | re.DOTALL,
)
_REMARK = re.compile(r"\#(?:[^\\\n]|\\.)*+\n?|[ \t\n\r\v\f]++", re.DOTALL)
_OPENED = re.compile(r"\\.|\[", re.DOTALL)


@dataclass(frozen=True, slots=True)
class BoundedPattern:
    """Searches like a compiled pattern, and is a condition on the message. Raises TimeoutError when it gives up."""

    pattern: str
    flags: int = re.UNICODE
    _is_large: bool = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        if not self.pattern:
            raise BadCondition("a pattern needs a regular expression")
        object.__setattr__(self, "_is_large", read_pattern(self.pattern, self.flags)[1] > FEW_PARTS)
        search_allowance().take_pattern(self.pattern, self.flags)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # what the library would have its own authors know
                re.compile(self.pattern, self.flags)
        except (re.error, RecursionError, OverflowError) as error:
            raise BadCondition(f"the pattern {self.pattern[:100]!r} cannot be read: {error}") from None

    def search(self, string: str, /) -> object | None:
        if not self._is_large:
            _few_parts(self)
        with search_allowance().one_search() as seconds:  # compiling a large one is part of what it takes
            found: object | None = (_many_parts if self._is_large else _few_parts)(self).search(string, timeout=seconds)
        return found

    def __call__(self, ctx: RouteContext) -> bool:
        return self.search(ctx.user_message) is not None


class BoundedKeywords(Keywords):
    """Phrases that came from a file: thousands of them are as endless as a pattern."""

    __slots__ = ()

    def found_in(self, text: str, seconds: float) -> bool:
        with search_allowance().one_search() as allowed:
            return super().found_in(text, min(seconds, allowed))


def _compiled(condition: BoundedPattern) -> Any:
    """In the engine that knows a time limit; it is loaded with the first search."""
    import regex  # type: ignore[import-untyped]

    flags = int(condition.flags & ~(re.UNICODE | re.VERBOSE)) | regex.VERSION0 | regex.UNICODE
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return regex.compile(read_pattern(condition.pattern, condition.flags)[0], flags, cache_pattern=False)


# What is kept stays below two hundred megabytes, whatever the patterns are.
_few_parts = lru_cache(maxsize=1_024)(_compiled)
_many_parts = lru_cache(maxsize=8)(_compiled)


class _Frame:
    """One level of groups: how large what was read in it would be laid out, and the last thing in it."""

    __slots__ = ("laid_out", "last", "last_repeats", "repeats", "verbose")

    def __init__(self, verbose: bool) -> None:
        self.verbose = verbose
        self.laid_out = self.repeats = 1
        self.last = self.last_repeats = 0

    def add(self, laid_out: int = 1, repeats: int = 1) -> None:
        self.last, self.last_repeats = laid_out, repeats
        self.laid_out += laid_out
        self.repeats = max(self.repeats, repeats)

    def repeat(self, token: re.Match[str]) -> None:
        """`+` and its kin are laid out once more than they must be met; one without an end counts by its least."""
        least = int(token["least"] or token[0].startswith("+"))
        most = token["most"] if token["comma"] else token["least"]
        times = max(int(most) if most else least, 1)
        copies = times if most else least + 1
        self.laid_out += self.last * (copies - 1)
        self.last *= copies
        self.last_repeats *= times
        self.repeats = max(self.repeats, self.last_repeats)


def read_pattern(pattern: str, flags: int) -> tuple[str, int]:
    """The same without comments and `x`, and how many parts it is laid out in; BadCondition where it asks too much."""
    if len(pattern) > MOST_CHARACTERS:
        raise BadCondition(f"a pattern has at most {MOST_CHARACTERS:,} characters")
    read: list[str] = []
    frames = [_Frame(bool(flags & re.VERBOSE))]
    position, parted = 0, False
    while position < len(pattern):
        remark = _REMARK.match(pattern, position) if frames[-1].verbose else None
        token = remark or _TOKEN.match(pattern, position)
        assert token is not None  # one sign at least
        position = token.end()
        if remark or token.lastgroup == "comment":
            parted = True
            continue
        text = _read_token(token, frames)
        if parted and text.isalnum() and read and read[-1].startswith("\\"):
            read.append("(?:)")  # else it would be taken for a part of the escape
        parted = False
        read.append(text)
        if len(frames) > MOST_NESTED + 1:
            raise BadCondition(f"a pattern is nested at most {MOST_NESTED} deep")
        if frames[-1].repeats > MOST_REPEATS:
            raise BadCondition(f"the repeats of a pattern multiply to at most {MOST_REPEATS:,}")
        if frames[-1].laid_out > MOST_LAID_OUT:
            raise BadCondition(f"a pattern with its repeats laid out has at most {MOST_LAID_OUT:,} parts")
    return "".join(read), sum(frame.laid_out for frame in frames)


def _read_token(token: re.Match[str], frames: list[_Frame]) -> str:
    text, frame, kind = token[0], frames[-1], token.lastgroup
    if kind == "flags":
        on, off = token["on"].replace("x", ""), (token["off"] or "").replace("x", "")
        verbose = (frame.verbose or "x" in token["on"]) and "x" not in (token["off"] or "")
        if token["scope"] == ")":
            frame.verbose = verbose
            return f"(?{on})" if on else ""
        frames.append(_Frame(verbose))
        return f"(?{on}-{off}:" if off else f"(?{on}:"
    if kind == "group":
        frames.append(_Frame(frame.verbose))
    elif kind == "end" and len(frames) > 1:
        frames.pop()
        frames[-1].add(frame.laid_out, frame.repeats)
    elif kind == "repeat":
        frame.repeat(token)
    else:
        frame.add()
    if kind == "set":
        return "[" + _OPENED.sub(lambda found: "\\[" if found[0] == "[" else found[0], text[1:])
    return "\\{" if text == "{" else text
