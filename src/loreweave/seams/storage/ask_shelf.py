"""The shelf of asking: every statement about documents, what was read out of them, digests, answers and gaps."""

from collections.abc import Iterable, Sequence

from loreweave.entities.graph_rows import GraphRow
from loreweave.seams.storage.store import Connection, insertion, one_row, replacement, rows_among

KEPT_ANSWERS = 10_000
KEPT_THREADS = 1_000
KEPT_GAPS = 10_000  # per graph
_DOCUMENTS = (
    "FROM notes n LEFT JOIN page_readings r ON r.graph_key = n.graph_key AND r.note_key = n.note_key "
    "AND r.version = n.version AND r.reader = ? WHERE n.graph_key = ? AND n.first_revision <= ? "
    "AND (n.last_revision IS NULL OR n.last_revision >= ?) AND n.kind IN ('note', 'page')"
)


def documents(connection: Connection, graph: GraphRow) -> list[tuple]:
    """(path, note_key, version, hash of its bytes) of every document of the revision."""
    sql = f"SELECT path, note_key, version, content_hash {_READ} AND kind IN ('note', 'page')"
    return connection.rows(sql, (graph.key, graph.revision, graph.revision))


def readings_of(connection: Connection, graph: GraphRow, reader: str, note_keys: Sequence[int]) -> dict[int, bytes]:
    """What a reader made of some notes, as far as it is kept; by note key."""
    given = (reader, graph.key, graph.revision, graph.revision)
    rows = rows_among(connection, f"SELECT n.note_key, r.reading {_DOCUMENTS} AND n.note_key IN", note_keys, given)
    return {key: reading for key, reading in rows if reading is not None}


_READ = "FROM notes WHERE graph_key = ? AND first_revision <= ? AND (last_revision IS NULL OR last_revision >= ?)"


def document_keys(connection: Connection, graph: GraphRow) -> dict[str, int]:
    """Note keys by path of everything that was read: documents and the digest file."""
    return dict(connection.rows(f"SELECT path, note_key {_READ}", (graph.key, graph.revision, graph.revision)))


def document_key(connection: Connection, graph: GraphRow, path: str) -> int | None:
    """The note key of one path, if it was read."""
    sql = f"SELECT note_key {_READ} AND path = ?"
    row = one_row(connection, sql, (graph.key, graph.revision, graph.revision, path))
    return row[0] if row else None


def node_at(connection: Connection, graph: GraphRow, path: str) -> str | None:
    """The id of the note that one path is; other documents have none."""
    row = one_row(connection, f"SELECT node_id {_READ} AND path = ?", (graph.key, graph.revision, graph.revision, path))
    return row[0] if row else None


def keep_readings(
    connection: Connection, graph: GraphRow, reader: str, readings: Iterable[tuple[int, int, bytes]]
) -> None:
    """`readings`: (note_key, version, reading). Left out when the graph has moved on: nobody would take them away."""
    sql = "UPDATE graphs SET revision = revision WHERE graph_key = ? AND revision = ?"
    if connection.execute(sql, (graph.key, graph.revision)):
        add_readings(connection, graph.key, reader, readings)


def add_readings(
    connection: Connection, graph_key: int, reader: str, readings: Iterable[tuple[int, int, bytes]]
) -> None:
    """The same of notes that are just being written."""
    sql = replacement("page_readings", "graph_key, note_key, version, reader, reading", "graph_key, note_key, version")
    rows = [(graph_key, note_key, version, reader, reading) for note_key, version, reading in readings]
    connection.execute_many(sql, rows)


def find_build(connection: Connection, graph_key: int) -> tuple[int, str, bytes] | None:
    """(number, hash of the digest file it was made beside, what was written)."""
    sql = "SELECT number, committed, distilled FROM digest_builds WHERE graph_key = ?"
    row = one_row(connection, sql, (graph_key,))
    return (row[0], row[1], bytes(row[2])) if row else None


def asked_state(connection: Connection, graph_id: str) -> tuple[int, int, int] | None:
    """(graph key, revision, number of its build) of a graph, or of the one ingested last where none is named."""
    chosen, parameters = ("graph_id = ?", (graph_id,)) if graph_id else ("TRUE", ())
    sql = (
        "SELECT graph_key, revision, COALESCE((SELECT number FROM digest_builds b WHERE b.graph_key = g.graph_key), 0) "
        f"FROM graphs g WHERE revision > 0 AND {chosen} ORDER BY ingest_number DESC LIMIT 1"
    )
    row = one_row(connection, sql, parameters) if "\0" not in graph_id else None
    return (row[0], row[1], row[2]) if row else None


def build_number(connection: Connection, graph_key: int) -> int:
    row = one_row(connection, "SELECT number FROM digest_builds WHERE graph_key = ?", (graph_key,))
    return row[0] if row else 0


def keep_build(connection: Connection, graph_key: int, committed: str, distilled: bytes) -> None:
    connection.execute(
        "INSERT INTO digest_builds (graph_key, number, committed, distilled) VALUES (?, 1, ?, ?) "
        "ON CONFLICT (graph_key) DO UPDATE SET number = digest_builds.number + 1, committed = excluded.committed, "
        "distilled = excluded.distilled",
        (graph_key, committed, distilled),
    )


