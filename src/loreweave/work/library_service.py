"""The library as a whole: shown as cards, backed up, brought back, and looked through for damage."""

import hashlib
import json
import zlib
from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path

from loreweave.clock import Clock
from loreweave.contracts.graph_reports import CardList, GraphCard, GraphSource, NameAnswer, PlacesAnswer
from loreweave.contracts.skill_graph import GraphRequest, KeepPlacesRequest, PageSettings, RenameRequest
from loreweave.entities.graph_rows import GraphRow
from loreweave.errors import Conflict, Damaged, InvalidInput
from loreweave.knowledge.graph.graph_library import require_graph
from loreweave.knowledge.graph.stored_notes import unpack_text
from loreweave.knowledge.graph.stored_report import validation_of
from loreweave.memory.memory_record import text_hash
from loreweave.private_folder import private_folder
from loreweave.seams.storage import backup as kept
from loreweave.seams.storage import graph_shelf
from loreweave.seams.storage.session_shelf import has_running_session, unfinished_sessions
from loreweave.seams.storage.store import Connection, Store
from loreweave.work.folder_watches import FolderWatches
from loreweave.work.sessions.session_bell import SessionBell
from loreweave.work.sessions.session_log import SessionLog
from loreweave.work.sessions.session_runner import stopped
from loreweave.work.workspaces.workspace_archive import LaidOut, WorkspaceArchive

_MOST_FAULTS = 20


