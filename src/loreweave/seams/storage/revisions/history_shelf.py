"""The shelf of earlier revisions: what each of them changed, and the texts that it left behind.

Written in the transaction that publishes a revision. Bounded: the oldest go first, and a revision whose files went
has none kept before it, so that whatever is told of a text has all that came after it.
"""

from collections.abc import Iterator
from typing import NamedTuple

from loreweave.seams.storage.store import Connection, one_row

KEPT_REVISIONS = 100  # of a graph
KEPT_BYTES = 16 * 1024 * 1024  # of the texts of a graph, as they are stored
ROW_BYTES = 100  # what a file costs beside its text and its path


class TurnedFile(NamedTuple):
    """A file that a revision added, changed or removed."""

    note_key: int  # of the text that begins with the revision; of one that was removed, of that which ended
    path: str
    node_id: str | None
    name: str | None


class Turned(NamedTuple):
    added: list[TurnedFile]
    changed: list[tuple[TurnedFile, int]]  # beside each the note key of the text that ended
    removed: list[TurnedFile]


def turned_over(connection: Connection, graph_key: int, revision: int) -> Turned:
    """What the revision that was written last changed against the one before it. A file is known by its path; a note
    that only changed its id has not changed."""
    sql = (
        "SELECT note_key, path, node_id, name, content_hash, first_revision = ? FROM notes "
        "WHERE graph_key = ? AND (first_revision = ? OR last_revision = ?)"
    )
    begun: dict[str, tuple[TurnedFile, str]] = {}
    ended: dict[str, tuple[TurnedFile, str]] = {}
    for *file, content_hash, begins in connection.stream(sql, (revision, graph_key, revision, revision - 1)):
        (begun if begins else ended)[file[1]] = TurnedFile(*file), content_hash
    same = begun.keys() & ended.keys()
    return Turned(
        added=[file for path, (file, _) in begun.items() if path not in ended],
        changed=[(begun[path][0], ended[path][0].note_key) for path in same if begun[path][1] != ended[path][1]],
        removed=[file for path, (file, _) in ended.items() if path not in begun],
    )


def count_files(connection: Connection, graph_key: int, revision: int) -> int:
    """All files of a revision, nodes or not."""
    live = "graph_key = ? AND first_revision <= ? AND (last_revision IS NULL OR last_revision >= ?)"
    found = one_row(connection, f"SELECT count(*) FROM notes WHERE {live}", (graph_key, revision, revision))
    return int(found[0]) if found else 0


def keep_revision(connection: Connection, graph_key: int, revision: int, made_at: str | None) -> None:
    """What the revision that is published now changes, with the texts that end with the one before it."""
    turned = turned_over(connection, graph_key, revision)
    added, changed, removed = len(turned.added), len(turned.changed), len(turned.removed)
    unchanged = count_files(connection, graph_key, revision) - added - changed
    is_first = changed + removed + unchanged == 0  # names all its files as new: nobody needs a list of them
    if not is_first:
        _keep_files(connection, graph_key, revision, turned)
    connection.execute(
        "INSERT INTO graph_revisions (graph_key, revision, made_at, added, changed, removed, unchanged, kept_bytes) "
        "SELECT ?, ?, ?, ?, ?, ?, ?, coalesce(sum(coalesce(length(source), 0) + length(path) + ?), 0) "
        "FROM revision_files WHERE graph_key = ? AND revision = ?",
        (graph_key, revision, made_at or "", added, changed, removed, unchanged, ROW_BYTES, graph_key, revision),
    )
    _forget_oldest(connection, graph_key)


def _keep_files(connection: Connection, graph_key: int, revision: int, turned: Turned) -> None:
    columns = ("graph_key", "revision", "note_key", "path", "change", "node_id", "name")
    rows = ((graph_key, revision, file.note_key, file.path, "added", *file[2:]) for file in turned.added)
    connection.insert_many("revision_files", columns, rows)
    ended = [("changed", file, before) for file, before in turned.changed]
    ended += [("removed", file, file.note_key) for file in turned.removed]
    connection.execute_many(
        f"INSERT INTO revision_files ({', '.join(columns)}, source) "
        "SELECT n.graph_key, ?, n.note_key, n.path, ?, ?, ?, t.source FROM notes n LEFT JOIN note_texts t "
        "ON t.graph_key = n.graph_key AND t.note_key = n.note_key AND t.version = n.version "
        "WHERE n.graph_key = ? AND n.note_key = ? AND n.last_revision = ?",
        [(revision, what, file.node_id, file.name, graph_key, key, revision - 1) for what, file, key in ended],
    )


def _forget_oldest(connection: Connection, graph_key: int) -> None:
    sql = "SELECT revision, kept_bytes FROM graph_revisions WHERE graph_key = ? ORDER BY revision DESC"
    total = 0
    for place, (revision, kept_bytes) in enumerate(connection.rows(sql, (graph_key,))):
        total += kept_bytes or 0
        if total > KEPT_BYTES and kept_bytes is not None:
            connection.execute(
                "UPDATE graph_revisions SET kept_bytes = NULL WHERE graph_key = ? AND revision = ?",
                (graph_key, revision),
            )
        if total > KEPT_BYTES or place >= KEPT_REVISIONS:
            connection.execute("DELETE FROM revision_files WHERE graph_key = ? AND revision = ?", (graph_key, revision))
        if place >= KEPT_REVISIONS:
            sql = "DELETE FROM graph_revisions WHERE graph_key = ? AND revision = ?"
            connection.execute(sql, (graph_key, revision))


def revisions(connection: Connection, graph_key: int) -> list[tuple]:
    """(revision, made_at, added, changed, removed, unchanged, kept_bytes), newest first."""
    sql = (
        "SELECT revision, made_at, added, changed, removed, unchanged, kept_bytes FROM graph_revisions "
        "WHERE graph_key = ? ORDER BY revision DESC"
    )
    return connection.rows(sql, (graph_key,))


def revision_files(connection: Connection, graph_key: int, revision: int) -> Iterator[tuple]:
    """(change, path, node_id, name) of every file that a revision changed."""
    sql = "SELECT change, path, node_id, name FROM revision_files WHERE graph_key = ? AND revision = ?"
    return connection.stream(sql, (graph_key, revision))


def former_text(connection: Connection, graph_key: int, revision: int, path: str) -> tuple | None:
    """(change, source) of a file that a revision changed; source is what stood there before it."""
    sql = "SELECT change, source FROM revision_files WHERE graph_key = ? AND revision = ? AND path = ?"
    return one_row(connection, sql, (graph_key, revision, path))


def next_text(connection: Connection, graph_key: int, revision: int, path: str) -> tuple | None:
    """(source,) of the text that a file had after a revision, if another revision has changed it since."""
    sql = (
        "SELECT source FROM revision_files WHERE graph_key = ? AND revision > ? AND path = ? AND change <> 'added' "
        "ORDER BY revision LIMIT 1"
    )
    return one_row(connection, sql, (graph_key, revision, path))


def present_text(connection: Connection, graph_key: int, revision: int, path: str) -> tuple | None:
    """(source,) of a file as readers see it."""
    sql = (
        "SELECT t.source FROM notes n JOIN note_texts t ON t.graph_key = n.graph_key AND t.note_key = n.note_key "
        "AND t.version = n.version WHERE n.graph_key = ? AND n.path = ? AND n.first_revision <= ? "
        "AND (n.last_revision IS NULL OR n.last_revision >= ?)"
    )
    return one_row(connection, sql, (graph_key, path, revision, revision))
