"""A library is one file when it must be: written while it is used, and brought back on either database."""

import os
import signal
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from tests import forked
from tests.faces.served import LORE
from tests.pace import PATIENCE

from loreweave.application import Application, open_application
from loreweave.contracts.ask import AskRequest
from loreweave.contracts.memory_requests import ForgetRequest, GetRequest, MemorySearchRequest, StoreRequest
from loreweave.contracts.skill_graph import ScanRequest
from loreweave.errors import Conflict, Damaged, InvalidInput, NotFound
from loreweave.faces.cli.upkeep_commands import run_checks
from loreweave.seams.storage.backup import opened_backup
from loreweave.settings import Settings

COUNTS = {"graphs": 1, "memories": 1, "sessions": 0, "workspaces": 0}


def _lay(folder: Path, word: str) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "one.md").write_text(f"# One\r\n\r\nAbout {word}. See [[two]].\r\n", encoding="utf-8")
    (folder / "two.md").write_text(f"\ufeff# Two\n\nMore of {word}.\n", encoding="utf-8")
    return folder


def _fill(application: Application, notes: Path, word: str) -> str:
    application.graphs.ingest_folder(_lay(notes, word), name="notes")
    return application.memory.store(StoreRequest(name=word, content=f"The {word} is blue."), "tester").node_id


def _seen(application: Application, word: str) -> tuple[int, int, int]:
    """How many notes, sections and memories say this word."""
    return (
        application.retrieval.scan(ScanRequest(graphId="notes", query="one")).total,
        len(application.asking.search(AskRequest(query=word), "notes").results),
        sum(not each.weak for each in application.memory.search(MemorySearchRequest(query=word), "tester").results),
    )


@pytest.fixture
def library(settings: Settings, tmp_path: Path) -> Iterator[Application]:
    opened = open_application(settings)
    _fill(opened, tmp_path / "notes", "heron")
    yield opened
    opened.close()


@pytest.mark.holds("house.storage.backup")
def test_a_running_server_shows_what_another_process_brought_back(
    library: Application, settings: Settings, tmp_path: Path
) -> None:
    """Everything that was read before the backup is still held in memory by the one that goes on serving."""
    old_id = library.memory.search(MemorySearchRequest(query="heron"), "tester").results[0].node_id
    assert library.library.backup(tmp_path / "kept.db") == COUNTS
    new_id = _fill(library, tmp_path / "notes", "ostrich")
    library.memory.forget(ForgetRequest(node_id=old_id), "tester")
    assert _seen(library, "ostrich") == (1, 2, 1)
    other = open_application(settings)
    with pytest.raises(Conflict, match=r"The library holds 1 graph, 1 memory: --replace"):
        other.library.restore(tmp_path / "kept.db", replace=False)
    assert other.library.restore(tmp_path / "kept.db", replace=True) == {
        "graphs": 1,
        "memories": 1,
        "sessions": 0,
        "workspaces": 0,
    }
    other.close()
    assert _seen(library, "heron") == (1, 2, 1)
    assert library.asking.search(AskRequest(query="ostrich"), "notes").results == []
    assert library.memory.get(GetRequest(node_id=old_id), "tester").content == "The heron is blue."
    with pytest.raises((NotFound, Conflict)):
        library.memory.get(GetRequest(node_id=new_id), "tester")
    _fill(library, tmp_path / "notes", "plover")  # and it goes on from there
    assert _seen(library, "plover") == (1, 2, 1)


