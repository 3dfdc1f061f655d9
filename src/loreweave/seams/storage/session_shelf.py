"""Sessions, their events and questions, and who is alive to run them."""

import json
from collections.abc import Sequence
from dataclasses import astuple
from typing import Any

from loreweave.entities.stored_session import QuestionRow, SessionRow
from loreweave.seams.storage.store import Connection, Row, insertion, one_row, rows_among

_COLUMNS = "session_id, kind, state, outcome, goal, created_at, last_seq, runner, given, saved"


def insert_session(connection: Connection, row: SessionRow) -> bool:
    """False where there is a session of this id."""
    return connection.execute(insertion("sessions", _COLUMNS, "ON CONFLICT (session_id) DO NOTHING"), astuple(row)) == 1


def find_session(connection: Connection, session_id: str) -> SessionRow | None:
    row = one_row(connection, f"SELECT {_COLUMNS} FROM sessions WHERE session_id = ?", (session_id,))
    return SessionRow(*row) if row else None


def newest_sessions(connection: Connection, limit: int) -> list[Row]:
    """Rows of id, kind, state, outcome, goal, time of creation and whether a person is waited for: what the others hold
    may be large."""
    return connection.rows(
        "SELECT session_id, kind, state, outcome, goal, created_at, EXISTS (SELECT 1 FROM session_questions asked "
        "WHERE asked.session_id = sessions.session_id AND asked.status = 'open') FROM sessions "
        "ORDER BY created_at DESC, session_id DESC LIMIT ?",
        (limit,),
    )


def session_names(connection: Connection) -> list[Row]:
    """Id and goal of every session, in order."""
    return connection.rows("SELECT session_id, goal FROM sessions ORDER BY session_id")


def has_running_session(connection: Connection) -> bool:
    sql = "SELECT 1 FROM sessions WHERE state <> 'done' AND state <> 'idle' LIMIT 1"
    return one_row(connection, sql) is not None


def grow_session(connection: Connection, session_id: str, count: int) -> tuple[int, str | None, str, str] | None:
    """Takes the next numbers of the log, and with them the row until the transaction ends.

    Answers the last number taken, the runner, the state and what was saved; nothing where there is no session.
    """
    row = one_row(
        connection,
        "UPDATE sessions SET last_seq = last_seq + ? WHERE session_id = ? RETURNING last_seq, runner, state, saved",
        (count, session_id),
    )
    return (row[0], row[1], row[2], row[3]) if row else None


def save_session(connection: Connection, session_id: str, state: str, outcome: str | None, saved: str) -> None:
    connection.execute(
        "UPDATE sessions SET state = ?, outcome = ?, saved = ? WHERE session_id = ?",
        (state, outcome, saved, session_id),
    )


def claim_session(connection: Connection, session_id: str, goal: str, given: str) -> bool:
    """Writes down what a session that waits is started with; false where it waits no more."""
    touched = connection.execute(
        "UPDATE sessions SET goal = ?, given = ? WHERE session_id = ? AND state = 'idle'", (goal, given, session_id)
    )
    return touched == 1


def take_folder(connection: Connection, session_id: str, folder: str) -> bool:
    """False where another session works in this folder."""
    sql = insertion("session_folders", "folder, session_id", "ON CONFLICT (folder) DO NOTHING")
    return connection.execute(sql, (folder, session_id)) == 1


def is_folder_taken(connection: Connection, folder: str) -> bool:
    return one_row(connection, "SELECT 1 FROM session_folders WHERE folder = ?", (folder,)) is not None


def leave_folder(connection: Connection, session_id: str) -> None:
    connection.execute("DELETE FROM session_folders WHERE session_id = ?", (session_id,))


def set_runner(connection: Connection, session_id: str, runner: str) -> bool:
    """False where the session is over or unknown."""
    touched = connection.execute(
        "UPDATE sessions SET runner = ? WHERE session_id = ? AND state <> 'done'", (runner, session_id)
    )
    return touched == 1


def find_standing(connection: Connection, session_id: str) -> tuple[int, str, str | None] | None:
    """Last number, state and runner: what changes while it runs."""
    row = one_row(connection, "SELECT last_seq, state, runner FROM sessions WHERE session_id = ?", (session_id,))
    return (row[0], row[1], row[2]) if row else None


def find_standings(connection: Connection, session_ids: Sequence[str]) -> list[tuple[str, int, str]]:
    sql = "SELECT session_id, last_seq, state FROM sessions WHERE session_id IN"
    return [(row[0], row[1], row[2]) for row in rows_among(connection, sql, session_ids)]


def unfinished_sessions(connection: Connection) -> dict[str, int]:
    """When each was created, the oldest first."""
    return dict(
        connection.rows(
            "SELECT session_id, created_at FROM sessions WHERE state <> 'done' AND state <> 'idle' ORDER BY created_at"
        )
    )


