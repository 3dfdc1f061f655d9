"""The curation inbox: which tasks there are now, read in their order and counted.

The strongest of a type come first. What is dismissed is left out; a task is named by its type and its memories.
"""

from collections.abc import Iterable, Sequence
from dataclasses import astuple

from loreweave.entities.stored_memory import Dismissal, Pair
from loreweave.seams.storage.store import Connection, Row, insertion, one_row, replacement, rows_among

STALE, EXPIRING = "stale", "expiring_soon"
_PAIR = "first_id, second_id, similarity"
_DISMISSAL = "task_id, first_id, second_id, reason, at"
_LIVE_PAIRS = (
    "FROM memory_pairs CROSS JOIN memories one CROSS JOIN memories two "
    "WHERE one.node_id = first_id AND two.node_id = second_id AND one.state = 'live' AND two.state = 'live' "
    "AND one.scope = two.scope"
)
_STALE = "FROM memories WHERE state = 'live' AND importance < 0.2 AND coalesce(last_accessed_at, created_at) <= ?"
_EXPIRING = (
    "FROM memories WHERE recoverable_until > ? AND recoverable_until < ? AND state = 'deleted' AND importance >= 0.5"
)
_PAIR_TASK = "'potential_merge:' || memory_pairs.first_id || '+' || memory_pairs.second_id"
_STALE_TASK = f"'{STALE}:' || memories.node_id"
_EXPIRING_TASK = f"'{EXPIRING}:' || memories.node_id"


def live_pairs(connection: Connection, scope: str | None) -> list[Pair]:
    """Pairs that nobody dismissed, the most alike first."""
    wanted, parameters = _of_scope("one.scope", scope)
    rows = connection.rows(
        f"SELECT {_PAIR} {_LIVE_PAIRS} {wanted} AND {_not_dismissed(_PAIR_TASK)} "
        "ORDER BY similarity DESC, first_id, second_id",
        parameters,
    )
    return [Pair(*row) for row in rows]


def stale_ids(connection: Connection, before: int, scope: str | None, limit: int) -> list[str]:
    """Faint memories that nobody has read since then, the longest untouched first."""
    wanted, parameters = _of_scope("scope", scope)
    rows = connection.rows(
        f"SELECT node_id {_STALE} {wanted} AND {_not_dismissed(_STALE_TASK)} "
        "ORDER BY coalesce(last_accessed_at, created_at), node_id LIMIT ?",
        (before, *parameters, limit),
    )
    return [row[0] for row in rows]


def count_stale(connection: Connection, before: int, scope: str | None) -> int:
    wanted, parameters = _of_scope("scope", scope)
    count = connection.rows(f"SELECT count(*) {_STALE} {wanted}", (before, *parameters))[0][0]
    sql = f"SELECT count(*) {_STALE} {wanted} AND {_dismissed_among(STALE)}"  # dismissals are few, memories many
    return int(count - connection.rows(sql, (before, *parameters))[0][0])


def is_stale(connection: Connection, before: int, node_id: str) -> bool:
    return one_row(connection, f"SELECT 1 {_STALE} AND node_id = ?", (before, node_id)) is not None


def expiring_ids(connection: Connection, now: int, until: int, scope: str | None, limit: int) -> list[str]:
    """Weighty memories of the trash whose window ends before then, the next to go first."""
    wanted, parameters = _of_scope("scope", scope)
    rows = connection.rows(
        f"SELECT node_id {_EXPIRING} {wanted} AND {_not_dismissed(_EXPIRING_TASK)} "
        "ORDER BY recoverable_until, node_id LIMIT ?",
        (now, until, *parameters, limit),
    )
    return [row[0] for row in rows]


def count_expiring(connection: Connection, now: int, until: int, scope: str | None) -> int:
    wanted, parameters = _of_scope("scope", scope)
    count = connection.rows(f"SELECT count(*) {_EXPIRING} {wanted}", (now, until, *parameters))[0][0]
    sql = f"SELECT count(*) {_EXPIRING} {wanted} AND {_dismissed_among(EXPIRING)}"
    return int(count - connection.rows(sql, (now, until, *parameters))[0][0])


def is_expiring(connection: Connection, now: int, until: int, node_id: str) -> bool:
    return one_row(connection, f"SELECT 1 {_EXPIRING} AND node_id = ?", (now, until, node_id)) is not None


def contradictions(connection: Connection, scope: str | None) -> list[Row]:
    """(source, target, weight, whether both are live and speak for themselves alone) of every one written."""
    wanted, parameters = _of_scope("one.scope", scope)
    return connection.rows(
        "SELECT source_id, target_id, weight, "
        "one.state = 'live' AND two.state = 'live' AND one.inherits = 0 AND two.inherits = 0 FROM memory_relations "
        "JOIN memories one ON one.node_id = source_id JOIN memories two ON two.node_id = target_id "
        f"WHERE type = 'contradicts' {wanted}",
        parameters,
    )