@pytest.mark.holds("house.storage.backup")
def test_a_backup_of_one_database_is_brought_back_on_the_other(
    library: Application, settings: Settings, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    user = library.access.create_token("ann").secret
    library.library.backup(tmp_path / "kept.db")
    elsewhere = "" if settings.database_url else request.getfixturevalue("postgres_database")
    other = open_application(Settings(data_dir=tmp_path / "other", database_url=elsewhere))
    other.library.restore(tmp_path / "kept.db", replace=False)
    assert _seen(other, "heron") == (1, 2, 1)
    assert other.access.token_of(user).user == "ann"
    assert other.library.faults() == []
    _fill(other, tmp_path / "notes", "plover")
    assert _seen(other, "plover") == (1, 2, 1)
    other.close()


@pytest.mark.holds("house.storage.backup")
def test_a_token_that_was_revoked_since_stays_revoked(library: Application, tmp_path: Path) -> None:
    token = library.access.create_token("ann")
    library.library.backup(tmp_path / "kept.db")
    library.access.revoke(token.id)
    library.library.restore(tmp_path / "kept.db", replace=True)
    assert library.access.token_of(token.secret) is None


@pytest.mark.holds("house.storage.backup")
def test_a_restore_killed_in_its_midst_leaves_the_old_library_whole(settings: Settings, tmp_path: Path) -> None:
    application = open_application(settings)
    _fill(application, tmp_path / "notes", "heron")
    application.library.backup(tmp_path / "kept.db")
    _fill(application, tmp_path / "notes", "ostrich")
    application.close()
    environment = {**os.environ, "LORE_FAILPOINT": "restore.replaced", "LORE_DATABASE_URL": settings.database_url}
    command = [*LORE, "restore", tmp_path / "kept.db", "--replace", "--data", settings.data_dir]
    killed = forked.run(command, env=environment, capture_output=True, timeout=PATIENCE)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    again = open_application(settings)
    assert _seen(again, "ostrich") == (1, 2, 1)
    assert again.library.faults() == []
    again.close()


@pytest.mark.holds("house.storage.backup-leftovers")
def test_the_next_one_takes_away_what_a_killed_one_left_and_nothing_of_who_still_works(
    settings: Settings, tmp_path: Path
) -> None:
    """What is left holds every text of a library, those that are erased meanwhile too."""
    application = open_application(settings)
    _fill(application, tmp_path / "notes", "heron")
    application.library.backup(tmp_path / "kept.db")
    environment = {**os.environ, "LORE_FAILPOINT": "restore.replaced", "LORE_DATABASE_URL": settings.database_url}
    command = [*LORE, "restore", tmp_path / "kept.db", "--replace", "--data", settings.data_dir]
    forked.run(command, env=environment, capture_output=True, timeout=PATIENCE)
    [left] = settings.data_dir.glob(".lore-backup-*")
    with opened_backup(tmp_path / "kept.db", settings.data_dir):
        [mine] = settings.data_dir.glob(".lore-backup-*")
        assert mine != left
        application.library.restore(tmp_path / "kept.db", replace=True)
        assert list(settings.data_dir.glob(".lore-backup-*")) == [mine]
    assert list(settings.data_dir.glob(".lore-backup-*")) == []
    application.close()


# As SQLite reads it a text; as PostgreSQL does, the end of a list of columns and a program to be started.
_PROGRAM = """/* /* */ " /* */ */ graph_key) FROM PROGRAM 'touch {mark}; echo' --\""""


@pytest.mark.holds("house.storage.strange-backup")
@pytest.mark.parametrize(
    "sql",
    [
        "DROP TABLE graph_names; CREATE TABLE graph_names ({column} TEXT, name TEXT)",
        "CREATE TABLE other (a)",
        'CREATE TABLE "tokens WHERE 0; --" (a)',
        "CREATE VIEW other AS SELECT 1",
        "CREATE TRIGGER other AFTER UPDATE ON sessions BEGIN DELETE FROM tokens; END",
    ],
)
def test_a_backup_of_another_shape_is_refused_before_its_names_reach_a_database(
    library: Application, tmp_path: Path, sql: str
) -> None:
    library.library.backup(tmp_path / "kept.db")
    (tmp_path / "place").mkdir(mode=0o777)
    (tmp_path / "place").chmod(0o777)
    mark = tmp_path / "place" / "mark"
    column = '"' + _PROGRAM.format(mark=mark).replace('"', '""') + '"'
    with closing(sqlite3.connect(tmp_path / "kept.db")) as raw:
        raw.executescript(sql.format(column=column))
    with pytest.raises(InvalidInput, match=r"kept\.db is no backup of a library") as told:
        library.library.restore(tmp_path / "kept.db", replace=True)
    assert told.value.facts["field"] == "file"
    assert not mark.exists()
    assert _seen(library, "heron") == (1, 2, 1)


@pytest.mark.holds("house.storage.backup")
def test_a_backup_overwrites_nothing_and_a_stranger_file_is_refused(
    sqlite_application: Application, tmp_path: Path
) -> None:
    _fill(sqlite_application, tmp_path / "notes", "heron")
    library = sqlite_application.library
    library.backup(tmp_path / "kept.db")
    kept = (tmp_path / "kept.db").read_bytes()
    assert (tmp_path / "kept.db").stat().st_mode & 0o777 == 0o600
    with pytest.raises(Conflict, match=r"kept\.db is there already"):
        library.backup(tmp_path / "kept.db")
    (tmp_path / "text").write_text("no backup", encoding="utf-8")
    with pytest.raises(InvalidInput, match="no backup of a library"):
        library.restore(tmp_path / "text", replace=True)
    with pytest.raises(NotFound, match="no such file"):
        library.restore(tmp_path / "nowhere", replace=True)
    (tmp_path / "torn").write_bytes(kept[: len(kept) // 2])
    with pytest.raises(Damaged):
        library.restore(tmp_path / "torn", replace=True)
    assert _seen(sqlite_application, "heron") == (1, 2, 1)
    assert (tmp_path / "kept.db").read_bytes() == kept
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".lore")] == []


@pytest.mark.holds("house.storage.backup-over-damage")
@pytest.mark.parametrize("first_torn", [0, 4096 * 2])
def test_a_backup_is_brought_back_over_a_damaged_library(tmp_path: Path, first_torn: int) -> None:
    """The damaged file stays beside it; where the backup turns out to be torn, it stays in its place."""
    data = tmp_path / "data"
    application = open_application(Settings(data_dir=data))
    _fill(application, tmp_path / "notes", "heron")
    application.library.backup(tmp_path / "kept.db")
    application.close()
    content = bytearray((data / "lore.db").read_bytes())
    for place in range(first_torn, len(content), 4096):
        content[place : place + 4000] = b"\xde\xad\xbe\xef" * 1000
    (data / "lore.db").write_bytes(content)
    kept = (tmp_path / "kept.db").read_bytes()
    (tmp_path / "torn.db").write_bytes(kept[: len(kept) // 2])

    def restore(*arguments: str) -> tuple[int, str]:
        command = [*LORE, "restore", *arguments, "--data", str(data)]
        done = forked.run(command, capture_output=True, text=True, timeout=PATIENCE)
        return done.returncode, done.stderr

    for refused in ([str(tmp_path / "kept.db")], [str(tmp_path / "torn.db"), "--replace"]):
        code, said = restore(*refused)
        assert (code, (data / "lore.db").read_bytes()) == (1, content), said
        assert "lore restore FILE --replace" in said
    code, said = restore(str(tmp_path / "kept.db"), "--replace")
    assert code == 0, said
    assert f"{data / 'lore.db.damaged-1'} now" in said
    assert (data / "lore.db.damaged-1").read_bytes() == content
    again = open_application(Settings(data_dir=data))
    assert _seen(again, "heron") == (1, 2, 1)
    assert again.library.faults() == []
    again.close()


@pytest.mark.holds("house.storage.deep-look")
def test_a_deep_look_names_the_text_that_was_spoilt(library: Application, settings: Settings) -> None:
    assert library.library.faults() == []
    node_id = library.memory.search(MemorySearchRequest(query="heron"), "tester").results[0].node_id
    with library.store.write() as connection:
        source = connection.rows("SELECT source FROM note_texts")[0][0]
        connection.execute("UPDATE note_texts SET source = ? WHERE note_key = 1", (bytes(source)[:-1] + b"\x00",))
        connection.execute("UPDATE memories SET content = 'The heron is grey.'")
    assert library.library.faults() == ["the note one.md of the graph notes", f"the memory {node_id}"]
    shallow, deep = ({check.name: check for check in run_checks(settings, look)}["database"] for look in (False, True))
    assert shallow.ok
    assert not deep.ok
    assert "The database is damaged: the note one.md of the graph notes; the memory" in deep.detail
    assert "lore restore" in deep.detail
