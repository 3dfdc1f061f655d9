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
    b"cleanup": b"Cleaning up",
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
        placed = source[max(0, first - 2) : first].endswith((b"](", b'="', b"='", b"f="))  # where an address belongs
        opens, closes = (b"", b"") if placed else (b"[[", b"]]")
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
_FENCE = re.compile(rb"(?:>[ \t]?)*+(`{3,}+(?=[^`\n]*+$)|~{3,}+|:{3,}+(?=\{|[ \t]*+$))")
_BANG = re.compile(
    rb"(?:(?:!!!|\?\?\?\+?)[ ]++(?P<kind>[\w-]++)(?:[ ]++[\w-]++)*+(?:[ ]++\"(?P<said>[^\"\n]*+)\")?"
    rb"|===[!+]*+[ ]++\"(?P<tab>[^\"\n]*+)\")[ \t]*+$"
)
# MyST's directives whose content is text: other fences hold code.
_DIRECTIVE = re.compile(
    rb"[`~:]{3,}+\{(admonition|attention|caution|danger|error|hint|important|note|seealso|tip|warning|deprecated|dropdown"
    rb"|version(?:added|changed|removed)|tab-set|tab-item|grid(?:-item)?(?:-card)?|card|topic|sidebar|margin|glossary"
    rb"|toctree)\}[ \t]*+"
)
_OPTION = re.compile(rb"---[ \t]*+$|:[a-z][\w-]*+:(?:[ \t]|$)")
_ENTRY = re.compile(rb"(?:([^<\n]*?)[ \t]*+<)?([^<>\s]++)>?[ \t]*+$")  # of a table of contents


def say_mark(
    first: int, title: int, last: int, end: int, kind: bytes, before: bytes = b"", *, shown: bool = False
) -> list[Change]:
    """For a line that opens a block its title, which stands from `title` to `last`; or, `shown`, what the page frames.
    Without a kind it ends the block. `before` stands in front of it."""
    if not shown:
        return [(first, title, b"**"), (last, end, b"**\n" + before)] if title < last else [(first, end, b"")]
    alone = b"\n" + before
    mark = alone + b"/// " + kind
    return (
        [(first, title, mark + b" | "), (last, end, alone)] if title < last else [(first, end, mark.rstrip() + alone)]
    )


def blocks_by_line(source: bytes, start: int, shown: bool) -> Iterator[Change]:
    """Blocks whose content is indented below a line with a title lose mark and indentation, directives their fences;
    `shown`, they get fences which the page frames."""
    open_at: list[int] = []  # indentation of each block that is open
    runs: list[bytes] = []  # of each directive that is open
    fence = directive = b""
    begins = ruled = False  # so far the directive holds options alone
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
        inner = _after_columns(source, at, text, 4 * len(open_at))
        if open_at:
            yield at, inner, b""
        before = source[inner:text]
        last = text + len(source[text:end].rstrip())
        ruled ^= begins and source[text:last] == b"---"  # options between two rules
        begins = begins and (ruled or _OPTION.match(source, text, end) is not None)
        if begins:
            yield text, end, b""
        elif mark := _FENCE.match(source, text, end):
            if not fence and (said := _DIRECTIVE.match(source, text, end)):
                runs.append(mark[1])
                directive, begins = said[1], True
                kind = b"contents" if directive == b"toctree" else directive
                yield from say_mark(text, said.end(), last, end, kind, before, shown=shown)
            elif not fence and runs and mark[1].startswith(runs[-1]) and mark.end() == last:
                runs.pop()
                directive = b""
                yield from say_mark(text, end, end, end, b"", before, shown=shown)
            elif mark[1][:1] != b":":
                fence = b"" if fence and mark[1].startswith(fence) else fence or mark[1]
        elif directive == b"toctree" and (entry := _ENTRY.match(source, text, end)):
            yield text, text, b"["
            yield entry.end(1) if entry[1] else last, end, b"](<" + entry[2] + b">)"
        elif not fence and (bang := _BANG.match(source, text, end)):
            open_at.append(indent)
            first, last = bang.span("said") if bang["said"] else bang.span("tab")
            first, last = (first, last) if first < last else (end, end)
            yield from say_mark(text, first, last, end, bang["kind"] or b"tab", before, shown=shown)
    if open_at and shown:
        yield len(source), len(source), b"\n\n" + b"///\n\n" * len(open_at)


def _after_columns(source: bytes, at: int, text: int, columns: int) -> int:
    """Where so many columns of indentation end."""
    seen = 0
    while at < text and seen < columns:
        seen += 4 - seen % 4 if source[at] == 9 else 1
        at += 1
    return at
