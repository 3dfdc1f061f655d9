"""Graphs to be asked: files that came with the question, a folder, or a graph as ingested."""

from __future__ import annotations

import re
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from loreweave.errors import InvalidInput, InvalidSkillFile, NotFound, TooLarge, Unavailable
from loreweave.routing.built_graph import SkillGraph
from loreweave.routing.folders.load_skill_graph import compile_skill_files, read_markdown
from loreweave.routing.graph_problems import SkillFileError, SkillGraphError

ReadFiles = Callable[[str], Mapping[str, str]]
KEPT_GRAPHS = 8
MOST_PATH = 4_096
_UNSAFE = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_ROOTED = re.compile(r"/|[A-Za-z]:")


@dataclass(frozen=True, slots=True)
class OpenedSkills:
    """A compiled graph and the texts it was made of."""

    graph: SkillGraph
    files: Mapping[str, str]


@dataclass(eq=False, repr=False)
class RouteSources:
    """Compiled graphs are kept by graph and revision; what came with a question is not kept."""

    read_files: ReadFiles
    revision_of: Callable[[str], int]
    limits: SourceLimits
    open_embedder: Callable[[], Any]

    def __post_init__(self) -> None:
        self._kept: OrderedDict[tuple[str, int], OpenedSkills] = OrderedDict()
        self._lock = threading.Lock()

    def open(self, graph_id: str | None, files: Mapping[str, str] | None) -> OpenedSkills:
        if (graph_id is None) == (files is None):
            raise InvalidInput("Say either graphId or files", field="graphId" if files is None else "files")
        if files is not None:
            return self._compiled(self.limits.checked(files), "")
        return self._stored(graph_id or "")

    def open_folder(self, folder: Path) -> OpenedSkills:
        """A folder of this computer has no limits."""
        try:
            files = read_markdown(folder)
        except SkillFileError as trouble:
            if not folder.is_dir():
                raise NotFound(f"There is no folder {folder}", field="folder") from None
            raise refusal(trouble) from None
        return self._compiled(files, folder.resolve().name, is_folder=True)

    def _stored(self, graph_id: str) -> OpenedSkills:
        key = graph_id, self.revision_of(graph_id)
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        opened = self._compiled(self.read_files(graph_id), graph_id)
        with self._lock:
            self._kept[key] = opened
            while len(self._kept) > KEPT_GRAPHS:
                self._kept.popitem(last=False)
        return opened

    def _compiled(self, files: Mapping[str, str], name: str, *, is_folder: bool = False) -> OpenedSkills:
        embedder = LateEmbedder(self.open_embedder)
        try:
            graph = compile_skill_files(
                files, bind="open", check="off", embedder=embedder, root_name=name, is_folder=is_folder
            )
        except SkillGraphError as trouble:
            raise refusal(trouble) from None
        return OpenedSkills(graph, files)


class LateEmbedder:
    """Opened when something is scored: most questions never are."""

    def __init__(self, open_embedder: Callable[[], Any]) -> None:
        self._open = open_embedder

    def embed(self, texts: Any, /) -> Any:
        embedder = self._open()
        if embedder is None:
            raise Unavailable("Entries are scored by relevance, and no embedder is set", what="embedder")
        return embedder.embed(texts)


def refusal(trouble: SkillGraphError) -> InvalidSkillFile:
    path, line = getattr(trouble, "path", None), getattr(trouble, "line", None)
    return InvalidSkillFile(str(trouble), file=None if path is None else str(path), line=line)


@dataclass(frozen=True, slots=True)
class SourceLimits:
    """Inclusive: exactly at a limit is accepted."""

    max_files: int
    max_markdown_bytes: int
    max_entries: int = 10_000

    def checked(self, files: Mapping[str, str]) -> dict[str, str]:
        """The files under clean paths; refused where there are too many, or where a path leads outside."""
        _refuse_above("entries", "There are more than {limit:,} files", len(files), self.max_entries)
        clean = {_clean(path): text for path, text in files.items()}
        notes = [text for path, text in clean.items() if path.lower().endswith(".md")]
        _refuse_above("files", "There are more than {limit:,} markdown files", len(notes), self.max_files)
        size = sum(len(text.encode("utf-8", "surrogatepass")) for text in notes)
        _refuse_above("markdown_bytes", "The markdown is larger than {limit:,} bytes", size, self.max_markdown_bytes)
        return clean


def _refuse_above(what: str, sentence: str, found: int, limit: int) -> None:
    if found > limit:
        raise TooLarge(sentence.format(limit=limit), what=what, limit=limit)


def _clean(raw: str) -> str:
    path = raw.replace("\\", "/")
    parts = [part for part in path.split("/") if part not in ("", ".")]
    unsafe = _UNSAFE.search(path) or _ROOTED.match(path) or ".." in parts or not parts or len(path) > MOST_PATH
    if unsafe:
        raise InvalidInput("files must have relative paths without '..' and control characters", field="files")
    return "/".join(parts)
