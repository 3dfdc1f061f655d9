"""The shelf of graphs: every statement about graphs, notes and edges.

A row is of revision r when first_revision <= r and last_revision is open or >= r. Writers add rows for the revision
to come and close rows at the present one; neither shows until `publish` moves the graph's pointer.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from loreweave.entities.graph_rows import CLEAN, SWEEPING, WRITING, GraphRow
from loreweave.seams.storage.revisions.history_shelf import keep_revision
from loreweave.seams.storage.store import Connection, one_row, replacement, rows_among

if TYPE_CHECKING:  # a reader of graphs does not pay for the rows of writers
    from loreweave.entities.note_rows import EdgeRow, KnownFile, NoteRow, TextRow

_GRAPH = (
    "graph_key, graph_id, kind, revision, highest_revision, next_note_key, unfinished, ingested_at, "
    "node_count, edge_count, score, content_hash, counted, pages"
)
_OF_REVISION = "graph_key = ? AND first_revision <= ? AND (last_revision IS NULL OR last_revision >= ?)"
_NOTE = (
    "note_key, version, kind, path, content_hash, size, mtime_ns, node_id, name, type, has_type, domain, description, "
    "tags, updated, tokens_sections, tokens_full, warnings"
)
_HAS_TYPE, _TAGS = 10, 13  # places of the columns that are not kept as they are
_EDGES = "note_key, targets, types, counts, sentence_counts, sentences, broken, warnings"
_TEXT = "note_key, version, body_start, body_end, source, sections, mentions"
SPANNED = {"notes": _NOTE, "note_edges": _EDGES}  # rows with a span of revisions: their columns beside key and span
BY_VERSION = {  # rows that belong to one version of a note: their columns beside the graph's key
    "note_texts": _TEXT,
    "note_names": "name_key, note_key, version, class",
    "link_names": "name_key, note_key, version",
    "page_readings": "note_key, version, reader, reading",
}
_KEPT_BESIDE = {"graph_sources": "source", "graph_places": "places", "graph_names": "name", "graph_watches": "watch"}
_OF_GRAPH = ("digest_builds", "graph_reports", "graph_revisions", "revision_files", *_KEPT_BESIDE)
KEPT_MARK = "@"  # in the names of revisions that are kept for builds; ids of graphs are slugs and have none


def find_graph(connection: Connection, graph_id: str) -> GraphRow | None:
    if "\0" in graph_id:  # no dialect could hold it
        return None
    row = one_row(connection, f"SELECT {_GRAPH} FROM graphs WHERE graph_id = ?", (graph_id,))
    return GraphRow(*row) if row else None


def with_report(connection: Connection, graph: GraphRow) -> GraphRow:
    row = one_row(connection, "SELECT report FROM graph_reports WHERE graph_key = ?", (graph.key,))
    return replace(graph, report=row[0] if row else "{}")


def visible_graphs(connection: Connection) -> list[GraphRow]:
    """Without the revisions that are kept for builds beside them."""
    rows = connection.rows(f"SELECT {_GRAPH} FROM graphs WHERE revision > 0")
    return [graph for graph in (GraphRow(*row) for row in rows) if KEPT_MARK not in graph.graph_id]


def graph_keys(connection: Connection) -> set[int]:
    """Of everything that can be read."""
    return {row[0] for row in connection.rows("SELECT graph_key FROM graphs WHERE revision > 0")}


def latest_graph(connection: Connection) -> str | None:
    sql = "SELECT graph_id FROM graphs WHERE revision > 0 ORDER BY ingest_number DESC LIMIT 1"
    row = one_row(connection, sql)
    return row[0] if row else None


def claim_graph(connection: Connection, graph_id: str, kind: str) -> GraphRow:
    """The graph's row, made if need be, with whatever a killed ingest left behind taken away."""
    connection.execute(
        "INSERT INTO graphs (graph_id, kind, revision, highest_revision, next_note_key, unfinished, "
        "ingest_number, node_count, edge_count, score, content_hash) "
        "VALUES (?, ?, 0, 0, 1, 0, 0, 0, 0, 0, '') ON CONFLICT (graph_id) DO NOTHING",
        (graph_id, kind),
    )
    graph = find_graph(connection, graph_id)
    assert graph is not None
    if graph.unfinished == WRITING:
        _undo(connection, graph)
    if graph.unfinished != CLEAN:
        sweep_everything(connection, graph)
    return with_report(connection, graph)


