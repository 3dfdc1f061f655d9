"""One document as HTML that is safe to show: every heading carries its anchor as id."""

from html import escape
from typing import Any

import nh3
import pyromark

from loreweave.knowledge.documents.dress_html import KEPT_TAGS, Link, RawHtml
from loreweave.knowledge.documents.read_document import read_document
from loreweave.language.markdown.anchors import give_anchors
from loreweave.language.markdown.prepare_text import OPTIONS, restore

_SIMPLE = {
    "Paragraph": "p",
    "Item": "li",
    "DefinitionList": "dl",
    "DefinitionListTitle": "dt",
    "DefinitionListDefinition": "dd",
    "TableRow": "tr",
    "Emphasis": "em",
    "Strong": "strong",
    "Strikethrough": "s",
    "BlockQuote": "blockquote",
}
_BLOCKS = frozenset(("Paragraph", "Item", "DefinitionListTitle", "DefinitionListDefinition", "TableRow", "BlockQuote"))
_ATTRIBUTES = {
    "*": {"id", "title", "dir", "lang"},
    "a": {"href", "name"},
    "img": {"src", "alt", "width", "height"},
    "td": {"align", "colspan", "rowspan"},
    "th": {"align", "colspan", "rowspan"},
    "ol": {"start"},
    "code": {"class"},
    "details": {"open"},
}
_BREAKS = {"SoftBreak": "\n", "HardBreak": "<br>\n", "Rule": "<hr>\n"}
_SCHEMES = {"http", "https", "mailto", "tel"}


def render_page(path: str, source: str, *, slug_scheme: str, link: Link) -> str:
    """The body of a document as clean HTML.

    `link(target, is_wikilink)` gives the address that a link leads to. Where it gives none, a wikilink is shown as its
    label and any other link as it was written.
    """
    reading = read_document(path, source, shown=True)
    headings = reading.outline.headings
    anchors = give_anchors(headings, slug_scheme)
    renderer = _PageRenderer({heading.start: anchor for heading, anchor in zip(headings, anchors, strict=True)}, link)
    marks = {heading.start: heading.mark for heading in headings if heading.mark >= 0}
    return _CLEANER.clean(renderer.render(reading.prepared.text, marks))


def _keep_attribute(tag: str, name: str, value: str) -> str | None:
    if name == "class":
        return value if value.startswith("language-") and " " not in value else None
    return value


_CLEANER = nh3.Cleaner(
    tags=set(KEPT_TAGS),
    attributes=_ATTRIBUTES,
    attribute_filter=_keep_attribute,
    url_schemes=_SCHEMES,
    link_rel="noopener noreferrer",
)


