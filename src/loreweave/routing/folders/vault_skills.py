"""A vault without any SKILL.md: every note is a skill, maps of content are where to begin."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from loreweave.language.markdown.blocks import HEADING, BlockScanner
from loreweave.language.markdown.note_slugs import deal_slugs, path_order
from loreweave.routing.folders.entry_line import EntryLine
from loreweave.routing.folders.file_header import FileHeader, read_file_header, without_header
from loreweave.routing.folders.header_nodes import HeaderNode, ListNode, TextNode
from loreweave.routing.folders.link_resolvers import VaultLinks
from loreweave.routing.folders.skill_file import SkillFile
from loreweave.routing.route_errors import SkillFileError

MAP_OF_CONTENT = "moc"
_WIKILINK = re.compile(r"\[\[([^\[\]|#]{1,512}+)[^\[\]]{0,512}+\]\]")


@dataclass(frozen=True, slots=True)
class _Note:
    """What the names of a note come from."""

    path: str
    name: str
    aliases: tuple[str, ...]


def read_vault(files: Mapping[str, str]) -> tuple[list[SkillFile], VaultLinks]:
    """Notes by depth and path. Whatever is wrong with one, it still is a note."""
    paths = sorted((path for path in files if path.lower().endswith(".md")), key=path_order)
    slugs, _ = deal_slugs(paths)
    skills: list[SkillFile] = []
    notes: list[tuple[str, _Note]] = []
    for path in paths:
        header = _header(path, files[path])
        fields = {key.strip().casefold(): value for key, value in header.root.fields.items()}
        title = _one_line(fields.get("name")) or _one_line(fields.get("title")) or _first_heading(header.body)
        title = title or _words(path)
        description = _one_line(fields.get("description")) or title
        kind = _one_line(fields.get("type")).lower()
        skills.append(
            SkillFile(
                path=path,
                id=slugs[path],
                description=description,
                body=header.body or title,
                body_line=header.body_line,
                entries=((1, EntryLine("default")),) if kind == MAP_OF_CONTENT else (),
            )
        )
        notes.append((slugs[path], _Note(path, title, tuple(_aliases(fields.get("aliases"))))))
    return skills, VaultLinks(notes)


def _header(path: str, text: str) -> FileHeader:
    try:
        return read_file_header(path, text, lenient=True)
    except SkillFileError:
        return without_header(path, text)


def _one_line(node: HeaderNode | None) -> str:
    return " ".join(node.text.split()) if isinstance(node, TextNode) and not node.is_blank else ""


def _aliases(node: HeaderNode | None) -> list[str]:
    if isinstance(node, ListNode):
        return [name for item in node.items for name in _aliases(item)]
    text = _one_line(node)
    return [name.strip() for name in _WIKILINK.findall(text)] or ([text] if text else [])


def _first_heading(body: str) -> str:
    """The first heading of the first level."""
    for block in BlockScanner(body, 0):
        if block.kind == HEADING and block.level == 1 and (title := " ".join(body[block.start : block.end].split())):
            return title
    return ""


def _words(path: str) -> str:
    stem = path.rpartition("/")[2][:-3]
    words = stem.replace("-", " ").replace("_", " ").split()
    return " ".join(word[:1].upper() + word[1:] for word in words) or stem or path
