"""HTML of a document: before it is cleaned only whole tags that swallow nothing; afterwards notes get a frame.

Pictures that are not here are shown as their words.
"""

import re
from collections.abc import Callable
from html import escape, unescape

from loreweave.language.markdown.note_names import without_label

Link = Callable[[str, bool], str | None]

# Elements that may stand open over many blocks without hiding or moving what a document says.
_KEPT = (
    "a abbr b bdi bdo blockquote br caption cite code col colgroup dd del details dfn div dl dt em figcaption figure h1"
    " h2 h3 h4 h5 h6 hr i img ins kbd li mark ol p picture pre q rp rt ruby s samp section small span strike strong sub"
    " summary sup table tbody td tfoot th thead time tr tt u ul var wbr"
)
KEPT_TAGS = frozenset(_KEPT.split())
MAX_DEPTH = 200  # open raw elements; cleaning costs the square of the depth
_RAW_TAG = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9-]*+)((?:[^<>\"']*+(?:\"[^\"]*+\"|'[^']*+'))*+[^<>\"']*+)>")
_HREF = re.compile(r"""(\shref\s*+=\s*+)(?:"([^"]*+)"|'([^']*+)'|([^\s"'>]++))""", re.IGNORECASE)
_WIKILINK = re.compile(r"(?<!\\)\[\[([^\[\]\n]{1,512}+)\]\]")
_HIDDEN = ("script", "style", "template")
_HIDDEN_END = re.compile(r"</(?:script|style|template)", re.IGNORECASE)

_TAG = re.compile(r'<(/?)([a-z][a-z0-9]*+)((?:[^<>"]++|"[^"]*+")*+)>')
_ATTRIBUTE = re.compile(r'([a-z-]++)="([^"]*+)"')
DEEPEST = 32  # notes inside notes; more are text
_VOID = frozenset(("br", "hr", "img", "wbr", "col"))
# A paragraph of its own: `/// tip | Title` opens a note, `///` ends it.
_TEXT = r"(?:[^<\n]|<(?!/?p>))"  # of a line inside a paragraph
_FENCE = re.compile(rf"<p>(/{{3,}}+)[ ]?+(?:([\w-]++)(?:[ ]?+\|[ ]?+({_TEXT}*+))?)?</p>\n?")
_ALERT = re.compile(r"<blockquote>\s*+<p>\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\]\s*+")
_ALARMS = frozenset(("warning", "danger", "caution", "important", "error", "attention"))


def dress_html(html: str) -> str:
    """The same page, with its anchors, after it was cleaned."""
    html = _ALERT.sub(lambda found: f'<blockquote class="{_look(found[1])}">{_title(found[1], None)}<p>', html)
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
            frame = f'<div class="aside {_look(kind)}">{_title(kind, fence[3])}'
            self._open.append((self._depth, sign, len(self._out), frame))
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


class RawHtml:
    """The raw HTML of one page, piece by piece; elements that nest too deep are left out."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self._open = 0
        self._left_out = 0
        self._code = ""  # the open element of this piece whose text is code

    def tame(self, raw: str) -> str:
        """The same HTML with its links resolved and without comments, scripts and tags that are not kept."""
        pieces: list[str] = []
        at, closes = 0, True
        self._code = ""
        while (mark := raw.find("<", at)) >= 0:
            pieces.append(self.linked(raw[at:mark]))
            close = raw.find("-->", mark + 4) if closes and raw.startswith("<!--", mark) else -1
            if close >= 0:
                at = close + 3
                continue
            closes = closes and not raw.startswith("<!--", mark)  # an unclosed comment is text
            tag = _RAW_TAG.match(raw, mark)
            if tag is None:
                pieces.append("&lt;")
                at = mark + 1
                continue
            name, at = tag[2].lower(), tag.end()
            if name in KEPT_TAGS:
                pieces.append(self._keep(name, tag))
            elif name in _HIDDEN and not tag[1]:
                closing = _HIDDEN_END.search(raw, at)
                at = closing.start() if closing else len(raw)
        pieces.append(self.linked(raw[at:]))
        return "".join(pieces)

    def linked(self, text: str) -> str:
        """Text between tags: wikilinks in it are links, unless it is code."""
        return text if self._code or "[[" not in text else _WIKILINK.sub(self._anchor, text)

    def _anchor(self, found: re.Match[str]) -> str:
        address = self._link(unescape(without_label(found[1])), True)
        label = found[1].rpartition("|")[2]
        return f'<a href="{escape(address)}">{label}</a>' if address else label

    def _keep(self, name: str, tag: re.Match[str]) -> str:
        if name in _VOID:
            return tag[0]
        if name in ("pre", "code") and self._code in ("", name):
            self._code = "" if tag[1] else name
        if tag[1]:
            if self._left_out:
                self._left_out -= 1
                return ""
            self._open = max(0, self._open - 1)
            return tag[0]
        if self._open >= MAX_DEPTH:
            self._left_out += 1
            return ""
        self._open += 1
        return _resolve_href(tag[0], self._link) if name == "a" and not self._code else tag[0]


def _resolve_href(tag: str, link: Link) -> str:
    def resolve(found: re.Match[str]) -> str:
        target = unescape(found[2] or found[3] or found[4] or "")
        return f'{found[1]}"{escape(link(target, False) or target)}"'

    return _HREF.sub(resolve, tag, count=1)
