"""What the curation inbox is read from: pairs of near texts, and tasks that somebody dismissed."""

from collections.abc import Iterable, Sequence

from loreweave.entities.memory import Dismissal, Pair
from loreweave.seams.storage.store import Connection, one_row


def put_pairs(connection: Connection, pairs: Iterable[Pair]) -> None:
    connection.execute_many(
        "INSERT INTO memory_pairs (first_id, second_id, similarity) VALUES (?, ?, ?) "
        "ON CONFLICT (first_id, second_id) DO UPDATE SET similarity = excluded.similarity",
        [(pair.first_id, pair.second_id, pair.similarity) for pair in pairs],
    )


def delete_pairs(connection: Connection, node_id: str) -> None:
    connection.execute("DELETE FROM memory_pairs WHERE first_id = ?", (node_id,))
    connection.execute("DELETE FROM memory_pairs WHERE second_id = ?", (node_id,))


def put_dismissals(connection: Connection, dismissals: Iterable[Dismissal]) -> None:
    """One that is there already stays as it is."""
    connection.execute_many(
        "INSERT INTO memory_dismissals (task_id, first_id, second_id, reason, at) VALUES (?, ?, ?, ?, ?) "
        "ON CONFLICT (task_id) DO NOTHING",
        [(each.task_id, each.first_id, each.second_id, each.reason, each.at) for each in dismissals],
    )


def is_dismissed(connection: Connection, task_id: str) -> bool:
    return one_row(connection, "SELECT 1 FROM memory_dismissals WHERE task_id = ?", (task_id,)) is not None


def delete_dismissals(connection: Connection, node_id: str) -> None:
    connection.execute("DELETE FROM memory_dismissals WHERE first_id = ?", (node_id,))
    connection.execute("DELETE FROM memory_dismissals WHERE second_id = ?", (node_id,))


def searched_pairs(connection: Connection) -> list[Pair]:
    """Every pair but those of merged memories, which are found anew only when their merge is undone."""
    merged = "SELECT node_id FROM memories WHERE recoverable_until IS NOT NULL AND state = 'merged'"
    rows = connection.rows(
        "SELECT first_id, second_id, similarity FROM memory_pairs "
        f"WHERE first_id NOT IN ({merged}) AND second_id NOT IN ({merged})"
    )
    return [Pair(*row) for row in rows]


def pairs_among(connection: Connection, node_ids: Sequence[str]) -> list[Pair]:
    """Every pair of which both are among these."""
    marks = ",".join("?" * len(node_ids))
    sql = (
        "SELECT first_id, second_id, similarity FROM memory_pairs "
        f"WHERE first_id IN ({marks}) AND second_id IN ({marks})"
    )
    return [Pair(*row) for row in connection.rows(sql, (*node_ids, *node_ids))] if node_ids else []


def delete_pairs_exactly(connection: Connection, pairs: Iterable[Pair]) -> None:
    connection.execute_many(
        "DELETE FROM memory_pairs WHERE first_id = ? AND second_id = ?",
        [(pair.first_id, pair.second_id) for pair in pairs],
    )
