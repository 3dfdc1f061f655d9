"""A graph as a folder of skills that say the same: all texts are made before the first is written."""

from __future__ import annotations

import json
import os
import re
import shutil
import unicodedata
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from loreweave.language.strange_text import is_unicode
from loreweave.routing.built_graph import SkillGraph
from loreweave.routing.declaring.declarations import Declarations, DeclaredEntry, DeclaredRoute
from loreweave.routing.declaring.skill import EXAMPLES_KEY, Skill
from loreweave.routing.declaring.skill_graph_builder import GRAPH_KEY
from loreweave.routing.folders.body_links import FolderLinks, restate_links
from loreweave.routing.folders.entry_line import write_entry_line
from loreweave.routing.folders.graph_header import GRAPH_FILE
from loreweave.routing.folders.load_skill_graph import read_markdown
from loreweave.routing.folders.route_line import write_route_line
from loreweave.routing.folders.skill_file import KEPT_KEYS, ROUTING_PREFIX
from loreweave.routing.folders.skill_folder import find_skill_files
from loreweave.routing.folders.state_conditions import StatedConditions, block_text, quoted_text, render_graph_header
from loreweave.routing.graph_problems import SkillGraphError, quoted

MOST_NAME, MOST_DESCRIPTION, MOST_COMPATIBILITY = 64, 1024, 500
MOST_NAME_BYTES = 240  # file systems take 255, and a file is written under a longer name first
ORDER_STEP = 10
_PLAIN_KEY = re.compile(r"[A-Za-z][A-Za-z0-9._-]*")


def write_skill_folder(graph: SkillGraph, folder: str | os.PathLike[str]) -> tuple[Path, ...]:
    """`<id>/SKILL.md` for every skill, and `skillgraph.md` where one is needed. Read back, it is the same graph.

    What files cannot say is refused before anything is written, as is a folder that holds other skills.
    """
    texts = render_skill_files(graph)
    root = Path(folder)
    refuse_other_skills(root, texts)
    written = []
    for path, text in texts.items():
        write_whole(root / path, text)
        written.append(root / path)
    return tuple(written)


def write_whole(place: Path, content: str | Path) -> None:
    """A text, or a copy of a file with its rights: a script stays one that runs."""
    place.parent.mkdir(parents=True, exist_ok=True)
    beside = place.with_name(f".{os.getpid()}.lore")
    if isinstance(content, str):
        beside.write_bytes(content.encode())
    else:
        shutil.copy(content, beside)
    os.replace(beside, place)


def refuse_other_skills(root: Path, texts: Mapping[str, object]) -> None:
    """They would be read as part of this graph."""
    if not root.exists():
        return
    if not root.is_dir():
        raise SkillGraphError(f"{root} is no folder")
    found = read_markdown(root)
    others = [path for path in (*find_skill_files(found), *(GRAPH_FILE,) * (GRAPH_FILE in found)) if path not in texts]
    if others:
        raise SkillGraphError(f"{root} holds {others[0]} already, which is not of this graph: choose another folder")
    for path in texts:
        if (root / path).parent.is_symlink() or (root / path).is_dir():
            raise SkillGraphError(f"{root / path} cannot be written: something else stands there")


def render_skill_files(graph: SkillGraph) -> dict[str, str]:
    """Texts by path. What files cannot say, or the specification forbids, is a SkillGraphError."""
    declared = graph.declarations
    _refuse_homeless(declared)
    for skill in declared.skills:
        _check_specification(skill)
    stated = StatedConditions()
    places = {skill.id: f"{skill.id}/SKILL.md" for skill in declared.skills}
    rendering = _Rendering(declared, stated, FolderLinks(places, places.values()))
    texts = {places[skill.id]: rendering.text(skill, number) for number, skill in enumerate(declared.skills, 1)}
    return {**texts, **render_graph_header(declared, stated)}


def _refuse_homeless(declared: Declarations) -> None:
    """Every declaration stands in the file of a skill, so there must be one."""
    known = {skill.id for skill in declared.skills}
    named = (*(route.from_ for route in declared.routes), *(entry.to for entry in declared.entries))
    for name in (*named, *declared.mentioned):
        if name not in known:
            raise SkillGraphError(f"{quoted(name)} is no skill of this graph, so there is no file to write it in")
    if declared.tree is None and not declared.entries:
        raise SkillGraphError("the graph has no entry, and a folder without one would make every skill an entry")


def is_skill_name(name: str) -> bool:
    """As the specification has it, and short enough for a folder."""
    plain = name == unicodedata.normalize("NFKC", name) == name.lower()
    fits = len(name) <= MOST_NAME and len(name.encode("utf-8", "replace")) <= MOST_NAME_BYTES
    return plain and fits and all(part.isalnum() for part in name.split("-"))