def delete_session(connection: Connection, session_id: str) -> None:
    for table in ("sessions", "session_questions", "session_events", "session_folders"):
        connection.execute(f"DELETE FROM {table} WHERE session_id = ?", (session_id,))


def insert_events(connection: Connection, session_id: str, rows: Sequence[tuple[int, str | None, str]]) -> bool:
    """Rows of number, key and frame, of which only the first may have a key; false where that key is known already."""
    sql = "INSERT INTO session_events (session_id, seq, event_key, frame) VALUES (?, ?, ?, ?)"
    once = " ON CONFLICT (session_id, event_key) WHERE event_key IS NOT NULL DO NOTHING"
    if connection.execute(sql + once, (session_id, *rows[0])) == 0:
        return False
    if len(rows) > 1:
        connection.execute_many(sql, [(session_id, *row) for row in rows[1:]])
    return True


def event_keys(connection: Connection, session_id: str) -> list[str]:
    rows = connection.rows(
        "SELECT event_key FROM session_events WHERE session_id = ? AND event_key IS NOT NULL", (session_id,)
    )
    return [row[0] for row in rows]


def page_after(
    connection: Connection, session_id: str, seq: int, limit: int
) -> tuple[list[tuple[int, str]], int, str] | None:
    """Events after a number, the last number there is and the state, in one look; nothing where there is no session."""
    rows = connection.rows(
        "SELECT sessions.last_seq, sessions.state, session_events.seq, session_events.frame FROM sessions "
        "LEFT JOIN session_events ON session_events.session_id = sessions.session_id AND session_events.seq > ? "
        "WHERE sessions.session_id = ? ORDER BY session_events.seq LIMIT ?",
        (seq, session_id, limit),
    )
    if not rows:
        return None
    return [(row[2], row[3]) for row in rows if row[2] is not None], rows[0][0], rows[0][1]


def frames_of(connection: Connection, session_id: str, kinds: Sequence[str]) -> list[str]:
    """Of the events that name one of these types, in order: a few others may do so too."""
    wanted = " OR ".join("frame LIKE ?" for _ in kinds)
    sql = f"SELECT frame FROM session_events WHERE session_id = ? AND ({wanted}) ORDER BY seq"
    patterns = [f'%"type":"{kind}"%' for kind in kinds]
    return [row[0] for row in connection.rows(sql, (session_id, *patterns))]


_QUESTION = "session_id, question_id, kind, place, headers, asked_seq, deadline, status, answer"


def insert_question(connection: Connection, question: QuestionRow) -> None:
    *place, headers, asked_seq, deadline, status, _ = astuple(question)
    row = (*place, json.dumps(headers), asked_seq, deadline, status, None)
    connection.execute(insertion("session_questions", _QUESTION), row)


def find_question(connection: Connection, session_id: str, question_id: str) -> QuestionRow | None:
    sql = f"SELECT {_QUESTION} FROM session_questions WHERE session_id = ? AND question_id = ?"
    row = one_row(connection, sql, (session_id, question_id))
    return _question(row) if row else None


def questions_of(connection: Connection, session_id: str) -> list[QuestionRow]:
    """In the order they were asked."""
    sql = f"SELECT {_QUESTION} FROM session_questions WHERE session_id = ? ORDER BY asked_seq, question_id"
    return [_question(row) for row in connection.rows(sql, (session_id,))]


def settle_question(connection: Connection, session_id: str, question_id: str, status: str, answer: Any) -> bool:
    """The first to settle it wins; false for all others."""
    touched = connection.execute(
        "UPDATE session_questions SET status = ?, answer = ? "
        "WHERE session_id = ? AND question_id = ? AND status = 'open'",
        (status, json.dumps(answer), session_id, question_id),
    )
    return touched == 1


def close_questions(connection: Connection, session_id: str) -> None:
    """Whatever is still open is so no more: the session is over."""
    connection.execute(
        "UPDATE session_questions SET status = 'over' WHERE session_id = ? AND status = 'open'", (session_id,)
    )


def _question(row: Row) -> QuestionRow:
    session_id, question_id, kind, place, headers, asked_seq, deadline, status, answer = row
    told = None if answer is None else json.loads(answer)
    return QuestionRow(
        session_id, question_id, kind, place, tuple(json.loads(headers)), asked_seq, deadline, status, told
    )


def beat(connection: Connection, executor_id: str) -> None:
    connection.execute(
        "INSERT INTO session_executors (executor_id, beats) VALUES (?, 1) "
        "ON CONFLICT (executor_id) DO UPDATE SET beats = session_executors.beats + 1",
        (executor_id,),
    )


def all_beats(connection: Connection) -> dict[str, int]:
    return dict(connection.rows("SELECT executor_id, beats FROM session_executors"))


def delete_executor(connection: Connection, executor_id: str) -> None:
    connection.execute("DELETE FROM session_executors WHERE executor_id = ?", (executor_id,))
