"""A database that was damaged says so, what to do, and nothing of what stands in it."""

import logging
from pathlib import Path

import psycopg
import pytest

from loreweave.application import open_application
from loreweave.contracts.memory_requests import StoreRequest
from loreweave.errors import Damaged, Unavailable, trace_of
from loreweave.faces.http.error_responses import unexpected_response
from loreweave.seams.storage.open_store import open_store
from loreweave.settings import Settings

SECRET = "the cellar key is under the third stone"


def _filled(data_dir: Path, database_url: str = "") -> None:
    application = open_application(Settings(data_dir=data_dir, database_url=database_url))
    for number in range(12):
        content = f"{SECRET} {number} " + "x" * 2000
        application.memory.store(StoreRequest(name=f"n{number}", content=content), "tester")
    application.close()


def _read_all(data_dir: Path) -> None:
    with open_store(data_dir).read() as connection:
        connection.rows("SELECT * FROM memories")


@pytest.mark.holds("house.storage.damage-is-told")
def test_a_file_with_a_torn_page_is_told_as_damage(tmp_path: Path) -> None:
    _filled(tmp_path)
    file = tmp_path / "lore.db"
    content = bytearray(file.read_bytes())
    for place in range(4096 * 4, len(content) - 4096, 4096):
        content[place : place + 100] = b"\xff" * 100
    file.write_bytes(content)
    with pytest.raises(Damaged, match=r"The database is damaged: .*lore doctor --deep.*lore restore") as told:
        _read_all(tmp_path)
    assert told.value.code == "damaged"
    assert "cellar" not in str(told.value) + trace_of(told.value)


@pytest.mark.holds("house.storage.damage-is-told")
def test_a_text_that_is_none_is_damage_and_is_not_quoted(tmp_path: Path) -> None:
    _filled(tmp_path)
    store = open_store(tmp_path)
    with store.write() as connection:
        connection.execute("UPDATE memories SET content = CAST(? AS TEXT)", (SECRET.encode() + b"\xff\xfe",))
    with pytest.raises(Damaged, match="a text is not readable") as told, store.read() as connection:
        connection.rows("SELECT content FROM memories")
    assert told.value.__cause__ is None
    assert told.value.__suppress_context__  # whose words are the row's
    store.close()


@pytest.mark.holds("house.storage.damage-is-told")
def test_a_file_that_is_no_database_is_told_as_damage(tmp_path: Path) -> None:
    (tmp_path / "lore.db").write_bytes(b"no database at all\n" * 1000)
    with pytest.raises(Damaged, match="file is not a database"):
        open_store(tmp_path)


@pytest.mark.holds("house.storage.damage-is-told")
def test_postgresql_without_a_table_is_damaged_and_quotes_no_row(tmp_path: Path, postgres_database: str) -> None:
    _filled(tmp_path, postgres_database)
    store = open_store(tmp_path, postgres_database)
    with psycopg.connect(postgres_database, autocommit=True) as other:
        other.execute("ALTER TABLE memories ADD CONSTRAINT never CHECK (length(content) < 3) NOT VALID")
        other.execute("DROP TABLE tokens")
    with pytest.raises(Damaged, match="UndefinedTable"), store.read() as connection:
        connection.rows("SELECT * FROM tokens")
    with pytest.raises(Damaged, match="CheckViolation") as told, store.write() as connection:
        connection.execute("UPDATE memories SET name = 'other'")
    assert "cellar" not in str(told.value)
    store.close()


@pytest.mark.holds("house.storage.damage-is-told")
def test_the_log_of_an_unforeseen_failure_says_where_and_never_what(caplog: pytest.LogCaptureFixture) -> None:
    try:
        try:
            int(SECRET)
        except ValueError as first:
            raise KeyError(SECRET) from first
    except KeyError as trouble:
        with caplog.at_level(logging.ERROR):
            unexpected_response(trouble)
    assert "KeyError" in caplog.text
    assert "ValueError" in caplog.text
    assert "test_damage.py" in caplog.text
    assert "cellar" not in caplog.text
    assert issubclass(Damaged, Unavailable)  # so that every face answers as for a part that is away
