"""What hangs memories together: relations, merges, and the history of every change."""

import json
from collections.abc import Iterable
from dataclasses import astuple
from typing import Any

from loreweave.entities.stored_memory import OPEN, SUPERSEDES, HistoryLine, MergeRow, Relation
from loreweave.seams.storage.store import Connection, Row, insertion, one_row, replacement, rows_among

_COLUMNS = (
    "reversal_hash, merged_id, source_ids, target_name, rationale, strategy, merged_at, reversible_until, "
    "fingerprint, importance, state"
)


def insert_merge(connection: Connection, merge: MergeRow) -> None:
    made, into, sources, *rest = astuple(merge)
    connection.execute(insertion("memory_merges", _COLUMNS), (made, into, json.dumps(sources), *rest))


def find_merge(connection: Connection, reversal_hash: str) -> MergeRow | None:
    return next(iter(_merges(connection, "reversal_hash = ?", reversal_hash)), None)


def merge_into(connection: Connection, merged_id: str) -> MergeRow | None:
    """The merge that made a memory, whatever became of it."""
    return next(iter(_merges(connection, "merged_id = ?", merged_id)), None)


def hashes_beginning(connection: Connection, beginning: str, limit: int) -> list[tuple[str, str]]:
    """(reversal hash, name of what was made) of merges, whatever became of them."""
    sql = (
        "SELECT reversal_hash, coalesce(target_name, '') FROM memory_merges "
        f"WHERE substr(reversal_hash, 1, {len(beginning)}) = ? ORDER BY reversal_hash LIMIT ?"
    )
    return [(row[0], row[1]) for row in connection.rows(sql, (beginning, limit))]


def open_merges(connection: Connection, now: int) -> list[MergeRow]:
    """Merges that can be undone, newest first."""
    wanted = f"state = '{OPEN}' AND reversible_until > ? ORDER BY merged_at DESC, reversal_hash"
    return _merges(connection, wanted, now)


def expired_merges(connection: Connection, now: int) -> list[MergeRow]:
    """Oldest first: what a later merge took in was made before it."""
    return _merges(connection, f"state = '{OPEN}' AND reversible_until <= ? ORDER BY merged_at, reversal_hash", now)


def close_merge(connection: Connection, reversal_hash: str, state: str) -> None:
    """No longer to be undone: nothing of its texts is needed."""
    connection.execute(
        "UPDATE memory_merges SET state = ?, target_name = NULL, rationale = NULL WHERE reversal_hash = ?",
        (state, reversal_hash),
    )


def forget_texts(connection: Connection, merged_id: str) -> None:
    """Takes away what was said about a merge, of which the result is erased."""
    connection.execute(
        "UPDATE memory_merges SET target_name = NULL, rationale = NULL WHERE merged_id = ?", (merged_id,)
    )


def _merges(connection: Connection, wanted: str, *parameters: Any) -> list[MergeRow]:
    rows = connection.rows(f"SELECT {_COLUMNS} FROM memory_merges WHERE {wanted}", parameters)
    return [MergeRow(made, into, tuple(json.loads(sources)), *rest) for made, into, sources, *rest in rows]


_RELATION = "source_id, target_id, type, weight, settled"


def relations_of(connection: Connection, node_ids: Iterable[str]) -> list[Relation]:
    """Every relation that names one of these ids, in order."""
    found: set[Relation] = set()
    ids = list(node_ids)
    for end in ("source_id", "target_id"):
        rows = rows_among(connection, f"SELECT {_RELATION} FROM memory_relations WHERE {end} IN", ids)
        found.update(map(_relation, rows))
    return sorted(found, key=lambda relation: (relation.source_id, relation.target_id, relation.type))


def put_relations(connection: Connection, relations: Iterable[Relation]) -> None:
    """Adds, or replaces one of the same ends and type."""
    sql = replacement("memory_relations", _RELATION, "source_id, target_id, type")
    rows = [(each.source_id, each.target_id, each.type, each.weight, int(each.settled)) for each in relations]
    connection.execute_many(sql, rows)


def delete_relations(connection: Connection, relations: Iterable[Relation]) -> None:
    connection.execute_many(
        "DELETE FROM memory_relations WHERE source_id = ? AND target_id = ? AND type = ?",
        [(each.source_id, each.target_id, each.type) for each in relations],
    )


def superseding(connection: Connection) -> list[Relation]:
    """Every relation by which one memory supersedes another."""
    rows = connection.rows(f"SELECT {_RELATION} FROM memory_relations WHERE type = '{SUPERSEDES}'")
    return [_relation(row) for row in rows]


def superseded_by(connection: Connection, node_id: str) -> list[str]:
    """What this id supersedes."""
    rows = connection.rows(
        f"SELECT target_id FROM memory_relations WHERE type = '{SUPERSEDES}' AND source_id = ? ORDER BY target_id",
        (node_id,),
    )
    return [row[0] for row in rows]


def _relation(row: Row) -> Relation:
    source_id, target_id, type, weight, settled = row
    return Relation(source_id, target_id, type, weight, bool(settled))


_LINE = "node_id, at, action, actor, version, detail"


def add_line(connection: Connection, line: HistoryLine) -> None:
    row = (line.node_id, line.at, line.action, line.actor, line.version, _text(line.detail))
    connection.execute(insertion("memory_history", _LINE), row)


def history_of(connection: Connection, node_id: str, limit: int) -> list[HistoryLine]:
    """Newest first."""
    return _lines(connection, "node_id = ? ORDER BY history_key DESC LIMIT ?", node_id, limit)


def all_lines(connection: Connection, before: int | None, limit: int) -> list[tuple[int, HistoryLine]]:
    """Lines of every memory with their numbers, newest first."""
    wanted, parameters = ("WHERE history_key < ?", (before,)) if before is not None else ("", ())
    rows = connection.rows(
        f"SELECT history_key, {_LINE} FROM memory_history {wanted} ORDER BY history_key DESC LIMIT ?",
        (*parameters, limit),
    )
    return [(int(row[0]), _line(row[1:])) for row in rows]


def later_lines(connection: Connection, node_id: str, number: int) -> list[HistoryLine]:
    return _lines(connection, "node_id = ? AND history_key > ? ORDER BY history_key", node_id, number)


def lines_of_action(connection: Connection, node_id: str, action: str) -> list[HistoryLine]:
    return _lines(connection, "node_id = ? AND action = ? ORDER BY history_key", node_id, action)


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
    sql = "SELECT tool, arguments_hash, answer, at FROM memory_requests WHERE request_id = ?"
    return one_row(connection, sql, (request_id,))


def keep_request(
    connection: Connection, request_id: str, tool: str, arguments_hash: str, answer: dict[str, Any], at: int
) -> None:
    columns = "request_id, tool, arguments_hash, answer, at"
    row = (request_id, tool, arguments_hash, _text(answer), at)
    connection.execute(replacement("memory_requests", columns, "request_id"), row)


def forget_requests(connection: Connection, before: int) -> None:
    connection.execute("DELETE FROM memory_requests WHERE at <= ?", (before,))


def _lines(connection: Connection, wanted: str, *parameters: Any) -> list[HistoryLine]:
    rows = connection.rows(f"SELECT {_LINE} FROM memory_history WHERE {wanted}", parameters)
    return [_line(row) for row in rows]


def _line(row: Row) -> HistoryLine:
    node_id, at, action, actor, version, detail = row
    return HistoryLine(node_id, at, action, actor, version, json.loads(detail))


def _text(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)
