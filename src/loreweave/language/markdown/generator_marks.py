"""What generators of sites add to Markdown: shortcodes of Hugo, and titled blocks whose content is indented below their
mark (`!!! note "Title"`, `??? tip`, `=== "Tab"`). Links stay links, headings and terms their words; the rest vanishes.
"""

import re
from collections.abc import Iterator

from loreweave.language.markdown.parsed_text import Change

SHORTCODE = re.compile(
    rb"\{\{([<%])[ \t\n]*+(/?)[ \t\n]*+([\w./-]*+)"
    rb"((?:[^{}\"`>%]|\"(?:[^\"\\]|\\.)*+\"|`[^`]*+`|[>%](?!\}\}))*+)[>%]\}\}",
    re.DOTALL,
)
_NAMED = re.compile(rb"([\w-]++)[ \t\n]*+=[ \t\n]*+(?:\"((?:[^\"\\]|\\.)*+)\"|([^\s\"]++))")
_FIRST = re.compile(rb"[ \t\n]*+(?:\"((?:[^\"\\]|\\.)*+)\"|`([^`]*+)`|([^\s\"=]++)(?![ \t]*+=))")
_HEADINGS = {
    b"whatsnext": b"What's next",
    b"prerequisites": b"Before you begin",
    b"objectives": b"Objectives",
    b"cleanup": b"Cleaning up",
    b"synopsis": b"Synopsis",
    b"options": b"Options",
    b"seealso": b"See also",
}
_WORDED = {"glossary_tooltip": ("text", "term_id"), "tooltip": ("text",)}  # shortcodes that stand for words of theirs
_COMMENT_END = re.compile(rb"\{\{[<%][ \t]*+/[ \t]*+comment[ \t]*+[>%]\}\}")


def say_shortcode(source: bytes, code: re.Match[bytes]) -> tuple[list[Change], int]:
    """What to say instead, and where reading goes on; nothing to say: up to there it is hidden."""
    name, inner = code[3].decode(), code.start(4)
    first, last = code.span()
    if code[2]:
        return [], last
    if name == "heading" and (said := _FIRST.match(code[4])):
        key = said[1] or said[2] or said[3]
        return [(first, last, _HEADINGS.get(key, key.replace(b"-", b" ").capitalize()))], last
    if name in ("ref", "relref") and (said := _FIRST.match(code[4])):
        start, end = next(said.span(group) for group in (1, 2, 3) if said[group] is not None)
        opens, closes = (b"", b"") if source[max(0, first - 2) : first] == b"](" else (b"[[", b"]]")
        return [(first, inner + start, opens), (inner + end, last, closes)], last
    if name == "comment":
        closing = _COMMENT_END.search(source, last)
        return [], closing.end() if closing else last
    for key in _WORDED.get(name, ()):
        for given in _NAMED.finditer(code[4]):
            if given[1].decode() == key and (given[2] or given[3]):
                start, end = given.span(2) if given[2] else given.span(3)
                return [(first, inner + start, b""), (inner + end, last, b"")], last
    return [], last


_BLANKS = re.compile(rb"[ \t]*+")
_FENCE = re.compile(rb"(?:>[ \t]?)*+(`{3,}+(?=[^`\n]*+$)|~{3,}+)")
_BANG = re.compile(
    rb"(?:(?:!!!|\?\?\?\+?)[ ]++(?P<kind>[\w-]++)(?:[ ]++[\w-]++)*+(?:[ ]++\"(?P<said>[^\"\n]*+)\")?"
    rb"|===[!+]*+[ ]++\"(?P<tab>[^\"\n]*+)\")[ \t]*+$"
)


def indented_blocks(source: bytes, start: int, shown: bool) -> Iterator[Change]:
    """Blocks whose content is indented below a line with a title lose mark and indentation; `shown`, they are fenced
    instead, which is what the page frames."""
    open_at: list[int] = []  # indentation of each block that is open
    fence = b""
    end = start - 1
    while (at := end + 1) < len(source):
        end = source.find(b"\n", at)
        end = len(source) if end < 0 else end
        text = _BLANKS.match(source, at, end).end()  # type: ignore[union-attr]
        if text == end:
            continue
        indent = len(source[at:text].expandtabs(4))
        closed = b""
        while open_at and indent < open_at[-1] + 4:
            closed += b" " * (open_at.pop() - 4 * len(open_at)) + b"///\n\n"
            fence = b""
        if closed and shown:
            yield at, at, b"\n" + closed
        if open_at:
            yield at, _after_columns(source, at, text, 4 * len(open_at)), b""
        if mark := _FENCE.match(source, text, end):
            fence = b"" if fence and mark[1].startswith(fence) else fence or mark[1]
        elif not fence and (bang := _BANG.match(source, text, end)):
            open_at.append(indent)
            first, last = bang.span("said") if bang["said"] else bang.span("tab")
            if shown:
                kind = b"/// " + (bang["kind"] or b"tab")
                yield from (
                    ((text, first, kind + b" | "), (last, end, b"\n")) if first < last else ((text, end, kind + b"\n"),)
                )
            else:
                yield from ((text, first, b"**"), (last, end, b"**\n")) if first < last else ((text, end, b""),)
    if open_at and shown:
        yield len(source), len(source), b"\n\n" + b"///\n\n" * len(open_at)


def _after_columns(source: bytes, at: int, text: int, columns: int) -> int:
    """Where so many columns of indentation end."""
    seen = 0
    while at < text and seen < columns:
        seen += 4 - seen % 4 if source[at] == 9 else 1
        at += 1
    return at
