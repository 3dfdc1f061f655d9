"""Clean HTML of a document made good to look at: notes get a frame, pictures that are not here their words."""

import re
from html import escape, unescape

_TAG = re.compile(r'<(/?)([a-z][a-z0-9]*+)((?:[^<>"]++|"[^"]*+")*+)>')
_ATTRIBUTE = re.compile(r'([a-z-]++)="([^"]*+)"')
DEEPEST = 32  # notes inside notes; more are text
_VOID = frozenset(("br", "hr", "img", "wbr", "col"))
# A paragraph of its own: `/// tip | Title` opens a note, `///` ends it.
_TEXT = r"(?:[^<\n]|<(?!/?p>))"  # of a line inside a paragraph
_FENCE = re.compile(rf"<p>(/{{3,}}+)[ ]?+(?:([\w-]++)(?:[ ]?+\|[ ]?+({_TEXT}*+))?)?</p>\n?")
# The same in one paragraph, where no blank line stands between.
_WHOLE = re.compile(rf"<p>(/{{3,}}+)[ ]?+([\w-]++)(?:[ ]?+\|[ ]?+({_TEXT}*+))?((?:\n(?!/){_TEXT}*+)*+)\n\1</p>")
_ALERT = re.compile(r"<blockquote>\s*+<p>\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\]\s*+")
_ALARMS = frozenset(("warning", "danger", "caution", "important", "error", "attention"))


def dress_html(html: str) -> str:
    """The same page, with its anchors, after it was cleaned."""
    html = _ALERT.sub(lambda found: f'<blockquote class="{_look(found[1])}">{_title(found[1], None)}<p>', html)
    html = _WHOLE.sub(lambda found: f"{_frame(found[2], found[3])}<p>{found[4].strip()}</p></div>", html)
    return _Dresser(html).dress()


class _Dresser:
    """Walks over the tags once. A note is framed only where it begins and ends inside the same element."""

    def __init__(self, html: str) -> None:
        self._html = html
        self._out: list[str] = []
        self._depth = 0
        self._links = 0
        self._open: list[tuple[int, str, int, str]] = []  # depth, sign, place in the output, frame

    def dress(self) -> str:
        at = 0
        while (tag := _TAG.search(self._html, at)) is not None:
            self._out.append(self._html[at : tag.start()])
            fence = _FENCE.match(self._html, tag.start()) if tag[2] == "p" and not tag[1] else None
            if fence is not None:
                self._fence(fence)
                at = fence.end()
                continue
            self._out.append(_picture(tag[3], self._links > 0) if tag[2] == "img" else tag[0])
            self._count(tag)
            at = tag.end()
        self._out.append(self._html[at:])
        return "".join(self._out)

    def _count(self, tag: re.Match[str]) -> None:
        if tag[2] in _VOID:
            return
        step = -1 if tag[1] else 1
        self._depth += step
        self._links += step if tag[2] == "a" else 0
        while self._open and self._open[-1][0] > self._depth:
            self._open.pop()

    def _fence(self, fence: re.Match[str]) -> None:
        sign, kind = fence[1], fence[2]
        if kind:
            self._open.append((self._depth, sign, len(self._out), _frame(kind, fence[3])))
            self._out.append(fence[0])
            del self._open[:-DEEPEST]
            return
        places = range(len(self._open) - 1, -1, -1)
        place = next((at for at in places if self._open[at][:2] == (self._depth, sign)), None)
        if place is None:
            self._out.append(fence[0])
            return
        _, _, position, frame = self._open[place]
        self._out[position] = frame
        self._out.append("</div>\n")
        del self._open[place:]


def _look(kind: str) -> str:
    return "alarm" if kind.casefold() in _ALARMS else "note"


def _frame(kind: str, title: str | None) -> str:
    return f'<div class="aside {_look(kind)}">{_title(kind, title)}'


def _title(kind: str, title: str | None) -> str:
    return f'<p class="aside-title">{title.strip() if title else escape(kind.replace("-", " ").capitalize())}</p>'


def _picture(attributes: str, in_link: bool) -> str:
    """Pictures are not kept with the documents, and none is fetched from elsewhere."""
    found = dict(_ATTRIBUTE.findall(attributes))
    source, words = found.get("src", ""), found.get("alt", "").strip()
    if source.startswith(("https://", "http://")) and not in_link:
        name = words or escape(unescape(source).rpartition("/")[2])
        return f'<a class="picture" href="{source}" rel="noopener noreferrer">{name}</a>'
    return f'<span class="picture">{words}</span>' if words else ""
