"""A folder on disk, or its texts wherever they came from, as a graph. Links of the file system are not followed."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from loreweave.language.markdown.decode_text import decode_text
from loreweave.language.markdown.note_slugs import is_ignored
from loreweave.routing.built_graph import CheckMode, SkillGraph, build_graph
from loreweave.routing.declaring.conditions import Predicate, one_question
from loreweave.routing.folders.declare_folder import Tools, declare_folder
from loreweave.routing.folders.entry_line import BindMode, NamedPredicates
from loreweave.routing.folders.graph_header import GRAPH_FILE
from loreweave.routing.folders.skill_folder import SkillFolder, read_skill_folder
from loreweave.routing.graph_problems import SkillFileError, SkillGraphError, skill_file_error


class MissingEmbedder:
    """Stands where a file asks for relevance and nobody handed an embedder over: only scoring needs one."""

    def embed(self, texts: Any, /) -> Any:
        raise SkillGraphError("entries are chosen by relevance, and there is no embedder")


def compile_skill_files(
    files: Mapping[str, str],
    *,
    predicates: Mapping[str, Predicate] | None = None,
    tools: Tools = None,
    bind: BindMode = "strict",
    embedder: Any = None,
    check: CheckMode = "throw",
    root_name: str = "",
    is_folder: bool = False,
) -> SkillGraph:
    """`files`: texts by path from the root, with slashes; `root_name`: what a skill at the root is called that does
    not say so itself; with `is_folder` it is the name of a folder, which its skill should share."""
    if isinstance(tools, str):
        raise SkillGraphError("tools is a list of names, or a mapping of names to functions")
    held = tools if tools is None or isinstance(tools, Mapping) else tuple(tools)
    with one_question():
        folder = read_skill_folder(files, root_name, is_folder=is_folder)
    names = NamedPredicates(predicates or {}, bind)
    declared = declare_folder(folder, names, held, lambda way: _open_scorer(way, folder, embedder, bind))
    return build_graph(declared, check, known_tools=() if held is None else tuple(held))


def _open_scorer(way: str, folder: SkillFolder, embedder: Any, bind: BindMode) -> Any:
    from loreweave.routing.entry_scorers import embedding_scorer, keyword_scorer

    if way == "keyword":
        return keyword_scorer()
    if embedder is None and bind == "strict":
        sentence = "entry_by: relevance needs an embedder: hand one over"
        raise skill_file_error(sentence, GRAPH_FILE, folder.header.entry_line)
    return embedding_scorer(MissingEmbedder() if embedder is None else embedder)


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
