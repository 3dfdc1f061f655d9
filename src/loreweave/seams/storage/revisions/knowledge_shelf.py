"""What builds know: the revision of a graph that each of them reads, kept while it runs, and all that it looked at."""

import json
from dataclasses import astuple
from typing import Any

from loreweave.entities.graph_rows import GraphRow
from loreweave.entities.stored_session import KnowledgeRow, ReadRow
from loreweave.seams.storage.graph_shelf import BY_VERSION, KEPT_MARK, SPANNED, find_graph, sweep_everything
from loreweave.seams.storage.store import Connection, insertion, one_row

_KNOWLEDGE = "session_id, graph_id, revision, content_hash, digest, memory_revision"
_READ = "read_key, at, task_id, attempt, tool, asked, found"


def frozen_id(graph_id: str, revision: int) -> str:
    """Under this name a revision is kept beside the graph; no graph that people make has such a name."""
    return f"{graph_id}{KEPT_MARK}{revision}"


def take_knowledge(connection: Connection, session_id: str, graph_id: str) -> KnowledgeRow | None:
    """From now on the session reads the graph as it is now; nothing where there is none."""
    graph = one_row(
        connection,  # writing takes the row: an ingest that publishes meanwhile waits, and then knows of us
        "UPDATE graphs SET ingest_number = ingest_number WHERE graph_id = ? AND revision > 0 "
        "RETURNING graph_key, revision, content_hash",
        (graph_id,),
    )
    if graph is None:
        return None
    digest = one_row(connection, "SELECT committed FROM digest_builds WHERE graph_key = ?", (graph[0],))
    memory = one_row(connection, "SELECT revision FROM memory_counter")
    row = KnowledgeRow(
        session_id, graph_id, graph[1], graph[2], digest[0] if digest else "", memory[0] if memory else 0
    )
    connection.execute("DELETE FROM session_knowledge WHERE session_id = ?", (session_id,))
    connection.execute(insertion("session_knowledge", _KNOWLEDGE), astuple(row))
    return row


def find_knowledge(connection: Connection, session_id: str) -> KnowledgeRow | None:
    row = one_row(connection, f"SELECT {_KNOWLEDGE} FROM session_knowledge WHERE session_id = ?", (session_id,))
    return KnowledgeRow(*row) if row else None


def readable_id(connection: Connection, row: KnowledgeRow) -> str | None:
    """The graph that holds the revision now: the one itself, or what was kept of it; nothing where it was deleted."""
    for graph_id in (row.graph_id, frozen_id(row.graph_id, row.revision)):
        graph = find_graph(connection, graph_id)
        if graph is not None and graph.revision == row.revision:
            return graph_id
    return None


def forget_knowledge(connection: Connection, session_id: str) -> None:
    for table in ("session_knowledge", "session_reads"):
        connection.execute(f"DELETE FROM {table} WHERE session_id = ?", (session_id,))


def freeze_revision(connection: Connection, graph: GraphRow, revision: int) -> None:
    """Keeps a revision under a name of its own if a build that is not over reads it: another is published now, in the
    same transaction."""
    # Written to before anything is looked at: a build that begins meanwhile waits, and then reads what is new.
    connection.execute("UPDATE graphs SET ingest_number = ingest_number WHERE graph_key = ?", (graph.key,))
    if not revision or not _is_read(connection, graph.graph_id, revision):
        return
    name = frozen_id(graph.graph_id, revision)
    if find_graph(connection, name) is not None:
        return
    kept = one_row(
        connection,
        "INSERT INTO graphs (graph_id, kind, revision, highest_revision, next_note_key, unfinished, ingest_number, "
        "ingested_at, node_count, edge_count, score, content_hash, counted, pages) "
        "SELECT ?, kind, ?, ?, next_note_key, 0, -1, ingested_at, node_count, edge_count, score, content_hash, "
        "counted, pages FROM graphs WHERE graph_key = ? RETURNING graph_key",
        (name, revision, revision, graph.key),
    )
    assert kept is not None
    sql = "INSERT INTO graph_reports (graph_key, report) SELECT ?, report FROM graph_reports WHERE graph_key = ?"
    connection.execute(sql, (kept[0], graph.key))
    live = "n.first_revision <= ? AND (n.last_revision IS NULL OR n.last_revision >= ?)"
    for table, columns in SPANNED.items():
        connection.execute(
            f"INSERT INTO {table} (graph_key, first_revision, {columns}) SELECT ?, first_revision, {columns} "
            f"FROM {table} n WHERE n.graph_key = ? AND {live}",
            (kept[0], graph.key, revision, revision),
        )
    for table, columns in BY_VERSION.items():
        wanted = ", ".join(f"o.{column}" for column in columns.split(", "))
        connection.execute(
            f"INSERT INTO {table} (graph_key, {columns}) SELECT ?, {wanted} FROM {table} o JOIN notes n "
            "ON n.graph_key = o.graph_key AND n.note_key = o.note_key AND n.version = o.version "
            f"WHERE o.graph_key = ? AND {live}",
            (kept[0], graph.key, revision, revision),
        )


def sweep_frozen(connection: Connection, graph_id: str, *, also_read: bool = False) -> list[int]:
    """Takes away the revisions that no build reads any more; `also_read`: those, too. Answers their keys."""
    begins = graph_id + KEPT_MARK
    sql = "SELECT graph_id, revision FROM graphs WHERE substr(graph_id, 1, ?) = ? AND revision > 0"
    gone = []
    for name, revision in connection.rows(sql, (len(begins), begins)):
        graph = find_graph(connection, name)
        if graph is not None and (also_read or not _is_read(connection, graph_id, revision)):
            connection.execute("UPDATE graphs SET revision = 0 WHERE graph_key = ?", (graph.key,))
            hidden = find_graph(connection, name)
            assert hidden is not None
            sweep_everything(connection, hidden)
            connection.execute("DELETE FROM graphs WHERE graph_key = ?", (graph.key,))
            gone.append(graph.key)
    return gone


def _is_read(connection: Connection, graph_id: str, revision: int) -> bool:
    sql = (
        "SELECT 1 FROM session_knowledge k JOIN sessions s ON s.session_id = k.session_id "
        "WHERE k.graph_id = ? AND k.revision = ? AND s.state <> 'done' LIMIT 1"
    )
    return one_row(connection, sql, (graph_id, revision)) is not None


def add_read(connection: Connection, session_id: str, read: ReadRow) -> None:
    """Once, however often it is done again."""
    sql = insertion("session_reads", f"session_id, {_READ}", "ON CONFLICT (session_id, read_key) DO NOTHING")
    *look, found = astuple(read)
    connection.execute(sql, (session_id, *look, json.dumps(found)))


def reads_of(connection: Connection, session_id: str, task_id: str | None = None) -> list[ReadRow]:
    """In the order in which they were made."""
    only = "" if task_id is None else " AND task_id = ?"
    sql = f"SELECT {_READ} FROM session_reads WHERE session_id = ?{only}"
    given: tuple[Any, ...] = (session_id,) if task_id is None else (session_id, task_id)
    rows = connection.rows(f"{sql} ORDER BY at, read_key", given)
    return [ReadRow(*(*look, json.loads(found))) for *look, found in rows]
