"""Merges: what undo needs to know of them."""

import json

from loreweave.entities.memory import OPEN, MergeRow
from loreweave.seams.storage.store import Connection, Row, one_row

_COLUMNS = (
    "reversal_hash, merged_id, source_ids, target_name, rationale, strategy, merged_at, reversible_until, "
    "fingerprint, importance, state"
)


def insert_merge(connection: Connection, merge: MergeRow) -> None:
    connection.execute(
        f"INSERT INTO memory_merges ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (merge.reversal_hash, merge.merged_id, json.dumps(merge.source_ids), merge.target_name, merge.rationale,
         merge.strategy, merge.merged_at, merge.reversible_until, merge.fingerprint, merge.importance, merge.state),
    )  # fmt: skip


def find_merge(connection: Connection, reversal_hash: str) -> MergeRow | None:
    row = one_row(connection, f"SELECT {_COLUMNS} FROM memory_merges WHERE reversal_hash = ?", (reversal_hash,))
    return _merge(row) if row else None


def merge_into(connection: Connection, merged_id: str) -> MergeRow | None:
    """The merge that made a memory, whatever became of it."""
    row = one_row(connection, f"SELECT {_COLUMNS} FROM memory_merges WHERE merged_id = ?", (merged_id,))
    return _merge(row) if row else None


def hashes_beginning(connection: Connection, beginning: str, limit: int) -> list[tuple[str, str]]:
    """(reversal hash, name of what was made) of merges, whatever became of them."""
    sql = (
        "SELECT reversal_hash, coalesce(target_name, '') FROM memory_merges "
        f"WHERE substr(reversal_hash, 1, {len(beginning)}) = ? ORDER BY reversal_hash LIMIT ?"
    )
    return [(row[0], row[1]) for row in connection.rows(sql, (beginning, limit))]


def open_merges(connection: Connection, now: int) -> list[MergeRow]:
    """Merges that can be undone, newest first."""
    rows = connection.rows(
        f"SELECT {_COLUMNS} FROM memory_merges WHERE state = '{OPEN}' AND reversible_until > ? "
        "ORDER BY merged_at DESC, reversal_hash",
        (now,),
    )
    return [_merge(row) for row in rows]


def expired_merges(connection: Connection, now: int) -> list[MergeRow]:
    """Oldest first: what a later merge took in was made before it."""
    rows = connection.rows(
        f"SELECT {_COLUMNS} FROM memory_merges WHERE state = '{OPEN}' AND reversible_until <= ? "
        "ORDER BY merged_at, reversal_hash",
        (now,),
    )
    return [_merge(row) for row in rows]


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


def _merge(row: Row) -> MergeRow:
    reversal_hash, merged_id, source_ids, *rest = row
    return MergeRow(reversal_hash, merged_id, tuple(json.loads(source_ids)), *rest)
