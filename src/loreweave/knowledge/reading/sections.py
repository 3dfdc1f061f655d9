"""The outline of a note: each heading with its opening words."""

import re
from collections.abc import Iterable

from loreweave.entities.note import Section
from loreweave.language.markdown.blocks import HEADING, ITEM, PARAGRAPH, Block
from loreweave.language.markdown.mask_comments import FILLER

MAX_WORDS = 100
MAX_CHARACTERS = 400

_QUOTE_PREFIX = re.compile(r"^[ \t]*+(?:>[ \t]?)++", re.MULTILINE)
_MARKUP = re.compile(
    r"!?\[\[(?:[^\[\]|]*+\|)?([^\[\]|]*+)\]\]|!?\[([^\[\]]*+)\]\([^()\s]*+\)|\\([!-/:-@\[-`{-~])"
    r"|[*`]++|~~|==|(?<!\w)_++|_++(?!\w)|[ \t]\^[\w-]++$"
)
_MARKS = re.compile(r"[\[\\*`~=_^]")


def read_sections(text: str, blocks: Iterable[Block], body: str) -> tuple[Section, ...]:
    """Sections in order; for a body without heading, paragraph or list item its first characters."""
    sections: list[Section] = []
    level, heading = 0, None
    waiting = True  # for the first paragraph or list item of the section
    for block in blocks:
        if block.kind == HEADING:
            if waiting and heading is not None:
                sections.append(Section(level, heading, ""))
            level, heading, waiting = block.level, _heading_text(text, block), True
        elif waiting and block.kind in (PARAGRAPH, ITEM) and (opening := _opening(text, block)):
            sections.append(Section(level, heading, opening))
            waiting = False
    if waiting and heading is not None:
        sections.append(Section(level, heading, ""))
    if not sections and body:
        sections.append(Section(0, None, body.strip()[:MAX_CHARACTERS].rstrip()))
    return tuple(sections)


def render_sections(sections: Iterable[Section]) -> str:
    """The sections text: heading lines and opening words, a line each."""
    lines: list[str] = []
    for section in sections:
        if section.heading is not None:
            lines.append(f"{'#' * section.level} {section.heading}".rstrip())
        if section.text:
            lines.append(section.text)
    return "\n".join(lines)


def _heading_text(text: str, block: Block) -> str:
    """A heading as written, on one line."""
    return " ".join(_slice(text, block.start, block.end, block.quoted).split())


def plain_heading(heading: str) -> str:
    """A heading as a reader sees it, without markup."""
    if not _MARKS.search(heading):
        return heading
    return " ".join(_MARKUP.sub(lambda match: match[1] or match[2] or match[3] or "", heading).split())


def _opening(text: str, block: Block) -> str:
    # Beyond this many characters of source nothing can be shown, save for very long runs of blanks.
    piece = _slice(text, block.start, min(block.end, block.start + 16 * MAX_CHARACTERS), block.quoted)
    words = piece.split(None, MAX_WORDS)[:MAX_WORDS]
    opening = " ".join(words)
    if len(opening) <= MAX_CHARACTERS:
        return opening
    cut = opening[: MAX_CHARACTERS + 1]
    return cut.rpartition(" ")[0] if " " in cut else cut[:MAX_CHARACTERS]


def _slice(text: str, start: int, end: int, quoted: bool) -> str:
    piece = text[start:end]
    if quoted:
        piece = _QUOTE_PREFIX.sub("", piece)
    return piece.replace(FILLER, " ") if FILLER in piece else piece