# What was asked


def keep_answer(connection: Connection, answer_id: str, graph_id: str, query: str, asked_at: str) -> None:
    """Remembers an answer so that somebody can say whether it helped; the oldest are forgotten."""
    sql = insertion("ask_answers", "answer_id, graph_id, query, asked_at")
    connection.execute(sql, (answer_id, graph_id, query, asked_at))
    connection.execute(
        "DELETE FROM ask_answers WHERE answer_id IN "
        "(SELECT answer_id FROM ask_answers ORDER BY asked_at DESC, answer_id LIMIT 1000 OFFSET ?)",
        (KEPT_ANSWERS,),
    )


def rate_answer(connection: Connection, answer_id: str, helpful: bool, comment: str | None) -> tuple[str, str] | None:
    """Notes whether an answer helped; answers (graph id, query), or None for an unknown answer."""
    sql = "UPDATE ask_answers SET helpful = ?, comment = ? WHERE answer_id = ? RETURNING graph_id, query"
    row = one_row(connection, sql, (int(helpful), comment, answer_id))
    return (row[0], row[1]) if row else None


def count_gap(connection: Connection, graph_id: str, query_key: str, reason: str, query: str, now: str) -> None:
    connection.execute(
        "INSERT INTO ask_gaps (graph_id, query_key, reason, query, count, last_asked) VALUES (?, ?, ?, ?, 1, ?) "
        "ON CONFLICT (graph_id, query_key, reason) DO UPDATE SET count = ask_gaps.count + 1, "
        "query = excluded.query, last_asked = excluded.last_asked",
        (graph_id, query_key, reason, query, now),
    )
    connection.execute(
        "DELETE FROM ask_gaps WHERE graph_id = ? AND query_key IN (SELECT query_key FROM ask_gaps WHERE graph_id = ? "
        "ORDER BY count DESC, last_asked DESC, query_key LIMIT 1000 OFFSET ?)",
        (graph_id, graph_id, KEPT_GAPS),
    )


def gaps(connection: Connection, graph_id: str, limit: int) -> Sequence[tuple]:
    """(query, reason, count, last asked), most frequent first."""
    sql = (
        "SELECT query, reason, count, last_asked FROM ask_gaps WHERE graph_id = ? "
        "ORDER BY count DESC, last_asked DESC, query_key, reason LIMIT ?"
    )
    return connection.rows(sql, (graph_id, limit))


# Threads

_THREAD = "thread_id, title, graph_id, turns, updated_at"


def keep_turn(
    connection: Connection, thread_id: str, number: int, graph_id: str | None, title: str, turn: str, now: str
) -> bool:
    """Adds a turn, or puts one in the place of another and of what followed; false where turns between are missing."""
    # The thread's row first, which is ours from then on: two windows may keep the same turn.
    row = one_row(connection, "UPDATE chat_threads SET turns = turns WHERE thread_id = ? RETURNING turns", (thread_id,))
    if number > (row[0] if row else 0):
        return False
    renamed = "excluded.title" if number == 0 else "chat_threads.title"
    connection.execute(
        "INSERT INTO chat_threads (thread_id, graph_id, title, updated_at, turns) VALUES (?, ?, ?, ?, ?) "
        f"ON CONFLICT (thread_id) DO UPDATE SET graph_id = excluded.graph_id, title = {renamed}, "
        "updated_at = excluded.updated_at, turns = excluded.turns",
        (thread_id, graph_id, title, now, number + 1),
    )
    connection.execute("DELETE FROM chat_turns WHERE thread_id = ? AND number >= ?", (thread_id, number))
    connection.execute("INSERT INTO chat_turns (thread_id, number, turn) VALUES (?, ?, ?)", (thread_id, number, turn))
    old = connection.rows(
        "SELECT thread_id FROM chat_threads ORDER BY updated_at DESC, thread_id LIMIT 1000 OFFSET ?", (KEPT_THREADS,)
    )
    for (forgotten,) in old:
        delete_thread(connection, forgotten)
    return True


def threads(connection: Connection, limit: int) -> Sequence[tuple]:
    """(id, title, graph id, turns, when), newest first."""
    sql = f"SELECT {_THREAD} FROM chat_threads ORDER BY updated_at DESC, thread_id LIMIT ?"
    return connection.rows(sql, (limit,))


def thread(connection: Connection, thread_id: str) -> tuple[tuple, list[str]] | None:
    sql = f"SELECT {_THREAD} FROM chat_threads WHERE thread_id = ?"
    row = one_row(connection, sql, (thread_id,))
    if row is None:
        return None
    turns = connection.rows("SELECT turn FROM chat_turns WHERE thread_id = ? ORDER BY number", (thread_id,))
    return row, [turn for (turn,) in turns]


def delete_thread(connection: Connection, thread_id: str) -> bool:
    is_known = connection.execute("DELETE FROM chat_threads WHERE thread_id = ?", (thread_id,)) == 1
    connection.execute("DELETE FROM chat_turns WHERE thread_id = ?", (thread_id,))
    return is_known
