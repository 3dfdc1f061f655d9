"""What generators of sites add to Markdown: shortcodes of Hugo, tags and variables of Liquid, lists of attributes, and
titled blocks whose content is indented below their mark (`!!! note "Title"`, `??? tip`, `=== "Tab"`). Links stay links,
code stays code, headings and terms their words; the rest vanishes.
"""

import re
from collections.abc import Callable, Iterator

from loreweave.language.markdown.parsed_text import Change

MARGIN = 200  # bytes in front of a mark that are looked at
SHORTCODE = re.compile(
    rb"\{\{([<%])[ \t\n]*+(/?)[ \t\n]*+([\w./-]*+)"
    rb"((?:[^{}\"`>%]|\"(?:[^\"\\]|\\.)*+\"|`[^`]*+`|[>%](?!\}\}))*+)[>%]\}\}",
    re.DOTALL,
)
_NAMED = re.compile(
    rb"(?<![\w-])([\w-]++)[ \t\n]*+=[ \t\n]*+[\"']?+"
    rb"((?<=\")(?:[^\"\\]|\\[^\0])*+|(?<=')[^']*+|(?<![\"'])[^\s\"']++)"
)
_FIRST = re.compile(rb"[ \t\n]*+[\"`]?+((?<=\")(?:[^\"\\]|\\[^\0])*+|(?<=`)[^`]*+|(?<![\"`])[^\s\"`=]++(?![ \t]*+=))")
_HEADINGS = {
    b"whatsnext": b"What's next",
    b"prerequisites": b"Before you begin",
    b"cleanup": b"Cleaning up",
    b"seealso": b"See also",
}
# Shortcodes and tags that stand for words of theirs.
_WORDED = {b"glossary_tooltip": (b"text", b"term_id"), b"tooltip": (b"text",), b"include": (b"content",)}
_TAG = re.compile(rb"\{%()()-?[ \t\n]*+([A-Za-z][\w-]*+)((?:[^%{]|%(?!\})|\{(?!%))*+)%\}")
_VARIABLE = re.compile(
    rb"\{\{-?[ \t]*+(?:[\"']([^\"'{}\n]*+)[\"'][^{}\n]*+|(?P<root>site\.(?:base)?url\b[^{}\n]*+)"
    rb"|(?P<page>(?:page|site|include|layout|content)\b[^{}\n]*+)|[^{}\n<%]*+)\}\}"
)
_ATTRIBUTE = rb"[ \t]*+(?:[.#][^\s{}.#=\"']++|[\w:-]++=(?:\"[^\"\n{}]*+\"|'[^'\n{}]*+'|[^\s{}\"']++))"
_ATTRIBUTES = re.compile(
    rb"\{(?::[:/][^{}\n]*+|:(?:" + _ATTRIBUTE + rb"|[ \t]*+[\w-]++)++|(?:" + _ATTRIBUTE + rb")++)[ \t]*+\}"
)
_OWN_ID = re.compile(rb"(?:\{:?|[ \t]|\.[\w-]++)#([^\s{}.#]++)")
# Where an address belongs.
_PLACED = re.compile(rb"(?:\]\(<?|\]:[ \t]*+|(?<=[a-z])=[\"']?)(?:\{\{[^{}\n]*+\}\}/?)?\Z")
_FRAMED = (b"hint", b"tab", b"note", b"tip", b"info", b"warning", b"danger", b"caution", b"important")
_ENDS = rb"\{(?:\{[<%%]\s*+/\s*+%(name)b\s*+[>%%]\}|%%-?\s*+end%(name)b\s*+-?%%)\}"
CLOSINGS = {name: re.compile(_ENDS % {b"name": name}) for name in (b"comment", b"raw", b"highlight", *_FRAMED)}
CLOSINGS |= {b"%%": re.compile(rb"%%"), b"<!--": re.compile(rb"-->"), b"{/*": re.compile(rb"\*/\}")}
Closing = Callable[[bytes, int], "re.Match[bytes] | None"]
Said = tuple[list[Change], int]  # what to say instead, and where to go on; nothing to say: up to there all is hidden


