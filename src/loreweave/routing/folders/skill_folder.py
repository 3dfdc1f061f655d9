"""All files of a folder as skills, the header of the graph, and a way to follow links; else the notes of a vault."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from loreweave.contracts.route_values import GraphProblem
from loreweave.language.headers.header_tree import HeaderNode, ListNode, TextNode
from loreweave.language.markdown.note_names import title_from_path
from loreweave.language.markdown.note_slugs import deal_slugs, is_ignored, is_skill_file, path_order
from loreweave.language.markdown.outline_page import read_outline
from loreweave.routing.folders.body_links import FolderLinks, LinkResolver, VaultLinks, is_inside
from loreweave.routing.folders.entry_line import EntryLine
from loreweave.routing.folders.file_header import FileHeader, read_file_header, without_header
from loreweave.routing.folders.graph_header import GRAPH_FILE, GraphHeader, read_graph_header
from loreweave.routing.folders.skill_file import SkillFile, read_skill_file
from loreweave.routing.graph_problems import SkillFileError, quoted, skill_file_error

MAP_OF_CONTENT = "moc"
_WIKILINK = re.compile(r"\[\[([^\[\]|#]{1,512}+)[^\[\]]{0,512}+\]\]")


@dataclass(frozen=True, slots=True)
class SkillFolder:
    """Skills by (order, name); `findings` are about the files themselves."""

    skills: tuple[SkillFile, ...]
    header: GraphHeader
    links: LinkResolver
    is_vault: bool
    findings: tuple[GraphProblem, ...]


def read_skill_folder(files: Mapping[str, str], root_name: str, *, is_folder: bool = True) -> SkillFolder:
    """`files`: texts by path from the root; `root_name`: what the root is called, `is_folder`: whether as a folder."""
    kept = {path: text for path, text in files.items() if not is_ignored(path)}
    header = read_graph_header(kept[GRAPH_FILE]) if GRAPH_FILE in kept else GraphHeader()
    paths = find_skill_files(kept)
    if not paths:
        notes, vault = read_vault({path: text for path, text in kept.items() if path != GRAPH_FILE})
        return SkillFolder(tuple(notes), header, vault, True, header.findings)
    skills: dict[str, SkillFile] = {}
    findings = list(header.findings)
    for path in paths:
        folder_name = path.rpartition("/")[0].rpartition("/")[2] or root_name
        read = read_skill_file(path, kept[path], folder_name, alike="/" in path or is_folder)
        if isinstance(read, GraphProblem):
            findings.append(read)
            continue
        if read.id in skills:
            sentence = f"{quoted(read.id)} is the name of {skills[read.id].path} already: rename one of the two"
            raise skill_file_error(sentence, path, read.name_line or 1)
        skills[read.id] = read
    ordered = sorted(skills.values(), key=lambda skill: skill.rank)
    for skill in ordered:
        findings += skill.findings
    findings += _same_descriptions(ordered)
    places = {skill.id: skill.path for skill in ordered}
    return SkillFolder(tuple(ordered), header, FolderLinks(places, kept), False, tuple(findings))


def find_skill_files(files: Mapping[str, str]) -> list[str]:
    """One SKILL.md a folder; none inside the folder of another skill but the root's."""
    by_folder: dict[str, str] = {}
    for path in sorted(filter(is_skill_file, files)):  # SKILL.md sorts before skill.md
        by_folder.setdefault(path.rpartition("/")[0], path)
    return sorted((path for folder, path in by_folder.items() if not is_inside(folder, by_folder)), key=path_order)


def _same_descriptions(skills: list[SkillFile]) -> list[GraphProblem]:
    first: dict[str, str] = {}
    found = []
    for skill in skills:
        said = " ".join(skill.description.casefold().split())
        if said in first:
            sentence = (
                f"{quoted(skill.id)} has the description of {quoted(first[said])}, so nothing tells them apart: "
                "say when to use which"
            )
            found.append(GraphProblem("warning", "duplicate-description", sentence, skill.id, file=skill.path, line=1))
        first.setdefault(said, skill.id)
    return found


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
        title = title or title_from_path(path)
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
    headings = read_outline("SKILL.md", body, 0)[1].headings
    return next((heading.text for heading in headings if heading.level == 1), "")
