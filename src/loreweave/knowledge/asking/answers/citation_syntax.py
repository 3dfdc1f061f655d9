"""Links, tags and definitions of Markdown at the beginning of a text that may still grow.

Every function looks at no more than `LIMIT` characters and answers with what it found, `MORE` where the text must go
on before it can be told, or None. Patterns are possessive: none of them ever goes back over what it has read.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal

LIMIT = 2_048


class _More:
    """The text must go on."""


MORE: Final = _More()

_SPACE = r"[ \t]*+(?:\n[ \t]*+)?+"  # at most one line ends inside a link
_ATTRIBUTE = r"""(?:\s++[A-Za-z_:][\w.:-]*+(?:\s*+=\s*+(?>[^\s"'=<>`]++|'[^']*+'|"[^"]*+"))?+)"""
_TAG = re.compile(
    rf"<(?:[A-Za-z][A-Za-z0-9-]*+{_ATTRIBUTE}*+\s*+/?>|/[A-Za-z][A-Za-z0-9-]*+\s*+>|!-->|!--->|![A-Za-z][^>]*+>)"
)
_TAG_BEGUN = re.compile(
    rf"""<(?:[A-Za-z][A-Za-z0-9-]*+{_ATTRIBUTE}*+\s*+(?:=\s*+(?:'[^']*+|"[^"]*+)?+)?+/?"""
    r"|/(?:[A-Za-z][A-Za-z0-9-]*+\s*+)?+|!(?:[A-Za-z][^>]*+)?)?",
)
_INERT = {"<!--": "-->", "<?": "?>", "<![CDATA[": "]]>"}  # whatever stands in between
_INERT_BEGUN = ("<!-", "<![", "<?")
_AUTOLINK = re.compile(r"<(?:[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*+|[\w.!#$%&'*+/=?^`{|}~-]++@[\w.-]++)>")
_AUTOLINK_BEGUN = re.compile(r"<(?:[A-Za-z][A-Za-z0-9+.-]{0,31}(?::[^\s<>]*+)?|[\w.!#$%&'*+/=?^`{|}~@-]++)")

_TITLE = r"""(?>"(?:[^"\\]|\\.)*+"|'(?:[^'\\]|\\.)*+'|\((?:[^()\\]|\\.)*+\))"""
_TITLE_BEGUN = r"""(?>"(?:[^"\\]|\\.)*+\\?|'(?:[^'\\]|\\.)*+\\?|\((?:[^()\\]|\\.)*+\\?)"""
_ANGLED = r"<(?:[^<>\n\\]|\\.)*+>"
_TAIL_END = re.compile(rf"{_SPACE}(?:{_TITLE}{_SPACE})?\)", re.DOTALL)
_TAIL_BEGUN = re.compile(rf"{_SPACE}(?:{_TITLE}{_SPACE}|{_TITLE_BEGUN})?", re.DOTALL)
_LABEL = r"(?:[^\[\]\\]|\\.){1,999}+"
_DEFINED = re.compile(rf"\[({_LABEL})\]:{_SPACE}", re.DOTALL)
_DEFINED_BEGUN = re.compile(rf"\[(?:[^\[\]\\]|\\.){{0,999}}+(?:\\|\](?::{_SPACE})?+)?+", re.DOTALL)
_DEFINITION_END = re.compile(rf"[ \t]*+(?:(?<=[ \t]){_TITLE}[ \t]*+)?(?:\n|\Z)", re.DOTALL)
_DEFINITION_TAIL = re.compile(rf"[ \t]*+(?:(?<=[ \t])(?:{_TITLE}[ \t]*+|{_TITLE_BEGUN}))?", re.DOTALL)
_REFERENCE = re.compile(r"\[([^\[\]<>`\\!]{0,200}+)\](?![\[(])")
_REFERENCE_BEGUN = re.compile(r"\[[^\[\]<>`\\!]{0,200}+\]?")
_SIMPLE = re.compile(r"[^()\s\x00-\x1f\\]*+")
_MARKS = re.compile(r"\\[!-/:-@\[-`{-~]|[()\s\x00-\x1f]")  # what counts in an address; the escaped does not
_DEEPEST = 32  # parentheses inside one another, as renderers have it
_TOO_DEEP = re.compile(rf"(?:{_SIMPLE.pattern}\(){{{_DEEPEST + 1}}}")


