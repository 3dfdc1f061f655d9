"""Questions to people and their answers."""

import json
from typing import Any

from loreweave.entities.session import QuestionRow
from loreweave.seams.storage.store import Connection, Row, one_row

_COLUMNS = "session_id, question_id, kind, place, headers, asked_seq, deadline, status, answer"


def insert_question(connection: Connection, question: QuestionRow) -> None:
    connection.execute(
        f"INSERT INTO session_questions ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, NULL)",
        (
            *(question.session_id, question.question_id, question.kind, question.place),
            *(json.dumps(question.headers), question.asked_seq, question.deadline, question.status),
        ),
    )


def find_question(connection: Connection, session_id: str, question_id: str) -> QuestionRow | None:
    sql = f"SELECT {_COLUMNS} FROM session_questions WHERE session_id = ? AND question_id = ?"
    row = one_row(connection, sql, (session_id, question_id))
    return _question(row) if row else None


def questions_of(connection: Connection, session_id: str) -> list[QuestionRow]:
    """In the order they were asked."""
    sql = f"SELECT {_COLUMNS} FROM session_questions WHERE session_id = ? ORDER BY asked_seq, question_id"
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