def begin_writing(connection: Connection, graph_key: int) -> None:
    connection.execute("UPDATE graphs SET unfinished = ? WHERE graph_key = ?", (WRITING, graph_key))


def publish(connection: Connection, graph: GraphRow, revision: int, note_keys: int) -> None:
    """Moves the pointer: from here on readers see `revision`. `graph` carries the new figures."""
    connection.execute(
        "UPDATE graphs SET kind = ?, revision = ?, highest_revision = ?, next_note_key = ?, "
        "unfinished = ?, node_count = ?, edge_count = ?, score = ?, content_hash = ?, counted = ?, pages = ?, "
        "ingested_at = ?, ingest_number = (SELECT max(ingest_number) + 1 FROM graphs) WHERE graph_key = ?",
        (
            graph.kind, revision, revision, note_keys, SWEEPING, graph.node_count, graph.edge_count,
            graph.score, graph.content_hash, graph.counted, graph.pages, graph.ingested_at, graph.key,
        ),
    )  # fmt: skip
    connection.execute(replacement("graph_reports", "graph_key, report", "graph_key"), (graph.key, graph.report))
    keep_revision(connection, graph.key, revision, graph.ingested_at)


def touch_graph(connection: Connection, graph_key: int, ingested_at: str) -> None:
    """Notes that the same content was ingested again."""
    connection.execute(
        "UPDATE graphs SET ingested_at = ?, ingest_number = (SELECT max(ingest_number) + 1 FROM graphs) "
        "WHERE graph_key = ?",
        (ingested_at, graph_key),
    )


def hide_graph(connection: Connection, graph: GraphRow) -> GraphRow:
    """Deletes a graph for its readers; its number of revisions goes on counting."""
    sql = "UPDATE graphs SET revision = 0, content_hash = '', counted = '', unfinished = ? WHERE graph_key = ?"
    connection.execute(sql, (SWEEPING, graph.key))
    return replace(graph, revision=0)


def kept_beside(connection: Connection, table: str, graph_key: int) -> str | None:
    """What is kept of a graph in one of the tables beside it, as JSON."""
    row = one_row(connection, f"SELECT {_KEPT_BESIDE[table]} FROM {table} WHERE graph_key = ?", (graph_key,))
    return row[0] if row else None


def all_beside(connection: Connection, table: str) -> dict[int, str]:
    """The same of every graph, by its key."""
    return dict(connection.rows(f"SELECT graph_key, {_KEPT_BESIDE[table]} FROM {table}"))


def drop_beside(connection: Connection, table: str, graph_key: int) -> None:
    connection.execute(f"DELETE FROM {table} WHERE graph_key = ?", (graph_key,))


def keep_beside(connection: Connection, table: str, graph_key: int, value: str) -> None:
    column = _KEPT_BESIDE[table]
    connection.execute(
        f"INSERT INTO {table} (graph_key, {column}) SELECT graph_key, ? FROM graphs WHERE graph_key = ? "
        f"AND revision > 0 ON CONFLICT (graph_key) DO UPDATE SET {column} = excluded.{column}",
        (value, graph_key),
    )


# What an ingest writes


def known_files(connection: Connection, graph: GraphRow) -> "list[KnownFile]":
    from loreweave.entities.note_rows import KnownFile

    sql = f"SELECT note_key, version, kind, path, content_hash, size, mtime_ns, node_id FROM notes WHERE {_OF_REVISION}"
    return list(map(KnownFile._make, connection.rows(sql, (graph.key, graph.revision, graph.revision))))


def add_notes(connection: Connection, graph_key: int, revision: int, notes: "Iterable[NoteRow]") -> None:
    columns = ("graph_key", "first_revision", *_NOTE.split(", "))
    connection.insert_many("notes", columns, ((graph_key, revision, *_stored(note)) for note in notes))


