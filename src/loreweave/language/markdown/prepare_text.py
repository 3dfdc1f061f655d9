"""From a document's source to the text that is parsed: components of MDX and marks of dialects are out of the way."""

import re
from collections import Counter
from dataclasses import dataclass

import pyromark

from loreweave.language.markdown.dialects import find_changes
from loreweave.language.markdown.parsed_text import Change, ParsedText
from loreweave.language.markdown.scan_components import ComponentScanner, kept_of_tag

_INDENT = re.compile(rb"[ \t]*+")
_FENCE = re.compile(rb"(?:[ \t]*+(?:>|[-*+][ \t]|\d{1,9}[.)][ \t]))*+[ \t]*+(`{3,}+(?=[^`\n]*+(?:\n|\Z))|~{3,}+)")
_FENCE_END = re.compile(rb"[ \t>]*+(`{3,}+|~{3,}+)[ \t]*+(?=\n|\Z)")
_MARK = re.compile(rb"[\n`<{\\]")
_BACKTICKS = re.compile(rb"`++")
_EXPLICIT_ID = re.compile(rb"\{:?[ \t]*+#[^\s{}]++[^{}\n]*+\}[ \t]*+#*+[ \t]*+(?=\n|\Z)")
_PARAGRAPH_END = re.compile(rb"\n[ \t]*+(?:\n|\Z)")
_SENTENCELESS = ("script", "style")  # their content is no text of the document


class _Region:
    """The content of one open component; the first line inside says how deep it is indented."""

    __slots__ = ("column", "name", "shift")

    def __init__(self, name: str, column: int) -> None:
        self.name = name
        self.column = column
        self.shift: int | None = None


class _ComponentMask:
    def __init__(self, data: bytes) -> None:
        self._data = data
        self._scanner = ComponentScanner(data)
        self._regions: list[_Region] = []
        self._open: Counter[str] = Counter()
        self._cuts: list[Change] = []
        self._line = 0  # start of the line
        self._front = 0  # up to here the line holds nothing that stays
        self._shift = 0  # what is cut of its indentation
        self._paragraph_end = -1
        self._unclosed: set[int] = set()  # lengths of backtick runs without a partner in this paragraph

    def find_cuts(self) -> list[Change]:
        """Stretches to leave out, in order."""
        at, size, between = 0, len(self._data), True
        while at < size:
            at, between = self._read_line(at, between)
        return self._cuts

    def _read_line(self, at: int, between: bool) -> tuple[int, bool]:
        """The start of the next line, and whether a statement may stand there."""
        data = self._data
        self._line = at
        text = _end(_INDENT, data, at)
        if text >= len(data) or data.startswith(b"\n", text):
            return text + 1, True
        self._front = text
        self._cut_indent(at, text)
        fence = _FENCE.match(data, at)
        if fence:
            return self._skip_fence(fence), True
        if between and text == at and not self._regions:
            end = self._scanner.statement_end(at)
            if end is not None:
                self._cuts.append((at, end, b""))
                return end + 1, True
        return self._read_inline(text), False

    def _cut_indent(self, line: int, text: int) -> None:
        indent = text - line
        self._shift = 0
        if not self._regions:
            return
        region = self._regions[-1]
        if region.shift is None and not self._data.startswith(b"</", text):
            outer = self._regions[-2].shift or 0 if len(self._regions) > 1 else 0
            region.shift = max(outer, indent - region.column)
        self._shift = min(indent, region.shift or 0)
        if self._shift:
            self._cuts.append((line, line + self._shift, b""))

    def _skip_fence(self, fence: re.Match[bytes]) -> int:
        """The line after the fence; its lines lose the indentation of their component, nothing else."""
        data, size = self._data, len(self._data)
        run = fence[1]
        shift = self._regions[-1].shift or 0 if self._regions else 0
        at = _next_line(data, fence.end())
        while at < size:
            closing = _FENCE_END.match(data, at)
            cut = min(shift, _end(_INDENT, data, at) - at)
            if cut:
                self._cuts.append((at, at + cut, b""))
            at = _next_line(data, at)
            if closing and closing[1].startswith(run):
                break
        return at

    def _read_inline(self, at: int) -> int:
        """Tags, expressions and comments up to the end of the line; what spans lines goes on behind itself."""
        data = self._data
        if at > self._paragraph_end:
            ending = _PARAGRAPH_END.search(data, at)
            self._paragraph_end = ending.start() if ending else len(data)
            self._unclosed.clear()
        while found := _MARK.search(data, at):
            at = found.start()
            if found[0] == b"\n":
                return at + 1
            at = self._skip_mark(found[0], at)
        return len(data)

    def _skip_mark(self, mark: bytes, at: int) -> int:
        data = self._data
        if mark == b"\\":
            return at + 1 if data.startswith(b"\n", at + 1) else at + 2
        if mark == b"`":
            return self._skip_code(at)
        if mark == b"{":
            explicit = _EXPLICIT_ID.match(data, at)
            return explicit.end() if explicit else self._cut(at, self._scanner.expression_end(at))
        if data.startswith(b"<!--", at):
            return self._cut(at, self._scanner.comment_end(at))
        tag = self._scanner.tag_end(at)
        if tag is None:
            return at + 1
        end, name, kind = tag
        if kind == "open" and name in _SENTENCELESS:
            closing = data.find(b"</" + name.encode(), end)
            return self._cut(at, data.find(b">", closing) + 1 or len(data) if closing >= 0 else end)
        column = at - self._line - self._shift
        if kind == "open":
            self._regions.append(_Region(name, column))
            self._open[name] += 1
        elif kind == "close":
            self._close(name)
        return self._cut(at, end, kept_of_tag(data[at:end]) if kind != "close" else b"")

    def _close(self, name: str) -> None:
        while self._open[name]:
            region = self._regions.pop()
            self._open[region.name] -= 1
            if region.name == name:
                break

    def _skip_code(self, at: int) -> int:
        """Behind a code span; a run without a partner is text."""
        end = _end(_BACKTICKS, self._data, at)
        length = end - at
        if length in self._unclosed:
            return end
        for run in _BACKTICKS.finditer(self._data, end, self._paragraph_end):
            if run.end() - run.start() == length:
                return run.end()
        self._unclosed.add(length)
        return end

    def _cut(self, at: int, end: int | None, instead: bytes = b"") -> int:
        if end is None:
            return at + 1
        line = self._data.rfind(b"\n", at, end) + 1
        if line:
            self._line, self._shift = line, 0
        if at <= self._front:
            # What opens a line leaves no blanks behind: they would look like indented code.
            self._front = end = _end(_INDENT, self._data, end)
        self._cuts.append((at, end, instead))
        return end


