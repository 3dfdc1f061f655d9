"""Relations between memories, by the ids they were given between."""

from collections.abc import Iterable

from loreweave.entities.memory import SUPERSEDES, Relation
from loreweave.seams.storage.store import Connection, Row

_COLUMNS = "source_id, target_id, type, weight, settled"
_AT_ONCE = 400


def relations_of(connection: Connection, node_ids: Iterable[str]) -> list[Relation]:
    """Every relation that names one of these ids, in order."""
    found: set[Relation] = set()
    ids = list(dict.fromkeys(node_ids))
    for start in range(0, len(ids), _AT_ONCE):
        some = ids[start : start + _AT_ONCE]
        marks = ",".join("?" * len(some))
        for end in ("source_id", "target_id"):
            rows = connection.rows(f"SELECT {_COLUMNS} FROM memory_relations WHERE {end} IN ({marks})", some)
            found.update(map(_relation, rows))
    return sorted(found, key=lambda relation: (relation.source_id, relation.target_id, relation.type))


def put_relations(connection: Connection, relations: Iterable[Relation]) -> None:
    """Adds, or replaces one of the same ends and type."""
    connection.execute_many(
        "INSERT INTO memory_relations (source_id, target_id, type, weight, settled) VALUES (?, ?, ?, ?, ?) "
        "ON CONFLICT (source_id, target_id, type) DO UPDATE SET weight = excluded.weight, settled = excluded.settled",
        [(each.source_id, each.target_id, each.type, each.weight, int(each.settled)) for each in relations],
    )


def delete_relations(connection: Connection, relations: Iterable[Relation]) -> None:
    connection.execute_many(
        "DELETE FROM memory_relations WHERE source_id = ? AND target_id = ? AND type = ?",
        [(each.source_id, each.target_id, each.type) for each in relations],
    )


def superseding(connection: Connection) -> list[Relation]:
    """Every relation by which one memory supersedes another."""
    rows = connection.rows(f"SELECT {_COLUMNS} FROM memory_relations WHERE type = '{SUPERSEDES}'")
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
