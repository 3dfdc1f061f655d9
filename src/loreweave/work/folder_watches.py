"""Folders that are read again by themselves: news of what changed in one, and a server's watch over some."""

import json
import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

from loreweave.contracts.graph_reports import GraphSource, GraphWatch, WatchAnswer
from loreweave.contracts.skill_graph import PageSettings, WatchRequest
from loreweave.entities.graph_rows import GraphRow
from loreweave.errors import InvalidInput, LoreError, trace_of
from loreweave.knowledge.graph.graph_library import require_graph
from loreweave.seams.storage import graph_shelf
from loreweave.seams.storage.store import Store

SETTLE = 300  # milliseconds without a further change
AT_MOST = 3_000  # milliseconds after which changes are read even if more keep coming
AGAIN_SECONDS = 30.0  # after which what could not be read just now is tried again
LOOK_SECONDS = 2.0  # between two looks at which folders are to be watched, and whether they are there

log = logging.getLogger("loreweave.watch")


def folder_changes(root: Path, stop: threading.Event) -> Iterator[bool]:
    """Whether something changed, moment by moment; first of all, when watching has begun. The system watches a folder
    and not its name: where another one stands in its place, as after a checkout, that is watched, and all of it is a
    change."""
    from watchfiles import Change, watch

    while not stop.is_set():
        watched, is_gone, is_new = _identity(root), False, True
        moments = watch(
            root,
            watch_filter=lambda _, path: _matters(Path(path), root),
            step=SETTLE,
            debounce=AT_MOST,
            rust_timeout=SETTLE,
            yield_on_timeout=True,  # also when nothing changed: the first such moment is the first ingest
            stop_event=stop,
            raise_interrupt=False,
        )
        try:
            for changes in moments:
                yield is_new or bool(changes)
                is_new = False
                stands = _identity(root)
                is_gone = is_gone or stands is None or (Change.deleted, str(root)) in changes
                if stands is not None and (is_gone or stands != watched):
                    break
        except FileNotFoundError:  # gone again before the watch began
            stop.wait(SETTLE / 1000)


def _identity(folder: Path) -> tuple[int, int] | None:
    try:
        state = folder.stat()
    except OSError:
        return None
    return state.st_dev, state.st_ino


def _matters(path: Path, root: Path) -> bool:
    """Nothing below a dot name is ever read."""
    try:
        return not any(part.startswith(".") for part in path.relative_to(root).parts)
    except ValueError:
        return True


class FolderWatches:
    """Which graphs are watched is kept in the store; they are while this is entered, by one server that may read
    folders. What another process tells is heard within seconds where any is watched here, else at the next start."""

    def __init__(self, store: Store, read_folder: Callable[..., Any]) -> None:
        self._store = store
        self._read_folder = read_folder
        self._running: dict[int, _Watcher] = {}
        self._wake, self._ending = threading.Event(), threading.Event()
        self._thread: threading.Thread | None = None

    def tell(self, request: WatchRequest) -> WatchAnswer:
        with self._store.write() as connection:
            graph = require_graph(connection, request.graphId)
            found = graph_shelf.kept_beside(connection, "graph_sources", graph.key)
            if request.watching and (found is None or GraphSource.model_validate_json(found).kind != "folder"):
                raise InvalidInput("Only a graph that was read from a folder is watched.", field="graphId")
            if request.watching:
                graph_shelf.keep_beside(connection, "graph_watches", graph.key, "{}")
            else:
                graph_shelf.drop_beside(connection, "graph_watches", graph.key)
        self._wake.set()
        return WatchAnswer(graphId=graph.graph_id, revision=graph.revision, watching=request.watching)

    def state_of(self, graph: GraphRow, source: GraphSource) -> GraphWatch:
        """Of one that is to be watched."""
        watcher = self._running.get(graph.key)
        if source.kind == "folder" and not Path(source.where).is_dir():
            return GraphWatch(state="gone")
        return GraphWatch(state="watching", told=watcher.told) if watcher else GraphWatch(state="waiting")

    def __enter__(self) -> Self:
        self._thread = threading.Thread(target=self._run, name="folder-watches", daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ending.set()
        self._wake.set()
        if self._thread is not None:
            self._thread.join()
        for watcher in self._running.values():
            watcher.end()

    def _run(self) -> None:
        while not self._ending.is_set():
            self._wake.clear()
            is_any = True
            try:
                is_any = self._look()
            except LoreError as refusal:  # the database is away for a while: the next look tries again
                log.warning("watched folders were not looked at: %s", refusal.message)
            except Exception as trouble:
                log.error("watched folders were not looked at\n%s", trace_of(trouble))
            self._wake.wait(LOOK_SECONDS if is_any else None)

    def _look(self) -> bool:
        wanted = self._wanted()
        for key, watcher in list(self._running.items()):
            if wanted.get(key) != watcher.place or not watcher.is_alive:
                del self._running[key]
                watcher.end()
        for key, place in wanted.items():
            if key not in self._running and place[0] is not None:
                self._running[key] = _Watcher(place, lambda key=key: self._read_again(key))  # type: ignore[misc]
        return bool(wanted)

    def _wanted(self) -> "dict[int, tuple[int | None, str]]":
        """Which folder, and what it is on the disk now: one that was put in its place is another."""
        with self._store.read() as connection:
            watched = graph_shelf.all_beside(connection, "graph_watches")
            sources = graph_shelf.all_beside(connection, "graph_sources")
        found: dict[int, tuple[int | None, str]] = {}
        for key in watched:
            where = json.loads(sources.get(key, "{}")).get("where", "")
            node = None
            with suppress(OSError):
                node = Path(where).stat().st_ino if Path(where).is_dir() else None
            found[key] = (node, where)
        return found

    def _read_again(self, key: int) -> None:
        with self._store.read() as connection:
            found = [graph for graph in graph_shelf.visible_graphs(connection) if graph.key == key]
            source = graph_shelf.kept_beside(connection, "graph_sources", key)
            if not found or source is None or graph_shelf.kept_beside(connection, "graph_watches", key) is None:
                return
        told = GraphSource.model_validate_json(source)
        pages = PageSettings.model_validate(json.loads(found[0].pages))
        name = found[0].graph_id
        self._read_folder(Path(told.where), name=name, subdirectory=told.subdirectory, pages=pages)


class _Watcher:
    """A thread over one folder."""

    def __init__(self, place: "tuple[int | None, str]", read_again: Callable[[], None]) -> None:
        self.place = place
        self.told = ""  # why the last change was not taken in
        self._again = 0.0  # when that is tried once more, by our own watch
        self._read_again = read_again
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="folder-watch", daemon=True)
        self._thread.start()

    @property
    def is_alive(self) -> bool:
        return self._thread.is_alive()

    def end(self) -> None:
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        try:
            for changed in folder_changes(Path(self.place[1]).resolve(), self._stop):
                if changed or (self.told and time.monotonic() >= self._again):
                    self._read()
        except (OSError, RuntimeError) as trouble:  # the folder went: the next look sees that
            log.warning("a folder is not watched any more: %s", type(trouble).__name__)

    def _read(self) -> None:
        told = ""
        try:
            self._read_again()
        except LoreError as refusal:
            told = refusal.message
        except Exception as trouble:  # a watcher that ended would be begun anew, and fail anew, every two seconds
            log.error("a watched folder could not be read\n%s", trace_of(trouble))
            told = "Something went wrong inside the server."
        self.told, self._again = told, time.monotonic() + AGAIN_SECONDS
