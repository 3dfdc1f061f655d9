"""A library as one file: every table of the store in a SQLite file of the same shape, whatever database it was in."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from fcntl import LOCK_EX, LOCK_NB, flock
from itertools import count
from pathlib import Path

from loreweave.entities.graph_rows import WRITING
from loreweave.errors import Conflict, Damaged, InvalidInput, NotFound, Unavailable
from loreweave.language.strange_text import shown
from loreweave.private_folder import cannot_write
from loreweave.seams.storage.open_store import open_store
from loreweave.seams.storage.store import Connection, Row, Store
from loreweave.settings import sqlite_file

_MAGIC = b"SQLite format 3\0"
# Who is alive and who ingested when belongs to a moment; segments are made anew of what they were made of.
_LEFT_OUT = {"schema_steps", "session_executors", "ingest_attempts", "memory_segments", "workspace_files"}
_FILE_COLUMNS = ("path", "mode", "content", "digest")  # in a backup alone, in the order in which they are put back
_WORKSPACES = (
    "SELECT count(*) FROM workspace_files WHERE content IS NULL AND instr(path, x'2f') = 0 AND path <> x'2e6c6f7265'"
)
_COUNTED = {
    "graphs": "graphs WHERE revision > 0 AND ingest_number >= 0",
    "memories": "memories WHERE state = 'live'",
    "sessions": "sessions",
}
_SERIALS = {"graphs": "graph_key", "memories": "memory_key", "memory_history": "history_key"}
_SHAPE = (
    "SELECT part.name, field.name FROM sqlite_master part, pragma_table_info(part.name) field WHERE part.type = 'table'"
)
_LIBRARY = "SELECT DISTINCT type FROM sqlite_master WHERE type IN ('view', 'trigger') OR name = 'schema_steps'"
_FOLDER = ".lore-backup-"


def write_backup(store: Store, file: Path, files: Iterable[Row]) -> dict[str, int]:
    """One snapshot, while others go on writing, and the files of workspaces; it is there whole or not at all."""
    if file.exists():
        raise Conflict(f"{file} is there already: a backup overwrites nothing", file=str(file))
    with _beside(file.absolute().parent, file) as place:
        with closing(open_store(place)) as copy, store.read() as source, copy.write() as target:
            for table, columns in _tables(target):
                target.execute(f"DELETE FROM {table}")
                rows = source.stream(f"SELECT {', '.join(columns)} FROM {table}")
                target.insert_many(table, columns, rows)
            target.execute(f"CREATE TABLE workspace_files ({', '.join(_FILE_COLUMNS)})")
            target.insert_many("workspace_files", _FILE_COLUMNS, files)
            counts = {**count_all(target), "workspaces": target.rows(_WORKSPACES)[0][0]}
        # The last to close it has put everything into the one file.
        _settle(place / "lore.db", file)
    return counts


def refuse_stranger(file: Path) -> None:
    """What is no backup, told by a look at the file alone; one that is torn is found out when it is read."""
    try:
        with file.open("rb") as stream:
            is_library = stream.read(len(_MAGIC)) == _MAGIC
    except OSError as trouble:
        raise NotFound(f"{file} cannot be read: {(trouble.strerror or '').lower()}", file=str(file)) from None
    if is_library:
        address = f"{file.absolute().as_uri()}?immutable=1"
        with suppress(sqlite3.Error), closing(sqlite3.connect(address, uri=True)) as raw:
            is_library = raw.execute(_LIBRARY).fetchall() == [("table",)]  # no view and no trigger
    if not is_library:
        raise InvalidInput(f"{file} is no backup of a library", field="file")


@contextmanager
def opened_backup(file: Path, folder: Path) -> Iterator[Store]:
    """A copy of the backup, in a folder of its own, brought up to date; the file itself is left as it is."""
    refuse_stranger(file)
    with _beside(folder) as place:
        shutil.copyfile(file, place / "lore.db")
        with closing(open_store(place)) as copy:
            _refuse_strange_shape(file, copy, place / "plain")
            yield copy


def _refuse_strange_shape(file: Path, copy: Store, place: Path) -> None:
    """Names of tables and columns become part of what the database is told: only those of a library may."""
    with closing(open_store(place)) as plain, plain.read() as ours, copy.read() as theirs:
        known = {*ours.rows(_SHAPE), *(("workspace_files", name) for name in _FILE_COLUMNS)}
        strange = set(theirs.rows(_SHAPE)) - known
    if strange:
        raise InvalidInput(f"{file} is no backup of a library: it holds {shown('.'.join(min(strange)))}", field="file")


def kept_files(connection: Connection) -> Iterator[Row]:
    """Those of workspaces; none in a backup of an older version."""
    if not connection.rows("SELECT 1 FROM sqlite_master WHERE name = 'workspace_files'"):
        return iter(())
    return connection.stream(f"SELECT {', '.join(_FILE_COLUMNS)} FROM workspace_files ORDER BY rowid")


def replace_all(store: Store, backup: Store, fail_at: Callable[[str], None]) -> None:
    """One transaction: whoever dies in its midst has changed nothing, and readers see the old library until its end.

    Graphs get keys that nobody has seen and a revision above all, memories a later revision: whatever other processes
    hold of the old library is out of date by that.
    """
    with backup.read() as source, store.write_alone("memory") as target:
        tables = list(_tables(source))
        if store.database == "postgresql":
            target.execute(f"LOCK TABLE {', '.join(name for name, _ in tables)} IN EXCLUSIVE MODE")
        offset = _last_key(store, target, "graphs")
        revision = 1 + max(_highest(side, "graphs", "highest_revision") for side in (source, target))
        change = 1 + max(_highest(side, "memory_counter", "revision") for side in (source, target))
        gone = set(target.rows("SELECT memory_key, node_id FROM memories"))
        for table, columns in tables:
            rows: Iterator[Row] = iter(source.stream(f"SELECT {', '.join(columns)} FROM {table}"))
            if table == "tokens":  # one that was revoked since stays so
                known = {row[0] for row in target.rows("SELECT id FROM tokens")}
                rows = (row for row in rows if row[0] not in known)
            else:
                target.execute(f"DELETE FROM {table}")
            if "graph_key" in columns:
                at = columns.index("graph_key")
                rows = ((*row[:at], row[at] + offset, *row[at + 1 :]) for row in rows)
            target.insert_many(table, columns, rows)
        fail_at("restore.replaced")
        target.execute("DELETE FROM memory_segments")
        target.execute("UPDATE graphs SET revision = ?, highest_revision = ? WHERE revision > 0", (revision, revision))
        target.execute("UPDATE memories SET revision = ?", (change,))
        target.execute("UPDATE memory_counter SET revision = ?", (change,))
        gone -= set(target.rows("SELECT memory_key, node_id FROM memories"))
        gone_keys = {row[0] for row in target.rows("SELECT memory_key FROM memory_erasures")}
        erased = [(key, node_id, change) for key, node_id in sorted(gone) if key not in gone_keys]
        target.insert_many("memory_erasures", ("memory_key", "node_id", "revision"), erased)
        if store.database == "postgresql":
            for table, column in _SERIALS.items():
                named = f"pg_get_serial_sequence('{table}', '{column}')"
                last = max(_last_key(store, target, table), _highest(target, table, column), 1)
                target.rows(f"SELECT setval({named}, ?)", (last,))


def count_all(connection: Connection) -> dict[str, int]:
    return {name: connection.rows(f"SELECT count(*) FROM {what}")[0][0] for name, what in _COUNTED.items()}


def integrity_faults(store: Store) -> list[str]:
    """What SQLite finds wrong with its file; PostgreSQL tells when a row is read."""
    if store.database != "sqlite":
        return []
    with store.read() as connection:
        found = [str(row[0]) for row in connection.rows("PRAGMA integrity_check(20)")]
    return [] if found == ["ok"] else found


@contextmanager
def damage_set_aside(data_dir: Path, database_url: str) -> Iterator[Path | None]:
    """A damaged file makes way for another, and keeps what can still be read; should none come, it comes back."""
    library = sqlite_file(data_dir, database_url)
    if library is None or not library.exists() or not _is_damaged(data_dir, database_url):
        yield None
        return
    aside = next(name for number in count(1) if not (name := Path(f"{library}.damaged-{number}")).exists())
    _move_database(library, aside)
    try:
        yield aside
    except BaseException:
        _move_database(aside, library)
        raise


def _is_damaged(data_dir: Path, database_url: str) -> bool:
    try:
        with closing(open_store(data_dir, database_url)) as store:
            return bool(integrity_faults(store))
    except Damaged:
        return True


def _move_database(file: Path, to: Path) -> None:
    """With what SQLite keeps beside it; what is there already gives way."""
    for ending in ("-shm", "-wal", ""):
        Path(f"{to}{ending}").unlink(missing_ok=True)
        with suppress(FileNotFoundError):
            Path(f"{file}{ending}").replace(f"{to}{ending}")


def being_written(connection: Connection) -> list[str]:
    """Graphs of which an ingest is under way, or was killed."""
    sql = "SELECT graph_id FROM graphs WHERE unfinished = ? ORDER BY graph_id"
    return [row[0] for row in connection.rows(sql, (WRITING,))]


def stored_notes(connection: Connection) -> Iterator[Row]:
    """Of every note that can be seen: graph, path, hash and size of its file, and the text as it is kept."""
    return connection.stream(
        "SELECT g.graph_id, n.path, n.content_hash, n.size, t.source FROM notes n "
        "JOIN graphs g ON g.graph_key = n.graph_key "
        "LEFT JOIN note_texts t ON t.graph_key = n.graph_key AND t.note_key = n.note_key AND t.version = n.version "
        "WHERE n.last_revision IS NULL AND g.revision > 0"
    )


def stored_memories(connection: Connection) -> Iterator[Row]:
    return connection.stream("SELECT node_id, content, text_hash FROM memories")


def _tables(connection: Connection) -> Iterator[tuple[str, list[str]]]:
    """Every table of a SQLite file that a backup holds, with its columns."""
    sql = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name"
    for (name,) in connection.rows(sql):
        if name not in _LEFT_OUT:
            yield name, [row[1] for row in connection.rows(f"PRAGMA table_info({name})")]


def _highest(connection: Connection, table: str, column: str) -> int:
    return int(connection.rows(f"SELECT coalesce(max({column}), 0) FROM {table}")[0][0])


def _last_key(store: Store, connection: Connection, table: str) -> int:
    """The last number that was ever given out, whether its row is still there or not."""
    if store.database == "sqlite":
        found = connection.rows("SELECT seq FROM sqlite_sequence WHERE name = ?", (table,))
    else:
        found = connection.rows(f"SELECT last_value FROM {table}_{_SERIALS[table]}_seq")
    return int(found[0][0]) if found else 0


@contextmanager
def _beside(folder: Path, file: Path | None = None) -> Iterator[Path]:
    """A folder for a while, where `file` is to be. Those go that killed processes left: they hold all that was kept."""
    try:
        for left in filter(Path.is_file, folder.glob(f"{_FOLDER}*/lock")):
            with suppress(OSError), left.open("rb") as lock:
                flock(lock, LOCK_EX | LOCK_NB)  # nobody works in it any more
                shutil.rmtree(left.parent, ignore_errors=True)
        place = Path(tempfile.mkdtemp(prefix=_FOLDER, dir=folder))  # 0700
        held = (place / "lock").open("wb")
    except OSError as trouble:
        why = trouble.strerror or type(trouble).__name__
        if file is not None:
            raise Unavailable(f"{file} cannot be written: {why.lower()}", file=str(file)) from None
        raise cannot_write(folder, why) from None
    try:
        with suppress(OSError):  # a file system without locks: nobody gets one there, so nothing is removed
            flock(held, LOCK_EX | LOCK_NB)
        with held:
            yield place
    finally:
        shutil.rmtree(place, ignore_errors=True)


def _settle(made: Path, file: Path) -> None:
    """Down to the disk, and under its name only if nobody took that meanwhile."""
    with made.open("rb") as written:
        os.fsync(written.fileno())
    try:
        os.link(made, file)
    except FileExistsError:
        raise Conflict(f"{file} is there already: a backup overwrites nothing", file=str(file)) from None
    except OSError:  # a file system without links
        os.replace(made, file)
