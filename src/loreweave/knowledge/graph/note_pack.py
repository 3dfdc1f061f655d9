"""How the texts of a note are packed for the store, and unpacked."""

import json
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from loreweave.entities.note import LinkMention, ParsedNote, Section, Warning
from loreweave.language.markdown.note_names import names_of

_LEVEL = 1  # fast; notes are small and read often


@dataclass(frozen=True, slots=True)
class NoteLinks:
    """What linking needs of a note: its links with their sentences, its own names, its headings."""

    links: tuple[LinkMention, ...]
    sentences: tuple[str, ...]
    names: tuple[tuple[str, int], ...]
    headings: tuple[str, ...]


def pack_text(text: str) -> bytes:
    return zlib.compress(text.encode("utf-8"), _LEVEL)


def unpack_text(data: bytes) -> str:
    return zlib.decompress(data).decode("utf-8")


def pack_sections(sections: Sequence[Section]) -> bytes:
    return pack_text(json.dumps([[part.level, part.heading, part.text] for part in sections], ensure_ascii=False))


def unpack_sections(data: bytes) -> tuple[Section, ...]:
    return tuple(Section(*part) for part in json.loads(unpack_text(data)))


def render_sections(sections: Iterable[Section]) -> str:
    """The sections text: heading lines and opening words, a line each."""
    lines: list[str] = []
    for section in sections:
        if section.heading is not None:
            lines.append(f"{'#' * section.level} {section.heading}".rstrip())
        if section.text:
            lines.append(section.text)
    return "\n".join(lines)


def pack_links(note: ParsedNote) -> bytes:
    links = [
        [link.kind, link.target, link.raw, link.anchors, link.line, link.count, link.sentences] for link in note.links
    ]
    return pack_text(json.dumps([links, note.sentences, names_of(note), note.headings], ensure_ascii=False))


def unpack_links(data: bytes) -> NoteLinks:
    links, sentences, names, headings = json.loads(unpack_text(data))
    return NoteLinks(
        links=tuple(
            LinkMention(kind, target, raw, tuple(anchors), line, count, tuple(numbers))
            for kind, target, raw, anchors, line, count, numbers in links
        ),
        sentences=tuple(sentences),
        names=tuple((key, name_class) for key, name_class in names),
        headings=tuple(headings),
    )


def pack_warnings(warnings: Sequence[Warning]) -> str | None:
    """Without the file, which the row knows; None where there is nothing to say."""
    if not warnings:
        return None
    return json.dumps([[found.code, found.message, found.line] for found in warnings], ensure_ascii=False)


def unpack_warnings(data: str | None, file: str) -> list[Warning]:
    return [Warning(code, file, message, line) for code, message, line in json.loads(data or "[]")]
