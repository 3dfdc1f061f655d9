"""A graph as a folder of skills: all texts are made before the first is written."""

from __future__ import annotations

import os
from pathlib import Path

from loreweave.routing.folders.graph_header import GRAPH_FILE
from loreweave.routing.folders.load_skill_graph import read_markdown
from loreweave.routing.folders.render_skill_files import render_skill_files
from loreweave.routing.folders.skill_folder import find_skill_files
from loreweave.routing.route_errors import SkillGraphError
from loreweave.routing.skill_graph import SkillGraph


def write_skill_folder(graph: SkillGraph, folder: str | os.PathLike[str]) -> tuple[Path, ...]:
    """`<id>/SKILL.md` for every skill, and `skillgraph.md` where one is needed. Read back, it is the same graph.

    What files cannot say is refused before anything is written, as is a folder that holds other skills.
    """
    texts = render_skill_files(graph)
    root = Path(folder)
    _refuse_other_skills(root, texts)
    written = []
    for path, text in texts.items():
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        beside = place.with_name(f".{place.name}.{os.getpid()}")
        beside.write_bytes(text.encode())
        os.replace(beside, place)
        written.append(place)
    return tuple(written)


def _refuse_other_skills(root: Path, texts: dict[str, str]) -> None:
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
