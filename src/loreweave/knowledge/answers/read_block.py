"""What the grammar finds in a block of an answer that its sources do not support, and what to write instead."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

import pyromark

_BLANKS = re.compile(r"\s+")
# A name as code writes it: `--no-cache`, `search.limit`, `1.2.3`. Characters of scripts without blanks stand alone.
_LETTER = r"[^\W\u1100-\u11ff\u3005-\u30ff\u3400-\u9fff\uac00-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff]"
_TOKEN = re.compile(rf"(?:-++|(?={_LETTER}))(?:{_LETTER}++(?:(?:\.|-++){_LETTER}++)*+)?+")
_ASCII = "".join(map(chr, range(33, 127)))  # what is already plain stays, also `%`
ADDRESS = r"(?<![0-9A-Za-z])(?:https?://|ftp://|www\.)"
DASHES = re.compile(r"(?m)^[ \t>]{0,32}(?=[|: \t]{0,32}-)[|:-][ \t|:-]{0,400}$")  # below the head of a table
_ADDRESS = re.compile(rf"{ADDRESS}[^\s<>\"`\[\]\0]*+".encode(), re.IGNORECASE)
_TRAILING = b"?!.,:;*_~'\")]}\\|"
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_TAG = re.compile(rb"""<[A-Za-z/](?:[^>"']++|"[^"]*+"|'[^']*+')*+>|<[A-Za-z/!?][^>]*+>""")
_COMMENT_OR_TAG = re.compile(rb"<!--(?s:.*?)-->|" + _TAG.pattern)
_CHARACTER_DATA = re.compile(rb"<!\[CDATA\[", re.IGNORECASE)  # HTML in running text to some readers, to others none
_MARKER = re.compile(rb"[ \t]*+([-+*]|\d{1,9}[.)])[ \t]*+")
_LINE_PREFIX = re.compile(rb"(?:[ \t>]|[-+*][ \t]|\d{1,9}[.)][ \t])*+\Z")
_BLOCK_LIKE = re.compile(rb"#{1,6}(?=\s|\Z)|>|~~~|```|[-+*](?=\s|\Z)|-{3}|={3}")
PLAIN, TABLES = pyromark.Options(0), pyromark.Options.ENABLE_TABLES
_DEEPEST = 16  # list items inside one another
_FOREIGN = "\0"  # stands for the address of a definition that was left out

Edit = tuple[int, int, bytes]


class CitationSources:
    """What an answer may cite: every allowed address, and text to hold code against."""

    def __init__(self, urls: Iterable[str], texts: Iterable[str]) -> None:
        self._urls = {_comparable(url) for url in urls}
        written = list(texts)
        # A table writes `a\|b` for what its reader sees as `a|b`.
        written += [text.replace("\\|", "|") for text in written if "\\|" in text]
        self._texts = [_in_tokens(text) for text in written]

    def has_url(self, url: str) -> bool:
        """Whether an address is one of the sources'; raw and percent-encoded are the same."""
        return _comparable(url) in self._urls

    def has_code(self, code: str) -> bool:
        """Whether the code stands in a source as whole words, byte for byte but for runs of blanks."""
        wanted = {_in_tokens(code), _in_tokens(code.replace("\\|", "|"))} if "\\|" in code else {_in_tokens(code)}
        return any(each in text for each in wanted for text in self._texts)


def _comparable(url: str) -> str:
    if url.isascii() and url.isprintable() and " " not in url:
        return url
    return quote(url.encode("utf-8", "replace"), safe=_ASCII)


def _in_tokens(text: str) -> str:
    """The text with a mark at both ends of every name: part of a name (`--dep` of `--depth`) is not found in it."""
    collapsed = _BLANKS.sub(" ", text).strip().replace("\0", "\ufffd")
    return _TOKEN.sub("\0\\g<0>\0", collapsed)


@dataclass(slots=True)
class BlockReading:
    """What the grammar finds in a text behind `start`, and what has to be changed."""

    data: bytes
    start: int
    sources: CitationSources
    known: dict[str, str]
    end: int = 0  # where a fence begins, or the text ends
    edits: list[Edit] = field(default_factory=list)
    opaque: list[tuple[int, int]] = field(default_factory=list)  # where an address in running text is none
    items: list[tuple[int, int]] = field(default_factory=list)
    defined: dict[str, str] = field(default_factory=dict)
    unresolved: bool = False
    code: list[str] = field(default_factory=list)  # lines of indented blocks, and spans that lose their backticks

    def walk(self, text: str, options: pyromark.Options) -> None:
        self.end = len(self.data)
        links: list[tuple[Any, int]] = []
        label_end = 0  # where the last thing inside the innermost link ends
        in_code = False
        for kind, tag, value, start, end in block_events(text, options, self._resolve):
            if kind == "Start" and tag in ("Link", "Image"):
                label_end = start + 1 + (tag == "Image")
                links.append((value[tag], label_end))
                continue
            if kind == "End" and tag in ("Link", "Image"):
                self._close_link(*links.pop(), start, label_end, end)
            elif kind == "Start" and tag == "CodeBlock" and value[tag] != "Indented" and start >= self.start:
                self.end = self.data.rfind(b"\n", 0, start) + 1
                break
            elif tag == "CodeBlock":
                in_code = kind == "Start"
                self.opaque.append((start, end))
                if DASHES.match(self.data[end : end + 400].decode("utf-8", "ignore")):
                    self.edits.append((end, end, b"\n"))  # else its last line is the head of a table to some readers
            elif kind == "Text" and in_code:
                self.code += [line.strip() for line in value.split("\n")]
            elif kind == "Start" and tag == "Item":
                self._open_item(start, end)
            elif kind == "Start" and tag == "HtmlBlock":
                self._drop_tags(start, end)
            elif kind == "InlineHtml":
                self._replace(start, end)
            elif kind == "Code":
                self._check_code(value, start, end)
            if kind == "Text" and value.startswith(">"):
                self._check_quote(start)
            label_end = end
        if "]:" in text:
            self._check_definitions(pyromark.reference_definitions(text, options=options))
        self._check_addresses()

    def edits_from(self, first: int) -> list[Edit]:
        """What is to be changed behind a place, in order."""
        clipped = [(max(start, first), end, text) for start, end, text in self.edits if start < self.end]
        return sorted((start, end, text) for start, end, text in clipped if end > start or (text and end == start))

    def open_items(self) -> str:
        """The lines that open the list items in which the text ends, without what they say."""
        last = len(self.data[: self.end].rstrip())
        lines: dict[int, bytes] = {}
        for start, end in self.items:
            marker = _MARKER.match(self.data, start)
            if marker is None or start >= self.end or end < last:
                continue
            line = self.data.rfind(b"\n", 0, start) + 1
            opened, sign = self.data[line : marker.end()], self.data[line : marker.end(1)]
            is_far = len(opened.expandtabs(4)) - len(sign.expandtabs(4)) > 4
            if is_far or self.data[marker.end() : marker.end() + 1] in (b"", b"\n"):
                opened = sign + b" "  # the text is code, or stands on the next line
            lines[line] = opened + b"#" if self.data[marker.end() : end].strip() else sign
        return "".join(line.decode() + "\n" for line in lines.values())

    def _open_item(self, start: int, end: int) -> None:
        around = [item for item in self.items[-_DEEPEST:] if item[1] >= end]
        self.items.append((start, end))
        if len(around) == _DEEPEST and (marker := _MARKER.match(self.data, start)):
            self.edits.append((marker.end(1) - 1, marker.end(1) - 1, b"\\"))

    def _check_quote(self, start: int) -> None:
        """Behind a quote some readers take a `>` for its next line, however far it is indented."""
        line = self.data.rfind(b"\n", 0, start) + 1
        if not self.data[line:start].strip() and b">" in self.data[self.start : line]:
            self.edits.append((start, start, b"\\"))

    def _resolve(self, link: Any) -> tuple[str, str] | None:
        """The parser asks for a definition that the text does not hold."""
        start = link["span"]["start"]
        if (url := self.known.get(_key(link["reference"]))) is not None:
            return url, ""
        if start >= self.start:
            self.unresolved = self.unresolved or link["link_type"] != "Shortcut"
            if self.data.startswith(b"!", start):
                self.edits.append((start + 1, start + 1, b"\\"))  # it must not become an image later on
        return None

    def _close_link(self, link: Any, label: int, start: int, label_end: int, end: int) -> None:
        is_image = self.data.startswith(b"!", start)
        allowed = not is_image and self.sources.has_url(link["dest_url"])
        if link["link_type"] in ("Autolink", "Email"):
            return self._replace(start, end, self.data[start:end] if allowed else b"")
        if link["link_type"] == "CollapsedUnknown" and self.data.startswith(b"[]", end):
            end += 2  # the parser counts them as text
        self.opaque.append((label_end, end))
        if not allowed:
            self.edits += [(start, label, self._lead(start, self.data[label:end])), (label_end, end, b"")]
        return None

    def _check_code(self, code: str, start: int, end: int) -> None:
        written = self.data[start:end]
        if self.sources.has_code(code):
            return self._replace(start, end, written)
        self.code.append(" ".join(code.split()) or code)
        run = len(written) - len(written.lstrip(b"`"))
        inner = written[run:-run]
        if inner[:1] in b" \n" and inner[-1:] in b" \n" and inner.strip():
            inner = inner[1:-1]
        return self._replace(start, end, self._lead(start, inner) + inner)

    def _check_definitions(self, definitions: dict[str, Any]) -> None:
        for label, found in definitions.items():
            start, end = found["span"]["start"], found["span"]["end"]
            if not self.start <= start < self.end:
                continue
            if self.sources.has_url(found["dest"]):
                self.defined[_key(label)] = found["dest"]
                self.opaque.append((start, end))
            else:
                self.known.setdefault(_key(label), _FOREIGN)
                is_line = start == self.data.rfind(b"\n", 0, start) + 1 and self.data.startswith(b"\n", end)
                self._replace(start, end + is_line)

    def _check_addresses(self) -> None:
        """Readers make links of addresses in running text, too."""
        text = bytearray(self.data)
        for start, end in self.opaque:
            text[start:end] = b"\0" * (end - start)
        self.edits += [(*found.span(), b"") for found in _CHARACTER_DATA.finditer(text, self.start)]
        for found in _ADDRESS.finditer(text, self.start):
            run = found.group()
            plain = run[: len(run) - len(run.lstrip(_ASCII.encode()))]
            shown = plain.rstrip(_TRAILING)
            said = {each.decode() for each in (run, run.rstrip(_TRAILING), plain, shown)}
            said |= {html.unescape(_ESCAPED.sub(r"\1", each)) for each in said}
            if not any(map(self.sources.has_url, said)):
                self.edits.append((found.start(), found.start() + len(shown), b""))

    def _drop_tags(self, start: int, end: int) -> None:
        """Of a block of HTML its text stays; where nothing becomes a tag, it is written out."""
        self.opaque.append((start, end))
        tags = _COMMENT_OR_TAG if self.data.find(b"-->", start, end) >= 0 else _TAG
        angles = (place for place in range(start, end) if self.data[place] == ord("<"))
        self.edits += [(*tag.span(), b"") for tag in tags.finditer(self.data, start, end)] or [
            (angle, angle, b"\\") for angle in angles
        ]

    def _replace(self, start: int, end: int, text: bytes = b"") -> None:
        self.opaque.append((start, end))
        if text != self.data[start:end]:
            self.edits.append((start, end, text))

    def _lead(self, start: int, text: bytes) -> bytes:
        """What was a label or code must not become a heading, a list or a fence where it begins a line."""
        line = self.data.rfind(b"\n", 0, start) + 1
        return b"\\" if _BLOCK_LIKE.match(text) and _LINE_PREFIX.match(self.data, line, start) else b""


def block_events(text: str, options: pyromark.Options, resolve: Any = None) -> Iterator[tuple[str, str, Any, int, int]]:
    """(kind, tag, value, start, end) of what the parser finds; the tag of what starts or ends."""
    for event, span in pyromark.events_with_range(text, options=options, broken_link_callback=resolve):
        kind, value = (event, "") if isinstance(event, str) else next(iter(event.items()))
        tag = value if isinstance(value, str) else next(iter(value)) if isinstance(value, dict) else ""
        yield kind, tag, value, span["start"], span["end"]


def _key(label: str) -> str:
    return " ".join(label.casefold().split())
