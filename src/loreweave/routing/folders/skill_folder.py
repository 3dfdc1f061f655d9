"""All files of a folder as skills, the header of the graph, and a way to follow links."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from loreweave.language.markdown.note_slugs import is_skill_file, path_order
from loreweave.routing.checkup_values import GraphProblem
from loreweave.routing.folders.graph_header import GRAPH_FILE, GraphHeader, read_graph_header
from loreweave.routing.folders.link_resolvers import FolderLinks, LinkResolver
from loreweave.routing.folders.read_skill_file import read_skill_file
from loreweave.routing.folders.skill_file import SkillFile
from loreweave.routing.folders.skill_file_error import skill_file_error
from loreweave.routing.folders.vault_skills import read_vault
from loreweave.routing.quote_name import quote_name as quoted

_IGNORED = frozenset({"node_modules", "dist", "build", "__MACOSX"})


@dataclass(frozen=True, slots=True)
class SkillFolder:
    """Skills by (order, name); `findings` are about the files themselves."""

    skills: tuple[SkillFile, ...]
    header: GraphHeader
    links: LinkResolver
    is_vault: bool
    findings: tuple[GraphProblem, ...]


def is_ignored(path: str) -> bool:
    """Whether a part of the path is a name under which nobody writes skills."""
    return any(part.startswith(".") or part in _IGNORED for part in path.split("/"))


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
    return sorted((path for folder, path in by_folder.items() if not _is_inside(folder, by_folder)), key=path_order)


def _is_inside(folder: str, by_folder: Mapping[str, str]) -> bool:
    parts = folder.split("/")
    return any("/".join(parts[:length]) in by_folder for length in range(1, len(parts)))


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