def count_open_merges(connection: Connection, now: int, scope: str | None) -> int:
    """Merges that can be undone: at least one of their sources is still there."""
    wanted, parameters = _of_scope("scope", scope)
    sql = (
        "SELECT count(*) FROM memory_merges WHERE state = 'open' AND reversible_until > ? AND EXISTS "
        f"(SELECT 1 FROM memories WHERE merged_into = memory_merges.merged_id {wanted})"
    )
    return int(connection.rows(sql, (now, *parameters))[0][0])


def expired_keys(connection: Connection, now: int) -> list[int]:
    """Memories that count as erased though no sweep has met them yet."""
    rows = connection.rows("SELECT memory_key FROM memories WHERE recoverable_until <= ?", (now,))
    return [int(row[0]) for row in rows]


def dismissed_ids(connection: Connection, task_type: str) -> set[str]:
    """The ids of dismissed tasks of this type."""
    first, last = f"{task_type}:", f"{task_type};"  # the character behind the colon
    rows = connection.rows("SELECT task_id FROM memory_dismissals WHERE task_id > ? AND task_id < ?", (first, last))
    return {row[0] for row in rows}


def _of_scope(column: str, scope: str | None) -> tuple[str, tuple[str, ...]]:
    """Not the bare column: a planner would read all memories of the scope by an index meant for their texts."""
    return ("", ()) if scope is None else (f"AND {column} || '' = ?", (scope,))


def _not_dismissed(task: str) -> str:
    return f"NOT EXISTS (SELECT 1 FROM memory_dismissals WHERE task_id = {task})"


def _dismissed_among(task_type: str) -> str:
    return (
        "node_id IN (SELECT first_id FROM memory_dismissals "
        f"WHERE task_id > '{task_type}:' AND task_id < '{task_type};')"
    )


def put_pairs(connection: Connection, pairs: Iterable[Pair]) -> None:
    connection.execute_many(replacement("memory_pairs", _PAIR, "first_id, second_id"), map(astuple, pairs))


def delete_pairs(connection: Connection, node_id: str) -> None:
    connection.execute("DELETE FROM memory_pairs WHERE first_id = ?", (node_id,))
    connection.execute("DELETE FROM memory_pairs WHERE second_id = ?", (node_id,))


def put_dismissals(connection: Connection, dismissals: Iterable[Dismissal]) -> None:
    """One that is there already stays as it is."""
    sql = insertion("memory_dismissals", _DISMISSAL, "ON CONFLICT (task_id) DO NOTHING")
    connection.execute_many(sql, map(astuple, dismissals))


def is_dismissed(connection: Connection, task_id: str) -> bool:
    return one_row(connection, "SELECT 1 FROM memory_dismissals WHERE task_id = ?", (task_id,)) is not None


def newest_dismissals(connection: Connection, limit: int) -> list[Dismissal]:
    sql = f"SELECT {_DISMISSAL} FROM memory_dismissals ORDER BY at DESC, task_id LIMIT ?"
    rows = connection.rows(sql, (limit,))
    return [Dismissal(*row) for row in rows]


def withdraw_dismissals(connection: Connection, task_ids: Iterable[str]) -> None:
    connection.execute_many("DELETE FROM memory_dismissals WHERE task_id = ?", [(each,) for each in task_ids])


def delete_dismissals(connection: Connection, node_id: str) -> None:
    connection.execute("DELETE FROM memory_dismissals WHERE first_id = ?", (node_id,))
    connection.execute("DELETE FROM memory_dismissals WHERE second_id = ?", (node_id,))


def searched_pairs(connection: Connection) -> list[Pair]:
    """Every pair but those of merged memories, which are found anew only when their merge is undone."""
    merged = "SELECT node_id FROM memories WHERE recoverable_until IS NOT NULL AND state = 'merged'"
    rows = connection.rows(
        f"SELECT {_PAIR} FROM memory_pairs WHERE first_id NOT IN ({merged}) AND second_id NOT IN ({merged})"
    )
    return [Pair(*row) for row in rows]


def pairs_among(connection: Connection, node_ids: Sequence[str]) -> list[Pair]:
    """Every pair of which both are among these."""
    known = set(node_ids)
    sql = f"SELECT {_PAIR} FROM memory_pairs WHERE first_id IN"
    return [pair for pair in (Pair(*row) for row in rows_among(connection, sql, node_ids)) if pair.second_id in known]


def delete_pairs_exactly(connection: Connection, pairs: Iterable[Pair]) -> None:
    connection.execute_many(
        "DELETE FROM memory_pairs WHERE first_id = ? AND second_id = ?",
        [(pair.first_id, pair.second_id) for pair in pairs],
    )
