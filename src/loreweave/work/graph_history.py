"""What became of a graph: its revisions, the files that each of them changed, and the lines that changed in them."""

from collections.abc import Sequence
from difflib import unified_diff

from loreweave.contracts.graph_reports import Changes, ChangesAnswer, DiffAnswer, HistoryAnswer, RevisionSummary
from loreweave.contracts.skill_graph import ChangesRequest, DiffRequest, GraphRequest
from loreweave.entities.graph_rows import GraphRow
from loreweave.errors import NotFound
from loreweave.knowledge.graph.graph_library import require_graph
from loreweave.knowledge.graph.stored_notes import unpack_text
from loreweave.knowledge.graph.stored_report import read_changes, shown
from loreweave.seams.storage.revisions import history_shelf
from loreweave.seams.storage.store import Connection, Store

SHOWN_DIFF = 200_000  # letters
COMPARED_LINES = 8_000  # of both texts; of larger ones it is said what stood there and what stands there now
AROUND = 3  # unchanged lines about a change


class GraphHistory:
    """Reads what was written when revisions were published."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def revisions(self, request: GraphRequest) -> HistoryAnswer:
        with self._store.read() as connection:
            graph = require_graph(connection, request.graphId)
            found = [
                RevisionSummary(revision=number, at=at, changes=_counted(counts), keepsFiles=kept is not None)
                for number, at, *counts, kept in history_shelf.revisions(connection, graph.key)
            ]
            if not found or found[0].revision != graph.revision:  # published before anything was kept of revisions
                changes, at = read_changes(connection, graph).changes, graph.ingested_at or ""
                found.insert(0, RevisionSummary(revision=graph.revision, at=at, changes=changes, keepsFiles=False))
        return HistoryAnswer(graphId=graph.graph_id, revision=graph.revision, revisions=found)

    def changes(self, request: ChangesRequest) -> ChangesAnswer:
        with self._store.read() as connection:
            graph = require_graph(connection, request.graphId)
            if request.revision in (0, graph.revision):
                return read_changes(connection, graph)
            return _earlier_changes(connection, graph, request.revision)

    def diff(self, request: DiffRequest) -> DiffAnswer:
        with self._store.read() as connection:
            graph = require_graph(connection, request.graphId)
            _, kept = _row(connection, graph, request.revision)
            found = history_shelf.former_text(connection, graph.key, request.revision, request.path)
            if found is None:
                why = "did not change it" if kept else "keeps no texts any more"
                raise NotFound(f"Revision {request.revision} {why}: {request.path[:200]}", field="path")
            change, source = found
            before = _lines(source)
            after = [] if change == "removed" else _lines(_text_after(connection, graph, request))
        diff = _told(before, after)
        return DiffAnswer(
            graphId=graph.graph_id,
            revision=request.revision,
            path=request.path,
            change=change,
            diff=diff[:SHOWN_DIFF],
            cut=len(diff) > SHOWN_DIFF,
        )


def _counted(counts: Sequence[int]) -> Changes:
    added, changed, removed, unchanged = counts
    return Changes(added=added, changed=changed, removed=removed, unchanged=unchanged)


def _row(connection: Connection, graph: GraphRow, revision: int) -> tuple[Changes, bool]:
    for number, _, *counts, kept in history_shelf.revisions(connection, graph.key):
        if number == revision:
            return _counted(counts), kept is not None
    raise NotFound(f"Nothing is kept of revision {revision} of {graph.graph_id}", field="revision")


def _earlier_changes(connection: Connection, graph: GraphRow, revision: int) -> ChangesAnswer:
    changes, _ = _row(connection, graph, revision)
    files: dict[str, list[history_shelf.TurnedFile]] = {"added": [], "changed": [], "removed": []}
    for change, *file in history_shelf.revision_files(connection, graph.key, revision):
        files[change].append(history_shelf.TurnedFile(0, *file))
    listed = {change: shown(found) for change, found in files.items()}
    return ChangesAnswer(graphId=graph.graph_id, revision=revision, changes=changes, **listed)


def _text_after(connection: Connection, graph: GraphRow, request: DiffRequest) -> bytes | None:
    """As the revision left it: what the next change of the file found there, or what stands there now."""
    place = graph.key, request.revision, request.path
    found = history_shelf.next_text(connection, *place) or history_shelf.present_text(
        connection, graph.key, graph.revision, request.path
    )
    return found[0] if found else None


def _lines(source: bytes | None) -> list[str]:
    return [] if source is None else unpack_text(source).splitlines()


def _told(before: list[str], after: list[str]) -> str:
    """Comparing takes the longer the more lines say the same: where there are very many, both texts are shown whole."""
    if len(before) + len(after) > COMPARED_LINES:
        return "\n".join([f"@@ -1,{len(before)} +1,{len(after)} @@", *_signed("-", before), *_signed("+", after)])
    return "\n".join(list(unified_diff(before, after, n=AROUND, lineterm=""))[2:])


def _signed(sign: str, lines: list[str]) -> list[str]:
    return [sign + line for line in lines]