@dataclass(frozen=True, eq=False, repr=False)
class LibraryService:
    """Works on a library that others use meanwhile."""

    store: Store
    clock: Clock
    data_dir: Path
    workspaces: WorkspaceArchive
    fail_at: Callable[[str], None]
    watches: Callable[[], FolderWatches]

    def source_of(self, graph_id: str) -> tuple[GraphSource, PageSettings]:
        """Where a graph is read again from, and how its pages are addressed."""
        with self.store.read() as connection:
            graph = require_graph(connection, graph_id)
            found = graph_shelf.kept_beside(connection, "graph_sources", graph.key)
        source = GraphSource.model_validate_json(found) if found else None
        if source is None or source.kind == "zip":
            raise InvalidInput("It came as files that were sent: send them again.", field="graphId")
        return source, PageSettings.model_validate(json.loads(graph.pages))

    def cards(self) -> CardList:
        with self.store.read() as connection:
            found = sorted(graph_shelf.visible_graphs(connection), key=lambda graph: graph.graph_id)
            return CardList(cards=[self._card(connection, graph) for graph in found])

    def _card(self, connection: Connection, graph: GraphRow) -> GraphCard:
        kept_source = graph_shelf.kept_beside(connection, "graph_sources", graph.key)
        source = GraphSource.model_validate_json(kept_source) if kept_source else None
        places = list(json.loads(graph_shelf.kept_beside(connection, "graph_places", graph.key) or "{}").values())
        is_watched = graph_shelf.kept_beside(connection, "graph_watches", graph.key) is not None
        return GraphCard(
            graphId=graph.graph_id,
            revision=graph.revision,
            source=_told(source) if source else None,
            deductions=validation_of(graph_shelf.with_report(connection, graph)).deductions,
            picture=[place[:2] + place[3:] for place in places[:: max(1, len(places) // PICTURED)]],
            watch=self.watches().state_of(graph, source) if source and is_watched else None,
        )

    def places(self, request: GraphRequest) -> PlacesAnswer:
        with self.store.read() as connection:
            graph = require_graph(connection, request.graphId)
            places = graph_shelf.kept_beside(connection, "graph_places", graph.key)
        return PlacesAnswer(graphId=graph.graph_id, revision=graph.revision, places=json.loads(places or "{}"))

    def keep_places(self, request: KeepPlacesRequest) -> PlacesAnswer:
        with self.store.write() as connection:
            graph = require_graph(connection, request.graphId)
            places = json.dumps(request.places, separators=(",", ":"))
            graph_shelf.keep_beside(connection, "graph_places", graph.key, places)
        return PlacesAnswer(graphId=graph.graph_id, revision=graph.revision, places=request.places)

    def rename(self, request: RenameRequest) -> NameAnswer:
        name = " ".join(request.name.split())
        with self.store.write() as connection:
            graph = require_graph(connection, request.graphId)
            if name in ("", graph.graph_id):
                graph_shelf.drop_beside(connection, "graph_names", graph.key)
            else:
                graph_shelf.keep_beside(connection, "graph_names", graph.key, name)
        return NameAnswer(graphId=graph.graph_id, revision=graph.revision, name=name or graph.graph_id)

    def backup(self, file: Path, *, workspaces: bool = True) -> dict[str, int]:
        """Graphs, digests, memories, tokens, sessions with their logs, and the folders of workspaces; not the
        settings, or what the engine keeps of work under way."""
        return kept.write_backup(self.store, file, self.workspaces.read() if workspaces else ())

    def restore(self, file: Path, *, replace: bool) -> dict[str, int]:
        """Puts the library of a backup in the place of this one. What it says is read through first."""
        with kept.opened_backup(file, private_folder(self.data_dir)) as backup, ExitStack() as held:
            if faults := faults_of(backup):
                raise Damaged(f"the backup {file} is not whole ({faults[0]})")
            held.enter_context(self.store.lock("restore"))
            with backup.read() as connection:
                folders = held.enter_context(self.workspaces.laid_out(kept.kept_files(connection)))
            self._refuse_loss(replace, folders)
            self._end_sessions(backup)
            with self.store.read() as connection:
                under_way = kept.being_written(connection)
            for graph_id in under_way:  # an ingest is waited for
                held.enter_context(self.store.lock(f"graph:{graph_id}"))
            kept.replace_all(self.store, backup, self.fail_at)
            folders.move()
        with self.store.read() as connection:
            return {**kept.count_all(connection), "workspaces": len(folders.workspaces)}

    def faults(self) -> list[str]:
        """What cannot be read as it was written, a few of many."""
        return faults_of(self.store)

    def _refuse_loss(self, replace: bool, folders: LaidOut) -> None:
        with self.store.read() as connection:
            is_running, counts = has_running_session(connection), kept.count_all(connection)
        if is_running:
            raise Conflict("Sessions are running: stop them before you restore (`lore sessions`)")
        if any(counts.values()) and not replace:
            singular = {"graphs": "graph", "memories": "memory", "sessions": "session"}
            told = ((count, singular[name] if count == 1 else name) for name, count in counts.items() if count)
            held = ", ".join(f"{count} {name}" for count, name in told)
            raise Conflict(f"The library holds {held}: --replace gives them up for the backup", holds=counts)
        if (taken := folders.taken()) and not replace:
            named = ", ".join(taken[:5]) + (" and more" if len(taken) > 5 else "")
            raise Conflict(f"There are workspaces of the same name ({named}): --replace gives them up for the backup")

    def _end_sessions(self, backup: Store) -> None:
        """What ran when the backup was made cannot go on: its steps are not in it."""
        with backup.read() as connection:
            unfinished = list(unfinished_sessions(connection))
        with closing(SessionLog(backup, self.clock, SessionBell(backup))) as log:
            for session_id in unfinished:
                log.end(session_id, stopped).result()


def faults_of(store: Store) -> list[str]:
    """Structure by the database's own check, then every text against its hash."""
    try:
        found = kept.integrity_faults(store)
        with store.read() as connection:
            return (found + _spoilt_notes(connection) + _spoilt_memories(connection))[:_MOST_FAULTS]
    except Damaged as damage:
        return [damage.message]


def _spoilt_notes(connection: Connection) -> list[str]:
    found = []
    for graph_id, path, content_hash, size, source in kept.stored_notes(connection):
        try:
            data = unpack_text(source).encode() if source is not None else None
        except (zlib.error, ValueError):
            data = None
        # A text that was read from other bytes than UTF-8 has no hash to be held against but its own.
        if data is None or (len(data) == size and hashlib.sha256(data).hexdigest() != content_hash):
            found.append(f"the note {path} of the graph {graph_id}")
            if len(found) == _MOST_FAULTS:
                break
    return found


def _spoilt_memories(connection: Connection) -> list[str]:
    rows = kept.stored_memories(connection)
    return [f"the memory {each}" for each, content, known in rows if text_hash(content) != known][:_MOST_FAULTS]


PICTURED = 220  # notes on a small picture


def _told(source: GraphSource) -> GraphSource:
    """Of a folder its name: where it lies on this machine is nobody's business who only reads."""
    return source.model_copy(update={"where": Path(source.where).name}) if source.kind == "folder" else source
