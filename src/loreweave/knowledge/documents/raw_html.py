"""Raw HTML of a document before it is cleaned: only whole tags that cannot swallow what follows them."""

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
_VOID = frozenset(("br", "col", "hr", "img", "wbr"))
MAX_DEPTH = 200  # open raw elements; cleaning costs the square of the depth
_TAG = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9-]*+)((?:[^<>\"']*+(?:\"[^\"]*+\"|'[^']*+'))*+[^<>\"']*+)>")
_HREF = re.compile(r"""(\shref\s*+=\s*+)(?:"([^"]*+)"|'([^']*+)'|([^\s"'>]++))""", re.IGNORECASE)
_WIKILINK = re.compile(r"(?<!\\)\[\[([^\[\]\n]{1,512}+)\]\]")
_HIDDEN = ("script", "style", "template")
_HIDDEN_END = re.compile(r"</(?:script|style|template)", re.IGNORECASE)


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
            tag = _TAG.match(raw, mark)
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
        if self._code or "[[" not in text:
            return text
        return _WIKILINK.sub(self._anchor, text)

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
