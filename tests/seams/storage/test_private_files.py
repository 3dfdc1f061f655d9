"""What is kept is for its owner alone, from the first byte on."""

import os
import stat
from pathlib import Path

import pytest

from loreweave.application import open_application
from loreweave.errors import Unavailable
from loreweave.faces.cli.upkeep_commands import run_checks
from loreweave.private_folder import open_to_others, private_folder
from loreweave.settings import Settings


def _modes(folder: Path) -> dict[str, int]:
    places = [folder, *folder.rglob("*")]
    return {str(place.relative_to(folder)): stat.S_IMODE(place.lstat().st_mode) for place in places}


def _use(settings: Settings, source: Path) -> None:
    """A graph, a memory, a digest's cache and the engine's files: all that makes something in the data folder."""
    (source / "notes").mkdir(parents=True, exist_ok=True)
    (source / "notes" / "a.md").write_text("# A\n\nWords.\n", encoding="utf-8")
    application = open_application(settings)
    try:
        application.graphs.ingest_folder(source / "notes")
        application.memory.sweep()
        assert application.workshop.engine.executor_id
        held = _modes(settings.data_dir)  # while SQLite has its other files open
    finally:
        application.close()
    assert held
    assert not {name: oct(mode) for name, mode in held.items() if mode & 0o077}


@pytest.mark.holds("house.access.private-files")
def test_nobody_else_can_read_what_is_kept(settings: Settings, tmp_path: Path) -> None:
    before = os.umask(0o000)  # the most that a careless shell could allow
    try:
        _use(settings, tmp_path)
    finally:
        os.umask(before)


@pytest.mark.holds("house.access.private-files")
def test_what_an_older_version_left_open_is_closed_at_the_next_start(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path / "data")
    _use(settings, tmp_path)
    for place in [settings.data_dir, *settings.data_dir.rglob("*")]:
        place.chmod(0o755 if place.is_dir() else 0o644)
    assert open_to_others(settings.data_dir)
    _use(settings, tmp_path)
    assert open_to_others(settings.data_dir) == []


@pytest.mark.holds("house.access.private-files")
def test_the_doctor_says_what_was_open_and_closes_it(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path / "data")
    _ = open_application(settings).store
    settings.data_dir.chmod(0o755)
    first, second = (next(run_checks(settings)) for _ in range(2))
    assert first.ok
    assert f"was open to others and is closed now: {settings.data_dir}" in first.detail
    assert second.detail == f"{settings.data_dir} can be written, for you alone"


@pytest.mark.holds("house.access.private-files")
def test_a_place_that_many_share_is_left_to_them(tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    (shared / "another.txt").write_text("not ours", encoding="utf-8")
    (shared / "another.txt").chmod(0o644)
    shared.chmod(0o1777)
    _ = open_application(Settings(data_dir=shared)).store.database
    assert stat.S_IMODE(shared.stat().st_mode) == 0o1777
    assert stat.S_IMODE((shared / "another.txt").stat().st_mode) == 0o644
    assert stat.S_IMODE((shared / "lore.db").stat().st_mode) == 0o600


@pytest.mark.holds("house.errors.unwritable-folder")
@pytest.mark.parametrize("place", ["/proc/nope", "/proc/nope/deeper"])
def test_a_folder_that_cannot_be_made_is_named_with_its_setting(place: str) -> None:
    with pytest.raises(Unavailable, match=f"{place} cannot be written") as refused:
        _ = open_application(Settings(data_dir=Path(place))).store
    assert refused.value.facts["setting"] == "LORE_DATA_DIR"


@pytest.mark.holds("house.errors.unwritable-folder")
def test_a_file_in_the_way_of_a_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file", encoding="utf-8")
    with pytest.raises(Unavailable, match=r"data cannot be written: a file is in its way\..*LORE_DATA_DIR"):
        _ = open_application(Settings(data_dir=tmp_path / "data")).store
    (tmp_path / "root").write_text("a file", encoding="utf-8")
    with pytest.raises(Unavailable, match="LORE_WORKSPACE_ROOT names another"):
        private_folder(tmp_path / "root", "LORE_WORKSPACE_ROOT")


@pytest.mark.holds("house.errors.unwritable-folder")
def test_a_database_that_cannot_be_opened_names_its_folder(tmp_path: Path) -> None:
    (tmp_path / "data" / "lore.db").mkdir(parents=True)
    with pytest.raises(Unavailable, match=r"data cannot be written: lore\.db cannot be opened"):
        _ = open_application(Settings(data_dir=tmp_path / "data")).store


@pytest.mark.holds("house.errors.unwritable-folder")
def test_the_doctor_names_the_folder_that_cannot_be_made_and_what_names_another(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    checks = {check.name: check.detail for check in run_checks(Settings(data_dir=tmp_path / "file" / "data"))}
    cannot = "The folder {} cannot be written: not a directory. {} names another."
    assert checks["data folder"] == cannot.format(tmp_path / "file" / "data", "LORE_DATA_DIR or --data")
    assert checks["workspace root"] == cannot.format(tmp_path / "file" / "data" / "workspaces", "LORE_WORKSPACE_ROOT")