class _PageRenderer:
    """Writes HTML from the parser's events; ids are those that the outline gave."""

    def __init__(self, anchors: dict[int, str], link: Link) -> None:
        self._anchors = anchors
        self._link = link
        self._html = RawHtml(link)
        self._out: list[str] = []
        self._closing: list[tuple[str, bool]] = []  # what ends each open link, and whether it is an image
        self._alt = 0  # open images: inside of them everything is text
        self._raw: list[str] | None = None
        self._cut = -1  # of a heading, from where its written id is left out
        self._head = self._in_code = self._laid_out = False
        self._lists = 0
        self._alignments: tuple[str, ...] = ()
        self._column = 0

    def render(self, text: str, cuts: dict[int, int]) -> str:
        """HTML that still has to be cleaned."""
        for event, span in pyromark.events_with_range(text, options=OPTIONS, merge_text=True):
            if isinstance(event, str):
                self._out.append("\n" if self._alt else _BREAKS[event])
                continue
            kind: str
            value: Any
            kind, value = next(iter(event.items()))
            start, end = span["start"], span["end"]
            if kind == "Start":
                tag = value if isinstance(value, str) else next(iter(value))
                self._cut = cuts.get(start, -1) if tag == "Heading" else self._cut
                self._open(tag, value, start)
            elif kind == "End":
                self._close(value if isinstance(value, str) else next(iter(value)), value)
            elif self._cut < 0 or start < self._cut:
                self._inline(kind, value, end)
        return "".join(self._out)

    def _inline(self, kind: str, value: Any, end: int) -> None:
        if kind == "Text":
            value = restore(value)
            if 0 <= self._cut < end:
                value = value[: value.rfind("{")].rstrip()
            said = escape(value, quote=self._alt > 0)
            self._out.append(self._html.linked(said) if self._in_code and self._laid_out else said)
        elif kind == "Code":
            self._out.append(escape(value) if self._alt else f"<code>{escape(value, quote=False)}</code>")
        elif kind == "Html" and self._raw is not None:
            self._raw.append(value)
        elif kind == "InlineHtml" and not self._alt:
            self._out.append(self._html.tame(value))
        elif kind == "FootnoteReference":
            name = escape(value)
            self._out.append(f'<sup><a href="#footnote-{name}">{name}</a></sup>')
        elif kind == "TaskListMarker":
            self._out.append("☑ " if value else "☐ ")

    def _open(self, tag: str, value: Any, start: int) -> None:
        if tag in ("Link", "Image"):
            self._open_link(tag, value[tag])
        elif self._alt:
            return
        elif tag == "Heading":
            anchor = self._anchors.get(start)
            named = f' id="{escape(anchor)}"' if anchor is not None else ""
            self._out.append(f"<h{value[tag]['level'][1]}{named}>")
        elif tag == "CodeBlock":
            self._open_code(value[tag])
        elif tag == "HtmlBlock":
            self._raw = []
        elif tag == "List":
            number = value[tag]
            self._lists += 1
            self._out.append("<ul>\n" if number is None else "<ol>\n" if number == 1 else f'<ol start="{number}">\n')
        elif tag == "FootnoteDefinition":
            self._out.append(f'<div id="footnote-{escape(value[tag])}">')
        elif tag.startswith("Table"):
            self._open_table(tag, value)
        else:
            self._out.append(f"<{_SIMPLE[tag]}>" if tag in _SIMPLE else "")

    def _close(self, tag: str, value: Any) -> None:
        if tag in ("Link", "Image"):
            ending, image = self._closing.pop()
            self._alt -= image
            self._out.append(ending)
        elif self._alt:
            return
        elif tag == "Heading":
            self._cut = -1
            self._out.append(f"</h{value[tag][1]}>\n")
        elif tag == "CodeBlock":
            self._in_code = False
            self._out.append("</code></pre>\n")
        elif tag == "HtmlBlock":
            self._out.append(self._html.tame("".join(self._raw or ())) + "\n")
            self._raw = None
        elif tag == "List":
            self._lists -= 1
            self._out.append("</ol>\n" if value[tag] else "</ul>\n")
        elif tag == "FootnoteDefinition":
            self._out.append("</div>\n")
        elif tag.startswith("Table"):
            self._close_table(tag)
        else:
            self._out.append(f"</{_SIMPLE[tag]}>" if tag in _SIMPLE else "")
            self._out.append("\n" if tag in _BLOCKS else "")

    def _open_code(self, kind: Any) -> None:
        language = kind["Fenced"].split(None, 1) if isinstance(kind, dict) else []
        self._in_code = True
        self._laid_out = self._lists > 0 and not isinstance(kind, dict)  # deep in a list blanks are rather layout
        named = f' class="language-{escape(restore(language[0]))}"' if language else ""
        self._out.append(f"<pre><code{named}>")

    def _open_link(self, tag: str, link: dict[str, Any]) -> None:
        target = restore(link["dest_url"])
        wikilink = isinstance(link["link_type"], dict)
        target = target.removesuffix("\\") if wikilink else target  # in tables `\|` separates target and label
        title = f' title="{escape(restore(link["title"]))}"' if link["title"] else ""
        if tag == "Image" and not wikilink:
            self._alt += 1
            if self._alt == 1:
                self._out.append(f'<img src="{escape(target)}"{title} alt="')
            self._closing.append(('">' if self._alt == 1 else "", True))
            return
        if link["link_type"] == "Email" and not target.startswith("mailto:"):
            target = "mailto:" + target
        address = self._link(target, wikilink) or (None if wikilink else target)
        shown = address is not None and not self._alt
        self._out.append(f'<a href="{escape(address or "")}"{title}>' if shown else "")
        self._closing.append(("</a>" if shown else "", False))

    def _open_table(self, tag: str, value: Any) -> None:
        if tag == "Table":
            self._alignments = value[tag]
            self._out.append("<table>\n")
        elif tag == "TableHead":
            self._head, self._column = True, 0
            self._out.append("<thead><tr>")
        elif tag == "TableRow":
            self._column = 0
            self._out.append("<tr>")
        else:
            place = self._alignments[self._column] if self._column < len(self._alignments) else "None"
            align = f' align="{place.lower()}"' if place != "None" else ""
            self._out.append(f"<{'th' if self._head else 'td'}{align}>")

    def _close_table(self, tag: str) -> None:
        if tag == "TableCell":
            self._column += 1
            self._out.append("</th>" if self._head else "</td>")
        elif tag == "TableHead":
            self._head = False
            self._out.append("</tr></thead>\n<tbody>\n")
        else:
            self._out.append("</tr>\n" if tag == "TableRow" else "</tbody></table>\n")
