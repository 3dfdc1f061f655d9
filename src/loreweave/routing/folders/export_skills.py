"""A graph of skills as folders that every client of Agent Skills takes: names that fit, and files beside each skill.

What is made is read back before the first file is written, and must be the same graph.
"""

from __future__ import annotations

import json
import os
import shutil
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from loreweave.contracts.route_values import EMPTY, ReadOnlyDict, SkillEdge
from loreweave.errors import Conflict, InvalidInput, Unavailable
from loreweave.language.markdown.note_slugs import is_ignored, is_skill_file
from loreweave.language.slug import fallback_slug, slug
from loreweave.routing.built_graph import SkillGraph, build_graph
from loreweave.routing.declaring.decision_tree import TreeDecision
from loreweave.routing.declaring.declarations import Declarations
from loreweave.routing.declaring.skill import Skill
from loreweave.routing.folders.body_links import FolderLinks, find_body_links, join_path
from loreweave.routing.folders.file_header import plain_source, read_file_header, without_header
from loreweave.routing.folders.graph_header import GRAPH_FILE
from loreweave.routing.folders.load_skill_graph import compile_skill_files
from loreweave.routing.folders.route_sources import OpenedSkills
from loreweave.routing.folders.skill_file import ROUTING_PREFIX, SPECIFIED_KEYS, plain_value
from loreweave.routing.folders.write_skill_folder import (
    MOST_COMPATIBILITY,
    MOST_DESCRIPTION,
    MOST_NAME,
    is_skill_name,
    refuse_other_skills,
    render_skill_files,
    write_whole,
)
from loreweave.routing.graph_problems import SkillFileError, SkillGraphError

KEPT = "lore."  # of metadata: what the specification has no room for
MOST_KEY = 100  # characters of a key that stands in metadata by itself


@dataclass(frozen=True, slots=True)
class SkillExport:
    """`files`: texts by path, or where the file is that is copied; `renamed`: old names to new ones."""

    files: Mapping[str, str | Path]
    skills: int
    renamed: Mapping[str, str]
    shortened: tuple[str, ...]
    left_out: tuple[str, ...]


def plan_export(opened: OpenedSkills, folder: Path | None) -> SkillExport:
    """`folder`: where the skills were read, if on this computer: then files of every kind come along."""
    declared = opened.graph.declarations
    if not declared.skills:
        raise SkillGraphError("there is no skill to export: no SKILL.md and no note")
    names = _fitting_names(declared)
    skills = {skill.id: _fitted(skill, names[skill.id], opened) for skill in declared.skills}
    graph = build_graph(_renamed(declared, names, skills), "off")
    files: dict[str, str | Path] = dict(render_skill_files(graph))
    sources: dict[str, str | Path] = dict(_files_below(folder)) if folder else dict(opened.files)
    brought = _bring(declared, names, opened, sources)
    files |= {place: sources[source] for place, source in brought.items() if place not in files}
    _refuse_unequal(graph, {path: _text(content) for path, content in files.items() if path.lower().endswith(".md")})
    own = {*declared.files.values(), GRAPH_FILE, *brought.values()}
    return SkillExport(
        files=dict(sorted(files.items())),
        skills=len(graph.skills),
        renamed={old: new for old, new in names.items() if old != new},
        shortened=tuple(skill.id for skill in graph.skills if f"{KEPT}description" in skill.metadata),
        left_out=tuple(sorted(path for path in sources if path not in own and not is_ignored(path))),
    )


def _text(content: str | Path) -> str:
    return content if isinstance(content, str) else content.read_bytes().decode("utf-8", "replace")


def _fitting_names(declared: Declarations) -> dict[str, str]:
    """Names that fit keep themselves, and nobody takes the name of a skill that is only spoken of."""
    known = [skill.id for skill in declared.skills]
    names = {name: name for name in known if is_skill_name(name)}
    taken = {*names, *(route.to for route in declared.routes if route.to not in known)}
    for name in known:
        if name not in names:
            wanted = _fitting(name)
            number, candidate = 1, wanted
            while candidate in taken:
                number += 1
                candidate = f"{wanted[: MOST_NAME - len(str(number)) - 1].rstrip('-')}-{number}"
            names[name] = candidate
            taken.add(candidate)
    return {name: names[name] for name in known}


