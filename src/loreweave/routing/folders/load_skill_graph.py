"""A folder on disk as a graph. Links of the file system are not followed."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from loreweave.language.markdown.decode_text import decode_text
from loreweave.routing.build_graph import CheckMode
from loreweave.routing.folders.compile_skill_files import compile_skill_files
from loreweave.routing.folders.declare_folder import Tools
from loreweave.routing.folders.named_predicates import BindMode
from loreweave.routing.folders.skill_folder import is_ignored
from loreweave.routing.predicates import Predicate
from loreweave.routing.route_errors import SkillFileError
from loreweave.routing.skill_graph import SkillGraph


def load_skill_graph(
    folder: str | os.PathLike[str],
    *,
    predicates: Mapping[str, Predicate] | None = None,
    tools: Tools = None,
    bind: BindMode = "strict",
    embedder: Any = None,
    check: CheckMode = "throw",
) -> SkillGraph:
    """Markdown skills below a folder, and how they lead to one another.

    `predicates`: what `@name` in a file means. `tools`: the names a file may list, or a mapping to functions.
    With bind="open" a name without a function asks the answers of a question.
    """
    return compile_skill_files(
        read_markdown(folder),
        predicates=predicates,
        tools=tools,
        bind=bind,
        embedder=embedder,
        check=check,
        root_name=Path(folder).resolve().name,
        is_folder=True,
    )


def read_markdown(folder: str | os.PathLike[str]) -> dict[str, str]:
    """The text of every markdown file below a folder, by its path from there."""
    root = os.fspath(folder)
    if not os.path.isdir(root):
        raise SkillFileError(f"{root}: there is no such folder", root)
    found: dict[str, str] = {}
    waiting = [""]
    while waiting:
        below = waiting.pop()
        with os.scandir(os.path.join(root, below)) as entries:
            for entry in entries:
                path = below + entry.name
                if is_ignored(entry.name):
                    continue
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(path + "/")
                elif entry.is_file(follow_symlinks=False) and entry.name.lower().endswith(".md"):
                    found[path] = _read(entry.path, path)
    return dict(sorted(found.items()))


def _read(place: str, path: str) -> str:
    try:
        return decode_text(Path(place).read_bytes())[0]
    except OSError as trouble:
        raise SkillFileError(f"{path}: it cannot be read: {trouble.strerror}", path) from None
