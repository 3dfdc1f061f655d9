"""The folders of sessions and builds are in a backup, and come back as they were, through no link."""

import os
import signal
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from tests import forked
from tests.faces.served import LORE
from tests.pace import PATIENCE

from loreweave.application import Application, open_application
from loreweave.contracts.memory_requests import StoreRequest
from loreweave.errors import Conflict, Damaged, InvalidInput, TooLarge
from loreweave.settings import Settings
from loreweave.work.workspaces import workspace_archive


def _lay(root: Path) -> Path:
    """Two workspaces, one a repository, what a build keeps, and what belongs to a moment."""
    game = root / "game"
    (game / "src").mkdir(parents=True)
    (game / "empty" / "inner").mkdir(parents=True)
    (game / "src" / "main.py").write_text("print('ping')\n", encoding="utf-8")
    (game / "run.sh").write_bytes(b"#!/bin/sh\n")
    (game / "run.sh").chmod(0o755)
    (game / "nothing").touch()
    (game / "large.bin").write_bytes(bytes(range(256)) * 10_000)  # more than one part
    (game / b"\xff.txt".decode(errors="surrogateescape")).write_bytes(b"any name")
    subprocess.run(["git", "init", "-q", "-b", "main", game], check=True)
    (root / "site").mkdir()
    (root / "site" / "index.html").write_text("<p>hello</p>", encoding="utf-8")
    own = root / ".lore"
    for place in ("builds/abc/git", "builds/abc/trees/one", "scratch/abc", "ports"):
        (own / place).mkdir(parents=True)
        (own / place / "file").write_text(place, encoding="utf-8")
    return root


def _tree(root: Path) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for path in sorted(root.rglob("*")):
        name = str(path.relative_to(root))
        found[name] = (path.read_bytes() if path.is_file() else None, path.stat().st_mode & 0o777)
    return found


@pytest.fixture
def library(sqlite_application: Application, tmp_path: Path) -> Application:
    _lay(tmp_path / "data" / "workspaces")
    return sqlite_application


@pytest.mark.holds("house.storage.backup-workspaces")
def test_workspaces_come_back_as_they_were(library: Application, tmp_path: Path, settings: Settings) -> None:
    before = _tree(tmp_path / "data" / "workspaces")
    (tmp_path / "secret").write_text("not ours", encoding="utf-8")
    (tmp_path / "data" / "workspaces" / "game" / "link").symlink_to(tmp_path / "secret")
    (tmp_path / "data" / "workspaces" / "game" / "folder link").symlink_to(tmp_path)
    os.mkfifo(tmp_path / "data" / "workspaces" / "game" / "pipe")
    counts = library.library.backup(tmp_path / "kept.db")
    assert counts == {"graphs": 0, "memories": 0, "sessions": 0, "workspaces": 2}
    other = open_application(Settings(data_dir=tmp_path / "other", database_url=settings.database_url))
    assert other.library.restore(tmp_path / "kept.db", replace=False) == counts
    other.close()
    kept = {
        name: about
        for name, about in before.items()
        if not name.startswith((".lore/scratch", ".lore/ports", ".lore/builds/abc/trees"))
    }
    after = _tree(tmp_path / "other" / "workspaces")
    assert {name: about[0] for name, about in after.items()} == {name: about[0] for name, about in kept.items()}
    assert after["game/run.sh"][1] == 0o755
    game = tmp_path / "other" / "workspaces" / "game"
    assert subprocess.run(["git", "status", "-s"], cwd=game, check=True, capture_output=True).stdout
    assert b"not ours" not in (tmp_path / "kept.db").read_bytes()


@pytest.mark.holds("house.storage.backup-workspaces")
def test_folders_of_the_same_name_are_given_up_only_when_that_is_said(library: Application, tmp_path: Path) -> None:
    root = tmp_path / "data" / "workspaces"
    library.library.backup(tmp_path / "kept.db")
    (root / "game" / "src" / "main.py").write_text("print('pong')\n", encoding="utf-8")
    (root / "newer").mkdir()
    with pytest.raises(Conflict, match=r"workspaces of the same name \(game, site, .lore/builds/abc\): --replace"):
        library.library.restore(tmp_path / "kept.db", replace=False)
    assert (root / "game" / "src" / "main.py").read_text() == "print('pong')\n"
    library.library.restore(tmp_path / "kept.db", replace=True)
    assert (root / "game" / "src" / "main.py").read_text() == "print('ping')\n"
    assert (root / "newer").is_dir()  # nothing of that name is in the backup
    assert not (root / ".lore" / "restored").exists()


@pytest.mark.holds("house.storage.backup-workspaces")
def test_they_can_be_left_out_and_then_stay_as_they_are(library: Application, tmp_path: Path) -> None:
    library.memory.store(StoreRequest(content="The heron is blue."), "tester")
    counts = library.library.backup(tmp_path / "kept.db", workspaces=False)
    assert counts == {"graphs": 0, "memories": 1, "sessions": 0, "workspaces": 0}
    before = _tree(tmp_path / "data" / "workspaces")
    library.library.restore(tmp_path / "kept.db", replace=True)
    assert _tree(tmp_path / "data" / "workspaces") == before


