"""A folder's texts, wherever they came from, as a graph."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from loreweave.routing.build_graph import CheckMode, build_graph
from loreweave.routing.folders.declare_folder import Tools, declare_folder
from loreweave.routing.folders.graph_header import GRAPH_FILE
from loreweave.routing.folders.named_predicates import BindMode, NamedPredicates
from loreweave.routing.folders.skill_file_error import skill_file_error
from loreweave.routing.folders.skill_folder import SkillFolder, read_skill_folder
from loreweave.routing.predicates import Predicate, one_question
from loreweave.routing.route_errors import SkillGraphError
from loreweave.routing.skill_graph import SkillGraph


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