def _stored(note: "NoteRow") -> list[Any]:
    values: list[Any] = list(note)
    values[_HAS_TYPE], values[_TAGS] = int(note.has_type), json.dumps(note.tags, ensure_ascii=False)
    return values


def add_texts(connection: Connection, graph_key: int, texts: "Iterable[TextRow]") -> None:
    connection.insert_many("note_texts", ("graph_key", *_TEXT.split(", ")), ((graph_key, *text) for text in texts))


def add_names(
    connection: Connection,
    graph_key: int,
    names: Iterable[tuple[str, int, int, int]],
    links: Iterable[tuple[str, int, int]],
) -> None:
    """`names`: (name key, note key, version, class); `links`: (name key, note key, version)."""
    connection.insert_many(
        "note_names",
        ("graph_key", "name_key", "note_key", "version", "class"),
        ((graph_key, *name) for name in sorted(names)),
    )
    connection.insert_many(
        "link_names", ("graph_key", "name_key", "note_key", "version"), ((graph_key, *link) for link in sorted(links))
    )


def add_edges(connection: Connection, graph_key: int, revision: int, edges: "Iterable[EdgeRow]") -> None:
    columns = ("graph_key", "first_revision", *_EDGES.split(", "))
    connection.insert_many("note_edges", columns, ((graph_key, revision, *edge.as_stored()) for edge in edges))


def close_notes(connection: Connection, graph: GraphRow, note_keys: Iterable[int]) -> None:
    """Ends the present rows of these notes with the present revision."""
    _close(connection, "notes", graph, note_keys)


def move_ids(connection: Connection, graph: GraphRow, revision: int, ids: Sequence[tuple[str, int]]) -> None:
    """`ids`: (node id, note key) of notes that keep their text and change their id."""
    same = ", ".join(column for column in _NOTE.split(", ") if column not in ("note_key", "node_id"))
    connection.execute_many(
        f"INSERT INTO notes (graph_key, note_key, first_revision, node_id, {same}) "
        f"SELECT graph_key, note_key, ?, ?, {same} FROM notes "
        "WHERE graph_key = ? AND note_key = ? AND last_revision IS NULL",
        [(revision, node_id, graph.key, note_key) for node_id, note_key in ids],
    )
    _close(connection, "notes", graph, [note_key for _, note_key in ids])


def close_edges(connection: Connection, graph: GraphRow, note_keys: Iterable[int]) -> None:
    _close(connection, "note_edges", graph, note_keys)


def _close(connection: Connection, table: str, graph: GraphRow, note_keys: Iterable[int]) -> None:
    connection.execute_many(
        f"UPDATE {table} SET last_revision = ? WHERE graph_key = ? AND note_key = ? AND last_revision IS NULL "
        "AND first_revision <= ?",
        [(graph.revision, graph.key, key, graph.revision) for key in note_keys],
    )


def close_everything(connection: Connection, graph: GraphRow) -> None:
    for table in SPANNED:
        connection.execute(
            f"UPDATE {table} SET last_revision = ? WHERE graph_key = ? AND last_revision IS NULL "
            "AND first_revision <= ?",
            (graph.revision, graph.key, graph.revision),
        )


def update_file_times(connection: Connection, graph: GraphRow, times: Iterable[tuple[int, int | None, int]]) -> None:
    """`times`: (size, mtime_ns, note key). Not part of any answer, so written in place."""
    connection.execute_many(
        "UPDATE notes SET size = ?, mtime_ns = ? WHERE graph_key = ? AND note_key = ? AND last_revision IS NULL",
        [(size, mtime_ns, graph.key, note_key) for size, mtime_ns, note_key in times],
    )


# What linking and reading ask


def _rows_of(connection: Connection, graph_key: int, revision: int, what: str, wanted: str) -> list[tuple]:
    """`what` of the rows of a revision that are wanted."""
    sql = f"SELECT {what} WHERE {_OF_REVISION} AND {wanted}"
    return connection.rows(sql, (graph_key, revision, revision))


