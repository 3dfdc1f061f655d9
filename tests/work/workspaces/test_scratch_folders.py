"""A step of a run has a folder of its own, for as long as it lasts."""

import os
from pathlib import Path

import pytest

from loreweave.work.workspaces.workspace_service import WorkspaceService


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "workspaces"


@pytest.fixture
def service(root: Path) -> WorkspaceService:
    return WorkspaceService(root)


@pytest.mark.holds("session.workspace.scratch")
def test_a_scratch_folder_is_private_and_removed_after(service: WorkspaceService, root: Path) -> None:
    folder, other = (service.open_scratch(name, "step/2") for name in ("session-1", "session-2"))
    folder.write_text("a/b.txt", "mine")
    other.write_text("c.txt", "its own")
    assert other.list_files() == ["c.txt"]
    assert folder.path.is_relative_to(root / ".lore" / "scratch")
    assert (root / ".lore").stat().st_mode & 0o077 == 0
    service.remove_scratch("session-1", "step/2")
    assert not folder.path.exists()
    assert other.list_files() == ["c.txt"]


@pytest.mark.holds("session.workspace.scratch")
def test_a_step_that_is_interrupted_finds_its_files_again(service: WorkspaceService) -> None:
    service.open_scratch("s", "step").write_text("half.txt", "done so far")
    assert service.open_scratch("s", "other step").list_files() == []
    assert service.open_scratch("s", "step").read_text("half.txt") == "done so far"


@pytest.mark.holds("session.workspace.scratch")
@pytest.mark.parametrize("session_id", ["../../x", "a/b", "", "\0", "x" * 1000, ".."])
def test_no_session_id_leads_outside_and_a_session_is_cleared_whole(
    service: WorkspaceService, root: Path, session_id: str
) -> None:
    for key in ("1", "2", "../x"):
        assert service.open_scratch(session_id, key).path.parent.parent == root / ".lore" / "scratch"
    service.remove_scratch(session_id)
    service.remove_scratch(session_id)
    assert os.listdir(root / ".lore" / "scratch") == []
