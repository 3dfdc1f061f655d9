"""Memories, the counter of their changes, and what is left of the erased ones."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields
from typing import Any

from loreweave.entities.stored_memory import DELETED, MERGED, Memory
from loreweave.seams.storage.store import Connection, Row, insertion, one_row, rows_among

_OWN = tuple(field.name for field in fields(Memory) if field.name != "key")  # in the order of the columns
_COLUMNS = ", ".join(("memory_key", *_OWN))
_TAGS, _DERIVED_FROM, _INHERITS = 6, 19, 20  # places of the columns that are not kept as they are
_SCOPE = "scope || ''"  # not the bare column: a planner would read the whole scope by the index of its texts


def revision_of(connection: Connection) -> int:
    """Counts every change of any memory."""
    return int(connection.rows("SELECT revision FROM memory_counter")[0][0])


def set_revision(connection: Connection, revision: int) -> None:
    connection.execute("UPDATE memory_counter SET revision = ?", (revision,))


def unclean_since(connection: Connection) -> int:
    """The number of the last erasure whose traces may still be in the files, or 0."""
    return int(connection.rows("SELECT unclean FROM memory_counter")[0][0])


def mark_unclean(connection: Connection, revision: int) -> None:
    connection.execute("UPDATE memory_counter SET unclean = ?", (revision,))


def mark_clean(connection: Connection, revision: int) -> None:
    """Everything that was erased until then is wiped."""
    connection.execute("UPDATE memory_counter SET unclean = 0 WHERE unclean <= ?", (revision,))


def clock_seen(connection: Connection) -> tuple[int | None, int | None]:
    """When the time was last looked at, or else when a memory last changed; and since when the clock is doubted."""
    last_change = "(SELECT at FROM memory_history ORDER BY history_key DESC LIMIT 1)"
    row = connection.rows(f"SELECT coalesce(seen_at, {last_change}), doubted_since FROM memory_counter")[0]
    return row[0], row[1]


def note_clock(connection: Connection, seen_at: int, doubted_since: int | None) -> None:
    connection.execute("UPDATE memory_counter SET seen_at = ?, doubted_since = ?", (seen_at, doubted_since))


def find_memory(connection: Connection, node_id: str) -> Memory | None:
    row = one_row(connection, f"SELECT {_COLUMNS} FROM memories WHERE node_id = ?", (node_id,))
    return _memory(row) if row else None


def find_memories(connection: Connection, node_ids: Iterable[str]) -> dict[str, Memory]:
    rows = rows_among(connection, f"SELECT {_COLUMNS} FROM memories WHERE node_id IN", node_ids)
    return {row[1]: _memory(row) for row in rows}


def memories_by_key(connection: Connection, keys: Iterable[int]) -> dict[int, Memory]:
    rows = rows_among(connection, f"SELECT {_COLUMNS} FROM memories WHERE memory_key IN", keys)
    return {row[0]: _memory(row) for row in rows}


def live_memories(connection: Connection, scope: str | None = None) -> Iterator[Memory]:
    """All of them, by scope and id; of one scope where it is named."""
    wanted, parameters = ("AND scope = ?", (scope,)) if scope is not None else ("", ())
    sql = f"SELECT {_COLUMNS} FROM memories WHERE state = 'live' {wanted} ORDER BY scope, node_id"
    for row in connection.stream(sql, parameters):
        yield _memory(row)


_ORDERS = {
    "newest": "created_at DESC, node_id",
    "changed": "updated_at DESC, node_id",
    "important": "importance DESC, created_at DESC, node_id",
}


def listed_memories(
    connection: Connection, scope: str | None, tags: Sequence[str], order: str, limit: int, offset: int
) -> tuple[list[Memory], int]:
    """So many of the live ones that have all these tags, and how many there are."""
    wanted, parameters = "state = 'live'", [json.dumps(tag, ensure_ascii=False) for tag in tags]
    wanted += " AND replace(tags, ?, '') <> tags" * len(tags)  # a whole entry of the list, found alike by both
    if scope is not None:
        wanted, parameters = f"{wanted} AND {_SCOPE} = ?", [*parameters, scope]
    rows = connection.rows(
        f"SELECT {_COLUMNS} FROM memories WHERE {wanted} ORDER BY {_ORDERS[order]} LIMIT ? OFFSET ?",
        (*parameters, limit, offset),
    )
    total = connection.rows(f"SELECT count(*) FROM memories WHERE {wanted}", tuple(parameters))[0][0]
    return [_memory(row) for row in rows], int(total)


def ids_beginning(connection: Connection, beginning: str, now: int, limit: int) -> list[tuple[str, str]]:
    """(id, name) of memories that are live or can come back."""
    sql = (
        f"SELECT node_id, name FROM memories WHERE substr(node_id, 1, {len(beginning)}) = ? "
        "AND (recoverable_until IS NULL OR recoverable_until > ?) ORDER BY node_id LIMIT ?"
    )
    return [(row[0], row[1]) for row in connection.rows(sql, (beginning, now, limit))]


def find_text(connection: Connection, scope: str, text_hash: str) -> Memory | None:
    """The oldest live memory of this text."""
    row = one_row(
        connection,
        f"SELECT {_COLUMNS} FROM memories WHERE scope = ? AND text_hash = ? AND state = 'live' "
        "ORDER BY memory_key LIMIT 1",
        (scope, text_hash),
    )
    return _memory(row) if row else None


def sources_of(connection: Connection, merged_id: str) -> list[Memory]:
    """What was merged into a memory and is still held for undo, by id."""
    rows = connection.rows(
        f"SELECT {_COLUMNS} FROM memories WHERE merged_into = ? AND state = 'merged' ORDER BY node_id", (merged_id,)
    )
    return [_memory(row) for row in rows]


def insert_memory(connection: Connection, memory: Memory, text_hash: str) -> int:
    """Answers the key it got."""
    stored = _stored(memory, text_hash)
    row = one_row(connection, insertion("memories", ", ".join(stored), "RETURNING memory_key"), tuple(stored.values()))
    assert row is not None
    return int(row[0])


def update_memory(connection: Connection, memory: Memory, text_hash: str, version: int) -> bool:
    """Writes every field but those of access; false where the record is no longer of the version it was read at."""
    stored = _stored(memory, text_hash)
    for kept in ("node_id", "last_accessed_at", "access_count"):
        del stored[kept]
    sql = f"UPDATE memories SET {', '.join(f'{name} = ?' for name in stored)} WHERE node_id = ? AND version = ?"
    return bool(connection.execute(sql, (*stored.values(), memory.node_id, version)))


def count_accesses(connection: Connection, accesses: Iterable[tuple[str, int, int]]) -> None:
    """(id, how often, last at): added in the database, so that no record is ever written back for it."""
    connection.execute_many(
        "UPDATE memories SET access_count = access_count + ?, "
        "last_accessed_at = CASE WHEN last_accessed_at > ? THEN last_accessed_at ELSE ? END WHERE node_id = ?",
        [(count, at, at, node_id) for node_id, count, at in accesses],
    )


def delete_memory(connection: Connection, memory: Memory, ended_at: int | None, revision: int) -> None:
    """Takes the row away and keeps that there was one."""
    connection.execute("DELETE FROM memories WHERE memory_key = ?", (memory.key,))
    sql = insertion("memory_erasures", "memory_key, node_id, ended_at, revision")
    connection.execute(sql, (memory.key, memory.node_id, ended_at, revision))


def window_end(connection: Connection, node_id: str) -> int | None:
    """When the window of an erased memory ran out; nothing for one that was erased on purpose."""
    row = one_row(
        connection,
        "SELECT ended_at FROM memory_erasures WHERE node_id = ? ORDER BY memory_key DESC LIMIT 1",
        (node_id,),
    )
    return row[0] if row else None


def expired_memories(connection: Connection, now: int) -> list[Memory]:
    rows = connection.rows(
        f"SELECT {_COLUMNS} FROM memories WHERE state IN ('{DELETED}', '{MERGED}') AND recoverable_until <= ? "
        "ORDER BY node_id",
        (now,),
    )
    return [_memory(row) for row in rows]


def has_expired(connection: Connection, now: int) -> bool:
    sql = f"SELECT 1 FROM memories WHERE state IN ('{DELETED}', '{MERGED}') AND recoverable_until <= ? LIMIT 1"
    return one_row(connection, sql, (now,)) is not None


def deleted_memories(connection: Connection, now: int, scope: str | None) -> Iterator[Memory]:
    """What is in the trash and can come back, newest first."""
    wanted, parameters = (f"AND {_SCOPE} = ?", (now, scope)) if scope is not None else ("", (now,))
    sql = (
        f"SELECT {_COLUMNS} FROM memories WHERE state = '{DELETED}' AND recoverable_until > ? {wanted} "
        "ORDER BY deleted_at DESC, node_id"
    )
    for row in connection.stream(sql, parameters):
        yield _memory(row)


def next_deadline(connection: Connection, now: int, scope: str | None) -> int | None:
    wanted, parameters = (f"AND {_SCOPE} = ?", (now, scope)) if scope is not None else ("", (now,))
    sql = f"SELECT min(recoverable_until) FROM memories WHERE state <> 'live' AND recoverable_until > ? {wanted}"
    found = connection.rows(sql, parameters)[0][0]
    return None if found is None else int(found)


def _stored(memory: Memory, text_hash: str) -> dict[str, Any]:
    """What is kept of it, by column."""
    row = {name: getattr(memory, name) for name in _OWN}
    tags, derived_from = json.dumps(memory.tags, ensure_ascii=False), json.dumps(memory.derived_from)
    return row | {"tags": tags, "derived_from": derived_from, "inherits": int(memory.inherits), "text_hash": text_hash}


def _memory(row: Row) -> Memory:
    values = list(row)
    values[_TAGS] = tuple(json.loads(values[_TAGS]))
    values[_DERIVED_FROM] = tuple(json.loads(values[_DERIVED_FROM]))
    values[_INHERITS] = bool(values[_INHERITS])
    return Memory(*values)