def notes_of_revision(connection: Connection, graph_key: int, revision: int) -> list[tuple]:
    """(note_key, node_id, path, name, type, domain, updated, tokens_sections, tokens_full) of every node."""
    columns = "note_key, node_id, path, name, type, domain, updated, tokens_sections, tokens_full"
    return _rows_of(connection, graph_key, revision, f"{columns} FROM notes", "kind = 'note'")


def note_rows(connection: Connection, graph_key: int, revision: int) -> "Iterator[NoteRow]":
    """Every node of a revision as it is stored, by key."""
    from loreweave.entities.note_rows import NoteRow

    for row in _rows_of(connection, graph_key, revision, f"{_NOTE} FROM notes", "kind = 'note' ORDER BY note_key"):
        values = list(row)
        values[_HAS_TYPE], values[_TAGS] = bool(row[_HAS_TYPE]), tuple(json.loads(row[_TAGS]))
        yield NoteRow(*values)


def faults_of_revision(connection: Connection, graph_key: int, revision: int) -> list[tuple]:
    """(path, lacks description, lacks type, lacks domain) of every node that lacks one."""
    lacking = "path, description IS NULL, has_type = 0, domain IS NULL FROM notes"
    wanted = "kind = 'note' AND (description IS NULL OR has_type = 0 OR domain IS NULL)"
    return _rows_of(connection, graph_key, revision, lacking, wanted)


def link_findings_of_revision(connection: Connection, graph_key: int, revision: int) -> list[tuple]:
    """(note_key, broken, warnings) where links left something to say."""
    wanted = "(broken IS NOT NULL OR warnings IS NOT NULL)"
    return _rows_of(connection, graph_key, revision, "note_key, broken, warnings FROM note_edges", wanted)


def reading_warnings(connection: Connection, graph_key: int, revision: int) -> list[tuple]:
    """(path, warnings) of the notes whose reading gave some."""
    return _rows_of(connection, graph_key, revision, "path, warnings FROM notes", "warnings IS NOT NULL")


def edges_of_revision(connection: Connection, graph_key: int, revision: int) -> Iterator[tuple]:
    """(note_key, targets, types, counts, sentence_counts, sentences) as bytes."""
    columns = "note_key, targets, types, counts, sentence_counts, sentences"
    sql = f"SELECT {columns} FROM note_edges WHERE {_OF_REVISION} AND length(targets) > 0"
    return connection.stream(sql, (graph_key, revision, revision))


def edges_of_notes(connection: Connection, graph_key: int, revision: int, note_keys: Sequence[int]) -> list[tuple]:
    """The same and (broken, warnings), for some notes."""
    sql = f"SELECT {_EDGES} FROM note_edges WHERE {_OF_REVISION} AND note_key IN"
    return list(rows_among(connection, sql, note_keys, (graph_key, revision, revision)))


def _with_live_notes(table: str) -> str:
    """FROM and WHERE that join what belongs to a version of a note (`o`) with the notes (`n`) of a revision."""
    return (
        f"FROM {table} o JOIN notes n ON n.graph_key = o.graph_key AND n.note_key = o.note_key "
        "AND n.version = o.version WHERE o.graph_key = ? AND n.first_revision <= ? "
        "AND (n.last_revision IS NULL OR n.last_revision >= ?)"
    )


_NAMES = f"SELECT o.name_key, o.note_key, o.class, n.path {_with_live_notes('note_names')}"


def names_by_key(connection: Connection, graph_key: int, revision: int, name_keys: Sequence[str]) -> list[tuple]:
    """(name_key, note_key, class, path) of the nodes of a revision that answer to these names."""
    return list(rows_among(connection, f"{_NAMES} AND o.name_key IN", name_keys, (graph_key, revision, revision)))


def all_names(connection: Connection, graph_key: int, revision: int) -> Iterator[tuple]:
    """(name_key, note_key, class, path) of every node of a revision."""
    return connection.stream(_NAMES, (graph_key, revision, revision))