def _fitting(name: str) -> str:
    small = unicodedata.normalize("NFKC", slug(name).lower())
    parts = "".join(letter if letter.isalnum() else " " for letter in small).split()
    made = "-".join(parts)[:MOST_NAME].strip("-")
    return made if is_skill_name(made) else fallback_slug(name)


def _fitted(skill: Skill, name: str, opened: OpenedSkills) -> Skill:
    """Under its new name, with what the header says besides; what is too long is kept whole among the metadata."""
    metadata: dict[str, Any] = {**_unread(opened, skill.id), **skill.metadata}
    if name != skill.id:
        metadata.setdefault(f"{KEPT}name", skill.id)
    description = skill.description
    if len(description) > MOST_DESCRIPTION:
        metadata[f"{KEPT}description"], description = description, _cut(description, MOST_DESCRIPTION)
    compatibility = str(metadata.get("compatibility", ""))
    if len(compatibility) > MOST_COMPATIBILITY:
        metadata[f"{KEPT}compatibility"] = compatibility
        metadata["compatibility"] = _cut(compatibility, MOST_COMPATIBILITY)
    return replace(skill, id=name, description=description, metadata=ReadOnlyDict(metadata), resources=())


def _cut(text: str, most: int) -> str:
    return text[: most - 1].rsplit(None, 1)[0][: most - 1] + "…"


def _unread(opened: OpenedSkills, name: str) -> dict[str, Any]:
    """The keys of a header that routing does not read: all of a note's, and those of other clients."""
    path = opened.graph.declarations.files.get(name)
    if path is None or path not in opened.files:
        return {}
    source = opened.files[path]
    is_skill = is_skill_file(path)
    try:
        fields = read_file_header(path, source, lenient=not is_skill).root.fields
    except SkillFileError:
        body = without_header(path, source).body
        header = plain_source(source).removesuffix("\n").rstrip().removesuffix(body).strip()
        return {f"{KEPT}header": header} if header else {}
    found: dict[str, Any] = {}
    others: dict[str, Any] = {}
    for key, node in fields.items():
        value = plain_value(node)
        if key in (SPECIFIED_KEYS if is_skill else ("description",)):
            continue
        if key == "name":
            found[f"{KEPT}name"] = value
        elif _is_plain_key(key):
            found[key] = value
        else:
            others[key] = value
    return {**found, f"{KEPT}header": json.dumps(others, ensure_ascii=False)} if others else found


def _is_plain_key(key: str) -> bool:
    """Whether it may stand in metadata beside those that have a meaning there."""
    reserved = key == "metadata" or key.startswith((ROUTING_PREFIX[:-1], KEPT))
    return not reserved and key.isprintable() and 0 < len(key.strip()) <= MOST_KEY


def _renamed(declared: Declarations, names: Mapping[str, str], skills: Mapping[str, Skill]) -> Declarations:
    def leaf(node: Any) -> Any:
        if isinstance(node, TreeDecision):  # no deeper than a header may be nested
            return replace(node, when_true=leaf(node.when_true), when_false=leaf(node.when_false))
        name = node.id if isinstance(node, Skill) else node
        return names.get(name, name)

    return replace(
        declared,
        skills=tuple(skills.values()),
        entries=tuple(replace(entry, to=names.get(entry.to, entry.to)) for entry in declared.entries),
        routes=tuple(
            replace(route, from_=names.get(route.from_, route.from_), to=names.get(route.to, route.to))
            for route in declared.routes
        ),
        tree=None if declared.tree is None else leaf(declared.tree),
        findings=(),
        files=EMPTY,
    )