def _end(pattern: re.Pattern[bytes], data: bytes, at: int) -> int:
    found = pattern.match(data, at)
    return found.end() if found else at


def _next_line(data: bytes, at: int) -> int:
    end = data.find(b"\n", at)
    return end + 1 if end >= 0 else len(data)


OPTIONS = (
    pyromark.Options.ENABLE_TABLES
    | pyromark.Options.ENABLE_DEFINITION_LIST
    | pyromark.Options.ENABLE_STRIKETHROUGH
    | pyromark.Options.ENABLE_TASKLISTS
    | pyromark.Options.ENABLE_FOOTNOTES
    | pyromark.Options.ENABLE_WIKILINKS
)
COLON = "\x1f"  # stands for a colon that must not open a definition

_SURROGATES = re.compile("[\ud800-\udfff]")
_LOOSE_COLONS = re.compile(rb"^[ \t>]*+(:++)(?![ \t\n])|^[ \t>]*+(::++)", re.MULTILINE)
LONGEST_TITLE = 160  # bytes of a paragraph that a line of dashes makes a heading
_DASHED = re.compile(rb"\n(?<=[^\n]\n)[ \t>]*+-{3,}+[ \t]*+(?=\n|\Z)")
_DEEP_NESTING = re.compile(rb"\n(?:[ \t]*+(?:>|[-*+][ \t]|\d{1,9}[.)][ \t])){64}([>*+\-\d.) \t]++)")


@dataclass(frozen=True, slots=True)
class PreparedText:
    """A body ready to be parsed. `text` is byte for byte as long as `parsed.data`."""

    parsed: ParsedText
    text: str
    block_ids: list[tuple[int, str]]  # (place in the source, id with its `^`)


def prepare_text(path: str, source: str, body_start: int, *, shown: bool = False) -> PreparedText:
    """The body of a document, which begins behind its header; the path's ending says whether it is MDX."""
    try:
        data = source.encode("utf-8")
    except UnicodeEncodeError:  # half a character
        return prepare_text(path, _SURROGATES.sub("\ufffd", source), body_start, shown=shown)
    start = len(source[:body_start].encode("utf-8")) if body_start else 0
    changes: list[Change] = []
    if path.casefold().endswith(".mdx"):
        cuts = _ComponentMask(data[start:]).find_cuts()
        changes = [(start + first, start + last, instead) for first, last, instead in cuts]
    changes, block_ids = find_changes(data, start, changes, _code_ranges, shown=shown)
    parsed = ParsedText(data, start, changes)
    return PreparedText(parsed, _tame(parsed.data).decode("utf-8", "replace"), block_ids)


def _code_ranges(data: bytes) -> list[tuple[int, int]]:
    """Where code stands, in order."""
    ranges = []
    for event, span in pyromark.events_with_range(_tame(data).decode("utf-8", "replace"), options=OPTIONS):
        if isinstance(event, dict):
            value = event.get("Start")
            if "Code" in event or (isinstance(value, dict) and "CodeBlock" in value):
                ranges.append((span["start"], span["end"]))
    return ranges


def _tame(data: bytes) -> bytes:
    """Without what the parser takes for more than it is; every byte stays at its place."""
    if b"\n:" in data and COLON.encode() not in data:
        # `:::note` is a directive and `:smile:` a word: only a colon and a blank begin a definition.
        data = _LOOSE_COLONS.sub(lambda found: found[0].replace(b":", COLON.encode()), data)
    data = _DEEP_NESTING.sub(lambda found: found[0][: -len(found[1])] + b" " * len(found[1]), b"\n" + data)[1:]
    return _without_long_titles(data) if _DASHED.search(data) else data


def _without_long_titles(data: bytes) -> bytes:
    """Who draws a line below a paragraph means a line, however much a grammar sees a heading in it."""
    pieces, at = [], 0
    for event, span in pyromark.events_with_range(data.decode("utf-8", "replace"), options=OPTIONS):
        started = event.get("Start") if isinstance(event, dict) else None
        if isinstance(started, dict) and "Heading" in started:
            written = data[span["start"] : span["end"]].rstrip()
            title = written.rstrip(b"-")  # with the line break below it
            dashes = len(written) - len(title)
            if dashes >= 3 and len(title.rstrip()) > LONGEST_TITLE and not written.startswith(b"#"):
                first = span["start"] + len(title)
                pieces += [data[at:first], b"*" * dashes]
                at = first + dashes
    return b"".join([*pieces, data[at:]]) if pieces else data


def restore(text: str) -> str:
    """Text of the parser as it was written."""
    return text.replace(COLON, ":") if COLON in text else text
