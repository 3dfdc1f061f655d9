"""What a build changed is one look away, commit by commit and as a whole, and nothing else of a repository is."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.work.builds.build_desk import BuildDesk, OpenDesk, found, planned, task, writes

from loreweave.errors import NotFound
from loreweave.work.builds.build_service import SHOWN_DIFF


@pytest.mark.holds("build.diff")
def test_each_commit_and_the_whole_of_a_build_can_be_looked_at(desk: BuildDesk) -> None:
    desk.plan = planned(task("a"), task("b"), task("c", "a", "b"))
    desk.agents["c"] = writes(a__txt="a\nand c\n")
    session_id = desk.start()
    log = desk.log(session_id)
    diff = desk.application.builds.diff
    commits = {event["task_id"]: event["sha"] for event in found(log, "commit_created")}
    third = diff(session_id, commits["c"])
    assert third.diff.endswith("@@ -1 +1,2 @@\n a\n+and c\n")
    assert (third.sha, third.files_changed, third.cut) == (commits["c"], ["a.txt"], False)
    assert diff(session_id, commits["b"][:7]).files_changed == ["b.txt"]
    whole = diff(session_id, "all")
    assert whole.files_changed == ["a.txt", "b.txt"]
    assert [line for line in whole.diff.splitlines() if line[0] == "+" and line[:3] != "+++"] == ["+a", "+and c", "+b"]
    for unknown in ("0" * 40, "HEAD", "--output=x", "lore"):
        with pytest.raises(NotFound):
            diff(session_id, unknown)


@pytest.mark.holds("build.diff")
def test_a_diff_shows_what_a_second_build_did_and_nothing_of_the_first(desk: BuildDesk) -> None:
    first = desk.start()
    desk.log(first)
    desk.agents["one"] = writes(two__txt="two\n")
    second = desk.application.builds.begin({"continues": first, "spec": {"project": {"goal": "More"}}}).session_id
    desk.log(second)
    assert desk.application.builds.diff(second, "all").files_changed == ["two.txt"]
    assert "one.txt" not in desk.application.builds.diff(second, "all").diff


@pytest.mark.lengthy
@pytest.mark.holds("build.diff", "build.hostile")
def test_a_diff_is_cut_and_cannot_speak_to_a_terminal(tmp_path: Path, open_desk: OpenDesk, database_url: str) -> None:
    with open_desk() as desk:
        desk.agents["one"] = writes(
            big__txt="a line that is repeated\n" * 30_000,
            esc__txt="\x1b[2J\x1b]0;owned\x07 \u202egnp",
            huge__txt="x" * 1_048_000,
        )
        session_id = desk.start()
        desk.log(session_id)
        whole = desk.application.builds.diff(session_id, "all")
    assert whole.cut
    assert len(whole.diff) <= SHOWN_DIFF
    command = [sys.executable, "-m", "loreweave.faces.cli.lore", "sessions", "diff", session_id[:8]]
    shown = subprocess.run(
        [*command, "--data", str(tmp_path / "data")],
        capture_output=True,
        check=True,
        env={**os.environ, "LORE_MODEL": "none", "LORE_DATABASE_URL": database_url},
    )
    assert b"\x1b" not in shown.stdout
    assert b"diff --git a/big.txt b/big.txt" in shown.stdout
