"""The next wish: a build in the folder of one that is over, wherever that folder is by now."""

import io
import shutil
import subprocess
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.model_server import ModelServer
from tests.work.builds.build_desk import BuildDesk, OpenDesk, build_desk, found, planned, task

from loreweave.errors import Conflict, LoreError

WISH = {"spec": {"project": {"goal": "Bigger"}}}


@pytest.mark.holds("build.continued")
def test_the_next_wish_keeps_what_the_spec_said_of_the_project_and_changes_the_goal(desk: BuildDesk) -> None:
    project = {"goal": "A shop", "type": "website", "description": "It sells hats."}
    first = desk.start({"project": project, "workflow": {"testing_enabled": True}})
    desk.log(first)
    second = desk.application.builds.begin({"continues": first, **WISH}).session_id
    log = desk.log(second)
    assert log[-1]["outcome"] == "success"
    view = desk.application.sessions.get(second)
    assert view.spec == {"project": {**project, "goal": "Bigger"}, "workflow": {"testing_enabled": True}}
    assert view.nugget_dir == desk.application.sessions.get(first).nugget_dir
    assert "done: one" in desk.requests("plan")[1].text


@pytest.mark.holds("build.continued")
def test_of_two_next_wishes_at_once_one_works_and_none_begins_while_the_first_build_runs(desk: BuildDesk) -> None:
    first = desk.start({"workflow": {"human_gates": ["Wait?"]}})
    for seen in ("planning_started", "human_gate"):
        desk.log(first, seen)
        with pytest.raises(Conflict) as refused:
            desk.application.builds.begin({"continues": first, **WISH})
        assert refused.value.message == "The session is still running: it can be continued when it is over"
    desk.application.sessions.answer_gate(first, True, "", None, None)
    desk.log(first)

    def begin(_: int) -> str:
        try:
            return desk.application.builds.begin({"continues": first, **WISH}).session_id
        except Conflict as other:
            return other.message

    with ThreadPoolExecutor(2) as threads:
        said = sorted(threads.map(begin, range(2)), key=len)
    assert said[1:] == [said[0]] or said[0] == "Another build works in this folder"


@pytest.mark.holds("build.continued")
def test_a_build_whose_folder_is_gone_is_not_continued_and_the_refusal_says_what_is_missing(desk: BuildDesk) -> None:
    first = desk.start()
    desk.log(first)
    folder = desk.application.sessions.get(first).nugget_dir or ""
    shutil.rmtree(folder)
    with pytest.raises(Conflict) as refused:
        desk.application.builds.begin({"continues": first, **WISH})
    assert refused.value.message == "There is no folder of this session in which it could be continued"
    assert [each.id for each in desk.application.sessions.list()] == [first]


@pytest.mark.holds("build.continued")
def test_a_library_that_was_moved_elsewhere_continues_shows_and_exports_its_builds(
    open_desk: OpenDesk, tmp_path: Path, model_server: ModelServer
) -> None:
    with open_desk() as desk:
        first = desk.start()
        commit = found(desk.log(first), "commit_created")[0]["sha"]
        desk.application.library.backup(tmp_path / "kept.db")
    with build_desk(tmp_path / "elsewhere", model_server) as other:
        other.application.library.restore(tmp_path / "kept.db", replace=False)
        builds = other.application.builds
        folder = tmp_path / "elsewhere" / "workspaces" / first
        assert other.application.sessions.get(first).nugget_dir == str(folder)
        assert "+one" in builds.diff(first, commit).diff
        with zipfile.ZipFile(io.BytesIO(builds.export(first))) as archive:
            assert archive.namelist() == ["one.txt"]
        other.plan = planned(task("two"))
        log = other.log(builds.begin({"continues": first, **WISH}).session_id)
    assert log[-1]["outcome"] == "success"
    assert (folder / "two.txt").read_text() == "two\n"
    assert not (tmp_path / "data" / "workspaces" / first / "two.txt").exists()


@pytest.mark.holds("build.continued")
def test_a_folder_of_another_root_is_not_taken_for_the_builds(desk: BuildDesk, tmp_path: Path) -> None:
    (tmp_path / "data" / "workspaces" / "mine").mkdir(parents=True)
    strange = desk.application.workspaces.moved("00000000-0000-0000-0000-000000000000", "/other/mine")
    assert strange == "/other/mine"
    with pytest.raises(LoreError):
        desk.application.workspaces.folder_for(strange)


@pytest.mark.holds("build.continued")
def test_what_is_checked_out_after_the_next_wish_is_its_own_branch_and_clean(desk: BuildDesk) -> None:
    first, folder = built(desk)
    desk.plan = planned(task("two"))
    (folder / "mine.txt").write_text("mine\n")
    second = desk.application.builds.begin({"continues": first, **WISH}).session_id
    assert desk.log(second)[-1]["outcome"] == "success"
    assert told(folder, "branch", "--show-current") == f"lore/{second[:8]}"
    assert told(folder, "status", "--porcelain") == ""
    assert told(folder, "show", "HEAD:mine.txt", "HEAD:one.txt", "HEAD:two.txt") == "mine\none\ntwo"
    assert told(folder, "log", "-1", "--format=%s", f"lore/{first[:8]}") == "Builder: Make one"


@pytest.mark.holds("build.git.person")
@pytest.mark.parametrize("theirs", ["git checkout -q -b mine", "git commit -q --allow-empty -m mine"])
def test_what_a_person_made_of_the_repository_of_a_build_stays_checked_out(desk: BuildDesk, theirs: str) -> None:
    first, folder = built(desk)
    subprocess.run(
        f"git config user.email a@b && git config user.name n && {theirs}", shell=True, cwd=folder, check=True
    )
    before = told(folder, "rev-parse", "--abbrev-ref", "HEAD"), told(folder, "rev-parse", "HEAD")
    index = (folder / ".git" / "index").read_bytes()
    desk.plan = planned(task("two"))
    desk.log(desk.application.builds.begin({"continues": first, **WISH}).session_id)
    assert (told(folder, "rev-parse", "--abbrev-ref", "HEAD"), told(folder, "rev-parse", "HEAD")) == before
    assert (folder / ".git" / "index").read_bytes() == index
    assert (folder / "two.txt").read_text() == "two\n"


def built(desk: BuildDesk) -> tuple[str, Path]:
    session_id = desk.start()
    desk.log(session_id)
    return session_id, Path(desk.application.sessions.get(session_id).nugget_dir or "")


def told(folder: Path, *words: str) -> str:
    return subprocess.run(["git", *words], cwd=folder, capture_output=True, text=True, check=True).stdout.strip()
