"""Shortcodes of Hugo: what they say to a reader. Links stay links, headings and terms their words; others vanish."""

import re

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