def _files_below(folder: Path) -> Iterator[tuple[str, Path]]:
    """By path from there; links of the file system are not followed."""
    for below, folders, files in os.walk(folder):
        start = os.path.relpath(below, folder).replace(os.sep, "/")
        prefix = "" if start == "." else start + "/"
        folders[:] = sorted(
            name for name in folders if not is_ignored(prefix + name) and not os.path.islink(os.path.join(below, name))
        )
        for name in sorted(files):
            place = Path(below, name)
            if not is_ignored(prefix + name) and not place.is_symlink() and place.is_file():
                yield prefix + name, place


def _bring(
    declared: Declarations, names: Mapping[str, str], opened: OpenedSkills, sources: Mapping[str, Any]
) -> dict[str, str]:
    """Where each file of a skill goes: those of its folder beside it, others to where its links look for them."""
    folders = {path.rpartition("/")[0]: name for name, path in declared.files.items() if is_skill_file(path)}
    taken = {*declared.files.values(), GRAPH_FILE}
    found: dict[str, str] = {}
    for path in sources:
        folder = path.rpartition("/")[0]
        while folder and folder not in folders:
            folder = folder.rpartition("/")[0]
        if folder in folders and path not in taken:
            found[f"{names[folders[folder]]}/{path[len(folder) :].lstrip('/')}"] = path
    if not folders:
        return {}
    links = FolderLinks(declared.files, opened.files)
    for skill in declared.skills:
        for link in find_body_links(skill.body):
            target = links.target_of(declared.files[skill.id], link)
            if target.kind != "resource" or target.name not in sources:
                continue
            bases = ("",) if link.target.startswith("/") else (names[skill.id], "")
            places = [place for base in bases if (place := join_path(base, link.target))]
            places = [place if place.lower().endswith(".md") else f"{place}.md" for place in places]
            if places and not is_skill_file(places[0]) and places[0] != GRAPH_FILE:
                found.setdefault(places[0], target.name)
    return found


def _refuse_unequal(graph: SkillGraph, texts: dict[str, str]) -> None:
    read = compile_skill_files(texts, bind="open", check="off", is_folder=True)
    if _said(read) != _said(graph):
        raise SkillGraphError("the skills cannot be written so that reading them gives the same graph")


def _said(graph: SkillGraph) -> tuple[Any, ...]:
    edges: dict[str | None, list[SkillEdge]] = defaultdict(list)
    for edge in graph.edges:
        edges[edge.from_].append(edge)
    skills = [(skill.id, skill.description.strip(), skill.tool_names, skill.end) for skill in graph.skills]
    return graph.nodes, dict(edges), graph.entry_by, graph.limits, skills


def write_export(export: SkillExport, folder: Path, *, overwrite: bool) -> bool:
    """A folder that is not there yet comes whole or not at all; False: all of it was there already."""
    try:
        if not os.path.lexists(folder):
            folder.parent.mkdir(parents=True, exist_ok=True)
            beside = folder.with_name(f".{folder.name}.{os.getpid()}")
            try:
                for path, content in export.files.items():
                    write_whole(beside / path, content)
                os.rename(beside, folder)
            finally:
                shutil.rmtree(beside, ignore_errors=True)
            return True
        refuse_other_skills(folder, export.files)
        changed = [path for path, content in export.files.items() if not _says(folder, path, content)]
        differing = [path for path in changed if os.path.lexists(folder / path)]
        if differing and not overwrite:
            message = f"{folder} holds other texts under these names, {differing[0]} for one: --replace overwrites them"
            raise Conflict(message, files=differing)
        for path in changed:
            write_whole(folder / path, export.files[path])
        return bool(changed)
    except OSError as trouble:
        why = (trouble.strerror or type(trouble).__name__).lower()
        raise Unavailable(f"{folder} cannot be written: {why}", folder=str(folder)) from None


def _says(folder: Path, path: str, content: str | Path) -> bool:
    place = folder
    for part in path.split("/"):
        place /= part
        if place.is_symlink():
            raise InvalidInput(f"{place} is a link, and nothing is written behind one", field="dir")
    if not place.is_file():
        return False
    return place.read_bytes() == (content.encode() if isinstance(content, str) else content.read_bytes())