def say_brace(source: bytes, place: int, closing: Closing, *, shown: bool) -> tuple[Said, bool] | None:
    """What to say instead of a mark that a brace opens, and whether it is one in code too."""
    low = max(0, place - MARGIN)
    before = source[max(low, source.rfind(b"\n", low, place) + 1) : place]
    if code := SHORTCODE.match(source, place) or _TAG.match(source, place):
        quoted = before[-1:] == b"`" == source[code.end() : code.end() + 1]
        meant = ([], code.end()) if code[2] else _say_named(source, code, before, closing, shown=shown)
        return meant, bool(code[1]) or (code[3] == b"raw" and not quoted)
    if variable := _VARIABLE.match(source, place):
        last, said = variable.end(), variable.span(1)
        if not _PLACED.search(before):
            return (([], last), False) if variable["page"] or variable["root"] else None
        unknown = b"" if variable["root"] else b"liquid:"
        return ([(place, said[0], b""), (said[1], last, b"")] if said[0] > 0 else [(place, last, unknown)], last), False
    attributes = _ATTRIBUTES.match(source, place)
    if attributes is None:
        return None
    last, is_heading = attributes.end(), before.lstrip(b" \t>").startswith(b"#")
    ends = not source[last : last + MARGIN].partition(b"\n")[0].strip(b" \t#")
    belongs = (ends and (is_heading or not before.strip(b" \t>"))) or (before and before[-1:] in b")]`*_>:")
    if not belongs or (is_heading and attributes[0].lstrip(b"{: \t").startswith(b"#")):
        return None  # or it is read with its heading
    named = _OWN_ID.search(attributes[0])
    return ([(place, last, b'<a id="' + named[1] + b'"></a>')] if named else [], last), False


def _say_named(source: bytes, code: re.Match[bytes], before: bytes, closing: Closing, *, shown: bool) -> Said:
    """A shortcode, or `{% name … %}` of Jekyll, GitBook, Zola and others that write Liquid or Jinja: a link, a titled
    block, words of its own, code, or what hides all up to its end."""
    name, (first, last), said = code[3], code.span(), _FIRST.match(source, *code.span(4))
    start, end = said.span(1) if said else (last, last)
    if name == b"heading" and said:
        return [(first, last, _HEADINGS.get(said[1], said[1].replace(b"-", b" ").capitalize()))], last
    if name in (b"ref", b"relref", b"link", b"post_url") and said:
        opens, closes = (b"", b"") if _PLACED.search(before) else (b"[[", b"]]")
        return [(first, start, opens), (end, last, b".md" * (name == b"post_url") + closes)], last
    if name in (b"comment", b"raw", b"highlight") and (close := closing(name, last)):
        fence = b"" if name == b"raw" else b"~~~~~~" if source.find(b"\n", last, close.start()) >= 0 else b"`"
        opened = fence + source[start:end] * (len(fence) > 1)
        return [(first, last, opened), (*close.span(), fence)] if name != b"comment" else [], close.end()
    given = {one[1]: one.span(2) for one in _NAMED.finditer(source, *code.span(4))}
    for start, end in (given[key] for key in _WORDED.get(name, ()) if key in given):
        return [(first, start, b""), (end, last, b"")], last
    if code[1] or name == b"include":
        return [], last
    if name == b"embed" and (address := given.get(b"url")):
        return [(first, address[0], b"<"), (address[1], last, b">")], last
    start, end = given.get(b"title", (last, last))
    framed = name in _FRAMED and closing(name, last) is not None
    if not framed and name[3:] not in _FRAMED and start == end:
        return [], last
    kind = (source[slice(*given[b"style"])] if b"style" in given else name) * framed
    shown &= framed or name.startswith(b"end")
    return say_mark(first, start, end, last, kind, b"" if before.strip(b" \t>") else before, shown=shown), last


BLANKS, _COLUMNS = re.compile(rb"[ \t]*+"), re.compile(rb" {4}| {0,3}\t|")
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
        text = BLANKS.match(source, at, end).end()  # type: ignore[union-attr]
        if text == end:
            continue
        indent = len(source[at:text].expandtabs(4))
        closed = b""
        while open_at and indent < open_at[-1] + 4:
            closed += b" " * (open_at.pop() - 4 * len(open_at)) + b"///\n\n"
            fence = b""
        if closed and shown:
            yield at, at, b"\n" + closed
        inner = at
        for _ in open_at:
            inner = _COLUMNS.match(source, inner).end()  # type: ignore[union-attr]
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
