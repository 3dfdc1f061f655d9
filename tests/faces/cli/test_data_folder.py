"""The data folder: who makes a library there, and what is said where one cannot be."""

import ctypes
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
from tests import forked
from tests.pace import PATIENCE

from loreweave.faces.cli import ask_program as ask

PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH = 24, 1, 2
READERS = [
    ["graphs"], ["scan", "x"], ["node", "x"], ["traverse"], ["context", "x"], ["search", "x"], ["validate"], ["stats"],
    ["export"], ["fuse", "both", "a", "b"], ["delete", "a"], ["memory", "search", "x"], ["memory", "status"],
    ["memory", "trash"], ["sessions"], ["sessions", "show", "x"], ["token", "list"], ["token", "revoke", "x"],
    ["route", "check", "--graph", "a"], ["mcp", "--toolsets", "ask"],
]  # fmt: skip


@pytest.mark.holds("house.cli.no-library")
@pytest.mark.parametrize("arguments", READERS, ids=" ".join)
def test_a_command_that_reads_makes_no_library(lore, tmp_path: Path, arguments: list[str]) -> None:
    done = lore(*arguments, "--data", str(tmp_path / "mistyped"))
    assert (done.code, done.out) == (1, b"")
    assert f"There is no library at {tmp_path / 'mistyped'}" in done.err
    assert "lore ingest" in done.err
    assert not (tmp_path / "mistyped").exists()


@pytest.mark.holds("house.cli.no-library")
@pytest.mark.parametrize("arguments", [["search", "x"], ["overview"], ["answer", "x"], ["build"]], ids=" ".join)
def test_neither_does_asking(
    tmp_path: Path, arguments: list[str], capfd: pytest.CaptureFixture[str], monkeypatch
) -> None:
    assert ask.run([*arguments, "--data", str(tmp_path / "mistyped")]) == 1
    assert capfd.readouterr().err.startswith(f"ask: There is no library at {tmp_path / 'mistyped'}")
    assert not (tmp_path / "mistyped").exists()


@pytest.mark.holds("house.cli.no-library")
def test_a_folder_without_a_library_is_left_as_it_is(lore, tmp_path: Path) -> None:
    assert lore("doctor").code == 0
    assert not (tmp_path / "data").exists()
    (tmp_path / "data").mkdir()
    assert lore("scan", "x").code == 1
    assert lore("doctor").code == 0
    assert lore("ingest", str(tmp_path / "nowhere")).code == 1
    assert lore("watch", str(tmp_path / "nowhere")).code == 1
    assert list((tmp_path / "data").iterdir()) == []


@pytest.mark.holds("house.cli.no-library")
@pytest.mark.parametrize("arguments", [["graphs"], ["memory", "status"], ["doctor"]], ids=" ".join)
def test_an_empty_database_gets_no_table_from_a_reader(
    lore, bare_postgres_database: str, arguments: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LORE_DATABASE_URL", bare_postgres_database)
    done = lore(*arguments)
    if arguments == ["doctor"]:
        assert b"no library" in done.out
    else:
        assert (done.code, done.out) == (1, b"")
        assert "There is no library in the database of LORE_DATABASE_URL" in done.err
    with psycopg.connect(bare_postgres_database) as connection:
        assert connection.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'").fetchone() == (0,)


@pytest.mark.holds("house.cli.no-library")
def test_what_writes_makes_the_library(lore, vault: Path, tmp_path: Path) -> None:
    for number, arguments in enumerate((["ingest", str(vault)], ["memory", "add", "x"], ["token", "create"])):
        folder = tmp_path / f"new{number}" / "deep"
        done = lore(*arguments, "--data", str(folder))
        assert (done.code, (folder / "lore.db").is_file()) == (0, True), done.err


@pytest.mark.holds("house.storage.backup", "house.cli.no-library")
def test_a_file_that_is_no_backup_makes_no_library(lore, tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no backup", encoding="utf-8")
    with closing(sqlite3.connect(tmp_path / "other.db")) as raw:
        raw.execute("CREATE TABLE other (one)")
    for name in ("text", "other.db", "nowhere"):
        refused = lore("restore", str(tmp_path / name), "--data", str(tmp_path / "new"))
        assert (refused.code > 0, str(tmp_path / name) in refused.err) == (True, True)
        assert not (tmp_path / "new").exists()


@pytest.mark.holds("house.storage.backup")
def test_a_backup_that_cannot_be_written_names_its_file(lore, sample: str, tmp_path: Path) -> None:
    file = tmp_path / "nowhere" / "kept.db"
    refused = lore("backup", str(file))
    assert (refused.code, refused.err) == (1, f"error: {file} cannot be written: no such file or directory\n")


@pytest.mark.holds("house.cli.names-folder")
@pytest.mark.parametrize("arguments", [["memory", "add", "x"], ["serve", "--port", "0"]], ids=lambda each: each[0])
def test_a_data_folder_that_cannot_be_made_is_named(lore, tmp_path: Path, arguments: list[str]) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    for place in (Path("/proc/nope"), tmp_path / "file", tmp_path / "file" / "below"):
        done = lore(*arguments, "--data", str(place))
        assert (done.code, done.out) == (1, b"")
        assert f"The folder {place} cannot be written" in done.err
        assert "LORE_DATA_DIR or --data names another" in done.err
    assert "no library at /proc/nope" in lore("graphs", "--data", "/proc/nope").err


def _without_powers() -> None:
    """Permissions hold for the superuser, too, in what this process becomes."""
    for power in (CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH):
        ctypes.CDLL(None).prctl(PR_CAPBSET_DROP, power, 0, 0, 0)


@pytest.mark.holds("house.cli.names-folder")
@pytest.mark.parametrize("arguments", [["memory", "add", "x"], ["graphs"]], ids=lambda each: each[0])
def test_a_data_folder_that_cannot_be_written_is_named(lore, sample, tmp_path: Path, arguments: list[str]) -> None:
    data = tmp_path / "data"
    data.chmod(0o555)
    (data / "lore.db").chmod(0o444)
    done = forked.run(
        [sys.executable, "-m", "loreweave.faces.cli.lore", *arguments],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        preexec_fn=_without_powers,
    )
    data.chmod(0o755)
    assert (done.returncode, done.stdout) == (1, "")
    assert f"The folder {data} cannot be written: " in done.stderr
    assert "LORE_DATA_DIR or --data names another" in done.stderr
