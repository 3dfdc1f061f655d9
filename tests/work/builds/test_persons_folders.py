"""Folders of people, as git left them: what a build's first commit holds of them, and what it leaves alone."""

import subprocess
from pathlib import Path

import pytest
from tests.work.builds.build_desk import BuildDesk, writes

WHO = "git config user.email a@b && git config user.name n"
THREE = f"git init -q -b main && {WHO} && mkdir a b && echo 1 > a/x && echo 2 > b/y && git add -A && git commit -qm x"
SPARSE = f"{THREE} && git sparse-checkout set a"


def built_in(desk: BuildDesk, folder: Path, commands: str) -> str:
    """The branch of a build in a folder that these commands made; the person's own head and index stay."""
    folder.mkdir(parents=True)
    subprocess.run(commands, shell=True, cwd=folder, check=True)
    before = asked(folder, "ls-files", "-v", "-s"), asked(folder, "log", "--format=%H", "--all")
    session_id = desk.start(workspace_path=folder.name)
    log = desk.log(session_id)
    assert [event["message"] for event in log if event["type"] == "error"] == []
    assert log[-1]["outcome"] == "success"
    assert (asked(folder, "ls-files", "-v", "-s"), asked(folder, "log", "--format=%H", "main")) == before
    return f"lore/{session_id[:8]}"


def asked(folder: Path, *words: str) -> list[str]:
    return subprocess.run(["git", *words], cwd=folder, capture_output=True, text=True, check=True).stdout.splitlines()


@pytest.mark.holds("build.git.unseen")
@pytest.mark.parametrize("more", ["", " --cone --sparse-index"])
def test_what_a_sparse_checkout_leaves_out_is_not_taken_for_deleted(desk: BuildDesk, tmp_path: Path, more: str) -> None:
    folder = tmp_path / "data" / "workspaces" / "mine"
    branch = built_in(desk, folder, SPARSE + more)
    assert asked(folder, "diff", "--name-status", "main", branch) == ["A\tone.txt", "A\tproject.json"]
    assert not (folder / "b").exists()


@pytest.mark.holds("build.git.unseen")
@pytest.mark.parametrize("flag", ["--skip-worktree", "--assume-unchanged"])
def test_what_a_person_told_git_not_to_look_at_is_in_no_commit(desk: BuildDesk, tmp_path: Path, flag: str) -> None:
    folder = tmp_path / "data" / "workspaces" / "mine"
    branch = built_in(desk, folder, f"{THREE} && git update-index {flag} a/x && echo secret > a/x")
    assert asked(folder, "show", f"{branch}:a/x") == ["1"]
    assert (folder / "a" / "x").read_text() == "secret\n"


@pytest.mark.holds("build.git.filtered")
@pytest.mark.parametrize("more", ["", " && git update-index --split-index"])
def test_files_that_git_wrote_in_another_way_than_it_keeps_them_are_no_changes(
    desk: BuildDesk, tmp_path: Path, more: str
) -> None:
    folder = tmp_path / "data" / "workspaces" / "mine"
    rules = "git config filter.up.clean 'tr a-z A-Z' && git config filter.up.smudge 'tr A-Z a-z'"
    kept = "printf '*.up filter=up\\n*.bat text eol=crlf\\n' > .gitattributes && echo big > a/large.up"
    lines = "printf 'one\\r\\ntwo\\r\\n' > a/run.bat && touch -d yesterday a/* && git add -A && git commit -qm y"
    desk.otherwise = writes(a_of_run__bat="one\nthree\n")
    branch = built_in(desk, folder, f"{THREE} && {rules} && {kept} && {lines}{more}")
    assert asked(folder, "show", "main:a/large.up", "main:a/run.bat") == ["BIG", "one", "two"]
    assert asked(folder, "diff", "--name-status", "main", branch) == ["M\ta/run.bat", "A\tproject.json"]
    assert asked(folder, "show", f"{branch}:a/run.bat") == ["one", "three"]
    assert (folder / "a" / "large.up").read_text() == "big\n"
    assert (folder / "a" / "run.bat").read_bytes() == b"one\r\nthree\r\n"
