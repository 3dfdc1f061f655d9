"""What happened to each memory, and the answers that a retry is given again."""

import json
from typing import Any

from loreweave.entities.memory import HistoryLine
from loreweave.seams.storage.store import Connection, Row, one_row


def add_line(connection: Connection, line: HistoryLine) -> None:
    connection.execute(
        "INSERT INTO memory_history (node_id, at, action, actor, version, detail) VALUES (?, ?, ?, ?, ?, ?)",
        (line.node_id, line.at, line.action, line.actor, line.version, _text(line.detail)),
    )


def history_of(connection: Connection, node_id: str, limit: int) -> list[HistoryLine]:
    """Newest first."""
    rows = connection.rows(
        "SELECT node_id, at, action, actor, version, detail FROM memory_history WHERE node_id = ? "
        "ORDER BY history_key DESC LIMIT ?",
        (node_id, limit),
    )
    return [_line(row) for row in rows]


def lines_of_action(connection: Connection, node_id: str, action: str) -> list[HistoryLine]:
    rows = connection.rows(
        "SELECT node_id, at, action, actor, version, detail FROM memory_history WHERE node_id = ? AND action = ? "
        "ORDER BY history_key",
        (node_id, action),
    )
    return [_line(row) for row in rows]


def forget_lines(connection: Connection, node_id: str) -> None:
    connection.execute("DELETE FROM memory_history WHERE node_id = ?", (node_id,))


def forget_rationale(connection: Connection, node_id: str, merged_id: str) -> None:
    """Takes the words of one merge out of the history of a memory that went into it."""
    rows = connection.rows(
        "SELECT history_key, detail FROM memory_history WHERE node_id = ? AND action = 'merged_into'", (node_id,)
    )
    for key, detail in rows:
        found = json.loads(detail)
        if found.get("merged_id") == merged_id and found.pop("rationale", None) is not None:
            connection.execute("UPDATE memory_history SET detail = ? WHERE history_key = ?", (_text(found), key))


def forget_replaced(connection: Connection, before: int) -> int:
    """Takes away what edits replaced so long ago that their window is over; answers how many."""
    return connection.execute(
        "UPDATE memory_history SET detail = '{}' WHERE action = 'edited' AND at <= ? AND detail <> '{}'", (before,)
    )


def has_replaced(connection: Connection, before: int) -> bool:
    sql = "SELECT 1 FROM memory_history WHERE action = 'edited' AND at <= ? AND detail <> '{}' LIMIT 1"
    return one_row(connection, sql, (before,)) is not None


def find_request(connection: Connection, request_id: str) -> Row | None:
    """(tool, hash of the arguments, answer, at)"""
    return one_row(
        connection, "SELECT tool, arguments_hash, answer, at FROM memory_requests WHERE request_id = ?", (request_id,)
    )


def keep_request(
    connection: Connection, request_id: str, tool: str, arguments_hash: str, answer: dict[str, Any], at: int
) -> None:
    connection.execute(
        "INSERT INTO memory_requests (request_id, tool, arguments_hash, answer, at) VALUES (?, ?, ?, ?, ?) "
        "ON CONFLICT (request_id) DO UPDATE SET tool = excluded.tool, arguments_hash = excluded.arguments_hash, "
        "answer = excluded.answer, at = excluded.at",
        (request_id, tool, arguments_hash, _text(answer), at),
    )


def forget_requests(connection: Connection, before: int) -> None:
    connection.execute("DELETE FROM memory_requests WHERE at <= ?", (before,))


def _line(row: Row) -> HistoryLine:
    node_id, at, action, actor, version, detail = row
    return HistoryLine(node_id, at, action, actor, version, json.loads(detail))


def _text(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)