def _check_specification(skill: Skill) -> None:
    name = skill.id
    if not is_skill_name(name):
        raise SkillGraphError(
            f"{quoted(name)} is no name for a folder of a skill: at most {MOST_NAME} small letters, digits and single "
            "hyphens between them"
        )
    if len(skill.description) > MOST_DESCRIPTION:
        raise SkillGraphError(f"the description of {quoted(name)} has more than {MOST_DESCRIPTION:,} characters")
    if len(str(skill.metadata.get("compatibility", ""))) > MOST_COMPATIBILITY:
        raise SkillGraphError(f"the compatibility of {quoted(name)} has more than {MOST_COMPATIBILITY} characters")


class _Rendering:
    def __init__(self, declared: Declarations, stated: StatedConditions, links: FolderLinks) -> None:
        self._stated = stated
        self._links = links
        self._is_tree = declared.tree is not None
        self._entries: dict[str, list[tuple[int | None, DeclaredEntry]]] = {}
        in_order = _follows_skills(declared)
        for number, entry in enumerate(declared.entries, 1):
            self._entries.setdefault(entry.to, []).append((None if in_order else number, entry))
        self._routes: dict[str, list[DeclaredRoute]] = {}
        for route in declared.routes:
            self._routes.setdefault(route.from_, []).append(route)

    def text(self, skill: Skill, number: int) -> str:
        routes, body = self._routes.get(skill.id, []), skill.body
        if not self._is_tree:  # a tree takes no edges from links
            routes, body = restate_links(skill, routes, self._links)
        metadata = {
            "skillgraph.entry": self._entry_lines(skill),
            "skillgraph.order": str(number * ORDER_STEP),
            "skillgraph.tools": " ".join(_tool_names(skill)),
            "skillgraph.end": "true" if skill.end else "",
            "skillgraph.examples": "\n".join(skill.examples),
            "skillgraph.routes": "\n".join(self._route_lines(routes)),
        }
        lines = ["---", f"name: {quoted_text(skill.id)}", f"description: {quoted_text(skill.description)}"]
        lines += [f"{key}: {quoted_text(_as_text(skill.metadata[key]))}" for key in KEPT_KEYS if key in skill.metadata]
        lines.append("metadata:")
        for key, value in (*_other_metadata(skill), *((key, value) for key, value in metadata.items() if value)):
            shown = block_text(value) if "\n" in value or key == "skillgraph.routes" else quoted_text(value)
            lines.append(f"  {_key(key)}: {shown}")
        text = "\n".join([*lines, "---", "", body, ""])
        if not is_unicode(text):
            raise SkillGraphError(f"{quoted(skill.id)} holds half of a surrogate pair, which no file can")
        return text

    def _entry_lines(self, skill: Skill) -> str:
        lines = []
        for order, entry in self._entries.get(skill.id, ()):
            stated = self._stated.entry(entry, order)
            try:
                lines.append(write_entry_line(stated))
            except ValueError:
                raise SkillGraphError(f"no file can say the condition of the entry {quoted(skill.id)}") from None
        return "\n".join(lines)

    def _route_lines(self, routes: Iterable[DeclaredRoute]) -> list[str]:
        lines = []
        for route in routes:
            try:
                lines.append(write_route_line(self._stated.route(route)))
            except SkillGraphError:
                raise
            except ValueError:
                ends = f"from {quoted(route.from_)} to {quoted(route.to)}"
                raise SkillGraphError(f"no file can say the condition of the route {ends}") from None
        return lines


def _follows_skills(declared: Declarations) -> bool:
    """Whether the entries come in the order of the skills, as they do where no file says otherwise."""
    places = {skill.id: number for number, skill in enumerate(declared.skills)}
    order = [places[entry.to] for entry in declared.entries]
    return order == sorted(order)


def _tool_names(skill: Skill) -> tuple[str, ...]:
    for name in skill.tool_names:
        if "," in name or len(name.split()) != 1 or name != name.strip():
            raise SkillGraphError(f"the tool {quoted(name)} of {quoted(skill.id)} has a blank or comma in its name")
    return tuple(dict.fromkeys(skill.tool_names))


def _other_metadata(skill: Skill) -> list[tuple[str, str]]:
    found = []
    for key, value in skill.metadata.items():
        if key in (GRAPH_KEY, EXAMPLES_KEY, *KEPT_KEYS):
            continue
        if key.startswith(ROUTING_PREFIX):
            raise SkillGraphError(f"the metadata of {quoted(skill.id)} has {quoted(key)}, which routing writes itself")
        found.append((key, _as_text(value)))
    return found


def _as_text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def _key(key: str) -> str:
    return key if _PLAIN_KEY.fullmatch(key) else quoted_text(key)