def link_inputs(connection: Connection, graph_key: int, revision: int, note_keys: Sequence[int]) -> list[tuple]:
    """(note_key, path, type, mentions) for some notes of a revision."""
    sql = (
        f"SELECT n.note_key, n.path, n.type, o.mentions {_with_live_notes('note_texts')} "
        "AND n.kind = 'note' AND o.note_key IN"
    )
    return list(rows_among(connection, sql, note_keys, (graph_key, revision, revision)))


def notes_linking_to(connection: Connection, graph_key: int, revision: int, name_keys: Sequence[str]) -> set[int]:
    """Note keys of a revision in which a link uses one of these names."""
    sql = f"SELECT o.note_key {_with_live_notes('link_names')} AND o.name_key IN"
    return {row[0] for row in rows_among(connection, sql, name_keys, (graph_key, revision, revision))}


def texts(connection: Connection, graph_key: int, revision: int, note_keys: Sequence[int], columns: str) -> list[tuple]:
    """(note_key, *columns of note_texts) for some notes of a revision."""
    wanted = ", ".join("o." + column for column in columns.split())
    sql = f"SELECT o.note_key, {wanted} {_with_live_notes('note_texts')} AND o.note_key IN"
    return list(rows_among(connection, sql, note_keys, (graph_key, revision, revision)))


def descriptions(connection: Connection, graph_key: int, revision: int, note_keys: Sequence[int]) -> list[tuple]:
    """(note_key, description, tags) for some notes of a revision."""
    sql = f"SELECT note_key, description, tags FROM notes WHERE {_OF_REVISION} AND note_key IN"
    return list(rows_among(connection, sql, note_keys, (graph_key, revision, revision)))


# Sweeping


def sweep_notes(connection: Connection, graph: GraphRow, dead: Iterable[tuple[int, int]]) -> None:
    """Takes away closed rows and the texts of these dead (note key, version) pairs."""
    pairs = [(graph.key, *pair) for pair in dead]
    for table in BY_VERSION:
        connection.execute_many(f"DELETE FROM {table} WHERE graph_key = ? AND note_key = ? AND version = ?", pairs)
    _sweep_closed(connection, graph.key)


def sweep_everything(connection: Connection, graph: GraphRow) -> None:
    """Takes away all that no revision from the present one on can show."""
    if graph.revision == 0:
        for table in (*SPANNED, *BY_VERSION, *_OF_GRAPH):
            connection.execute(f"DELETE FROM {table} WHERE graph_key = ?", (graph.key,))
    for table in BY_VERSION:
        connection.execute(
            f"DELETE FROM {table} WHERE graph_key = ? AND NOT EXISTS (SELECT 1 FROM notes n WHERE "
            f"n.graph_key = {table}.graph_key AND n.note_key = {table}.note_key AND n.version = {table}.version "
            "AND n.last_revision IS NULL)",
            (graph.key,),
        )
    _sweep_closed(connection, graph.key)


def _sweep_closed(connection: Connection, graph_key: int) -> None:
    """The notes that ended with the revision before the present one stay: they tell what the present one changed."""
    connection.execute("DELETE FROM note_edges WHERE graph_key = ? AND last_revision IS NOT NULL", (graph_key,))
    before = "(SELECT revision - 1 FROM graphs WHERE graph_key = ?)"
    connection.execute(f"DELETE FROM notes WHERE graph_key = ? AND last_revision < {before}", (graph_key, graph_key))
    connection.execute("UPDATE graphs SET unfinished = ? WHERE graph_key = ?", (CLEAN, graph_key))


def _undo(connection: Connection, graph: GraphRow) -> None:
    """An ingest died before it published: its rows go, what it had closed is open again."""
    for table in SPANNED:
        connection.execute(
            f"DELETE FROM {table} WHERE graph_key = ? AND first_revision > ?", (graph.key, graph.revision)
        )
        connection.execute(
            f"UPDATE {table} SET last_revision = NULL WHERE graph_key = ? AND last_revision = ?",
            (graph.key, graph.revision),
        )