@pytest.mark.holds("house.storage.backup-workspaces")
def test_of_a_persons_own_folder_only_what_builds_keep_is_taken(tmp_path: Path) -> None:
    root = _lay(tmp_path / "projects")
    library = open_application(Settings(data_dir=tmp_path / "data", workspace_root=root))
    library.memory.store(StoreRequest(content="The heron is blue."), "tester")
    assert library.library.backup(tmp_path / "kept.db")["workspaces"] == 0
    library.close()
    with closing(sqlite3.connect(tmp_path / "kept.db")) as raw:
        paths = [path.decode() for (path,) in raw.execute("SELECT path FROM workspace_files")]
    assert paths == [".lore", ".lore/builds", ".lore/builds/abc", ".lore/builds/abc/git", ".lore/builds/abc/git/file"]


HOSTILE = {
    "above": (b"../out", None, ""),
    "hidden above": (b"game/../../out", None, ""),
    "absolute": (b"/tmp/out", None, ""),
    "no name": (b"", None, ""),
    "a sign that no name has": (b"a\0b", None, ""),
    "the product's own": (b".lore/scratch", None, ""),
    "the product's own, shouted": (b".LORE", None, ""),
    "twice": (b"game", None, ""),
    "below a file": (b"game/run.sh/out", None, ""),
    "without its folder": (b"nowhere/out", None, ""),
    "text for a path": ("out", None, ""),
    "text for content": (b"out", "text", ""),
}


@pytest.mark.holds("house.storage.backup-workspaces")
@pytest.mark.parametrize("row", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_backup_is_refused_by_name_and_changes_nothing(
    library: Application, tmp_path: Path, row: tuple[Any, Any, str]
) -> None:
    library.library.backup(tmp_path / "kept.db")
    path, content, digest = row
    with closing(sqlite3.connect(tmp_path / "kept.db")) as raw:
        raw.execute("INSERT INTO workspace_files VALUES (?, 511, ?, ?)", (path, content, digest))
        raw.commit()
    before = _tree(tmp_path / "data" / "workspaces")
    named = os.fsdecode(path).replace("\0", "�") if isinstance(path, bytes) else path
    with pytest.raises(InvalidInput) as refused:
        library.library.restore(tmp_path / "kept.db", replace=True)
    assert (named or "the folder") in refused.value.message
    assert _tree(tmp_path / "data" / "workspaces") == before
    assert not (tmp_path / "out").exists()
    assert not (tmp_path / "data" / "out").exists()


@pytest.mark.holds("house.storage.backup-workspaces")
def test_a_file_that_is_not_what_its_hash_says_is_named(library: Application, tmp_path: Path) -> None:
    library.library.backup(tmp_path / "kept.db")
    with closing(sqlite3.connect(tmp_path / "kept.db")) as raw:
        raw.execute("UPDATE workspace_files SET content = x'00' WHERE path = ?", (b"game/src/main.py",))
        raw.commit()
    with pytest.raises(Damaged, match=r"the file game/src/main\.py of the backup's workspaces is spoilt"):
        library.library.restore(tmp_path / "kept.db", replace=True)


@pytest.mark.holds("house.storage.backup-workspaces")
@pytest.mark.parametrize("bound", ["MOST_BYTES", "MOST_PARTS", "DEEPEST"])
def test_more_than_a_backup_holds_is_refused_with_the_way_on(
    library: Application, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bound: str
) -> None:
    library.library.backup(tmp_path / "large.db")
    monkeypatch.setattr(workspace_archive, bound, 1)
    with pytest.raises(TooLarge, match="--without-workspaces"):
        library.library.backup(tmp_path / "kept.db")
    assert not (tmp_path / "kept.db").exists()
    with pytest.raises((TooLarge, InvalidInput)):  # the same bounds hold for a file from elsewhere
        library.library.restore(tmp_path / "large.db", replace=True)
    monkeypatch.undo()
    assert library.library.backup(tmp_path / "kept.db", workspaces=False)["workspaces"] == 0


@pytest.mark.holds("house.storage.backup-workspaces", "house.storage.backup")
def test_a_restore_killed_in_its_midst_leaves_the_folders_as_they_were(library: Application, tmp_path: Path) -> None:
    root = tmp_path / "data" / "workspaces"
    library.library.backup(tmp_path / "kept.db")
    (root / "game" / "src" / "main.py").write_text("print('pong')\n", encoding="utf-8")
    environment = {**os.environ, "LORE_FAILPOINT": "restore.replaced"}
    command = [*LORE, "restore", tmp_path / "kept.db", "--replace", "--data", tmp_path / "data"]
    killed = forked.run(command, env=environment, capture_output=True, timeout=PATIENCE)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    assert (root / "game" / "src" / "main.py").read_text() == "print('pong')\n"
    library.library.restore(tmp_path / "kept.db", replace=True)
    assert (root / "game" / "src" / "main.py").read_text() == "print('ping')\n"
    assert not (root / ".lore" / "restored").exists()