@dataclass(frozen=True, slots=True)
class FoundReference:
    """`length` characters belong to it; url and label where it has them."""

    length: int
    url: str = ""
    label: str = ""


Answer = FoundReference | _More | None


def read_tag(text: str) -> tuple[Literal["tag", "autolink"], Answer]:
    """At `<`: an HTML tag, comment or instruction, or an address in angle brackets."""
    window = text[:LIMIT]
    if found := _AUTOLINK.match(window):
        return "autolink", FoundReference(found.end(), url=found.group()[1:-1])
    if found := _TAG.match(window):
        return "tag", FoundReference(found.end())
    if window.startswith(_INERT_BEGUN):
        return "tag", _read_inert(window)
    begun = _TAG_BEGUN.fullmatch(window) or _AUTOLINK_BEGUN.fullmatch(window)
    return "tag", MORE if begun else None


def _read_inert(window: str) -> Answer:
    for opening, closing in _INERT.items():
        if window.startswith(opening) and (end := window.find(closing, len(opening))) >= 0:
            return FoundReference(end + len(closing))
    return MORE


def read_link_tail(text: str) -> Answer:
    """At `(` behind a label: destination and title up to `)`."""
    window = text[:LIMIT]
    opened = re.match(rf"\({_SPACE}", window)
    assert opened is not None
    destination = _read_destination(window, opened.end(), closing=True)
    if isinstance(destination, _More):
        return MORE
    if destination is None:
        return None
    end, url = destination
    if closed := _TAIL_END.match(window, end):
        return FoundReference(closed.end(), url=url)
    return MORE if _TAIL_BEGUN.fullmatch(window, end) else None


def read_definition(text: str, final: bool) -> Answer:
    """At `[` where a line begins: `[label]: address "title"` with its line end."""
    window = text[:LIMIT]
    waiting = None if final else MORE
    begun = _DEFINED.match(window)
    if begun is None:
        return waiting if _DEFINED_BEGUN.fullmatch(window) else None
    if not begun[1].strip():
        return None
    destination = _read_destination(window, begun.end(), closing=False)
    if isinstance(destination, _More):
        if not final:
            return MORE
        destination = (len(window), window[begun.end() :])
    if destination is None or destination[0] == begun.end():
        return None if begun.end() < len(window) else waiting
    end, url = destination
    if (stop := window.find("\n", end)) < 0 and not final:
        return MORE if _DEFINITION_TAIL.fullmatch(window, end) else None
    closed = _DEFINITION_END.match(window[: stop + 1] if stop >= 0 else window, end)
    return FoundReference(closed.end(), url=url, label=begun[1]) if closed else None


def read_reference(text: str, final: bool) -> Answer:
    """At `[` behind a label: the label of a definition, or nothing between the brackets."""
    window = text[:LIMIT]
    found = _REFERENCE.match(window)
    if found and (final or found.end() < len(window)):
        return FoundReference(found.end(), label=found[1])
    return MORE if not final and _REFERENCE_BEGUN.fullmatch(window) else None


def _read_destination(window: str, start: int, *, closing: bool) -> tuple[int, str] | _More | None:
    """Where the address ends and what it is; MORE where the window ends inside it."""
    if window[start : start + 1] == "<":
        if angled := re.compile(_ANGLED).match(window, start):
            return angled.end(), angled.group()[1:-1]
        return None if "\n" in window[start:] or "<" in window[start + 1 :] else MORE
    simple = _SIMPLE.match(window, start)
    if simple and window[simple.end() : simple.end() + 1] == ")" and closing:
        return simple.end(), simple.group()
    if _TOO_DEEP.match(window, start):
        return None
    depth = 0
    for mark in _MARKS.finditer(window, start):
        character = mark.group()
        if character == "(":
            depth += 1
            if depth > _DEEPEST:
                return None
        elif character == ")" and closing:
            if depth == 0:
                return mark.start(), window[start : mark.start()]
            depth -= 1
        elif character.isspace() or character < " ":
            return None if closing and depth else (mark.start(), window[start : mark.start()])
    return MORE
