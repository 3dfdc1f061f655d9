"""Specs, models and repositories that mean harm: whatever they write is bounded, refused or left alone."""

import io
import os
import zipfile
from pathlib import Path

import pytest
from tests.model_server import Asked, Turn, call, say
from tests.work.builds.build_desk import BuildDesk, found, planned, task, writes, wrote

from loreweave.errors import InvalidInput
from loreweave.seams.host.build_repository import BuildRepository
from loreweave.seams.host.confined_folder import ConfinedFolder
from loreweave.seams.host.programs import find_programs

WHEN = "2026-01-01T00:00:00.000Z"


@pytest.mark.holds("build.hostile")
def test_a_model_that_never_ends_its_answer_fails_its_attempts_and_floods_no_log(desk: BuildDesk) -> None:
    desk.otherwise = lambda asked: say(*["x" * 100_000] * 30)
    session_id = desk.start()
    desk.log(session_id, until="human_gate")
    desk.application.sessions.answer_gate(session_id, True, "", None, None)
    log = desk.log(session_id)
    assert found(log, "task_failed")[0]["error"] == "The model did not answer in the shape it was asked for."
    assert sum(len(event["content"]) for event in found(log, "agent_output")) < 4_000_000


@pytest.mark.holds("build.hostile")
def test_a_summary_without_spaces_is_cut_before_others_read_it(desk: BuildDesk) -> None:
    desk.plan = planned(task("a"), task("b", "a"))
    desk.agents["a"] = lambda asked: say("x" * 300_000)
    log = desk.log(desk.start())
    assert len(found(log, "task_completed", task_id="a")[0]["summary"]) == 5_000
    assert len(desk.requests(task_id="b")[0].text) < 20_000


@pytest.mark.lengthy
@pytest.mark.holds("build.hostile")
def test_a_commit_of_very_many_files_names_the_first_of_them(desk: BuildDesk) -> None:
    program = "import pathlib\nfor number in range(1_200):\n    pathlib.Path(f'{number:04}.txt').write_text('x')\n"

    def agent(asked: Asked) -> Turn:
        if wrote(asked):
            return say("done")
        return call(
            ("write_file", {"path": "make.py", "content": program}), ("run_command", {"argv": ["python", "make.py"]})
        )

    desk.otherwise = agent
    log = desk.log(desk.start())
    (commit,) = found(log, "commit_created")
    assert len(commit["files_changed"]) == 1_000
    folder = Path(found(log, "workspace_created")[0]["nugget_dir"])
    assert len(list(folder.glob("*.txt"))) == 1_200


@pytest.mark.holds("build.hostile", "build.export")
def test_files_whose_names_are_no_text_or_no_plain_ones_are_committed_told_and_exported(desk: BuildDesk) -> None:
    names = [b"\xff.bin", b"a\nb", b"-rf", b":(glob)x", b"back\\slash", b"Case", b"case", b"x" * 255, b" both "]
    program = f"for name in {names!r}:\n    open(name, 'wb').write(b'x')\n"

    def agent(asked: Asked) -> Turn:
        if wrote(asked):
            return say("done")
        return call(
            ("write_file", {"path": "make.py", "content": program}), ("run_command", {"argv": ["python", "make.py"]})
        )

    desk.otherwise = agent
    session_id = desk.start()
    log = desk.log(session_id)
    told = sorted(["make.py", *(name.decode(errors="backslashreplace") for name in names)])
    assert sorted(found(log, "commit_created")[0]["files_changed"]) == told
    with zipfile.ZipFile(io.BytesIO(desk.application.builds.export(session_id))) as archive:
        assert sorted(archive.namelist()) == told
    assert all("\\xff.bin" in event["message"] for event in found(log, "error"))
    assert log[-1]["outcome"] in ("success", "partial")


@pytest.mark.holds("build.hostile")
def test_links_to_repositories_settings_and_attributes_in_a_tree_start_and_hide_nothing(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    git = find_programs().resolve(("git",))
    assert git is not None
    repository = BuildRepository(git[0], tmp_path / "home", ConfinedFolder(tmp_path / "folder"), "lore/12345678")
    repository.prepare(WHEN)
    tree = repository.check_out("one")
    owned = tmp_path / "owned"
    evil = tree.folder / "evil"
    (evil / "objects").mkdir(parents=True)
    (evil / "refs").mkdir()
    (evil / "HEAD").write_text("ref: refs/heads/main\n")
    (evil / "config").write_text(f'[core]\n\tfsmonitor = touch {owned}\n[filter "x"]\n\tclean = touch {owned}\n')
    sub = tree.folder / "sub"
    sub.mkdir()
    os.symlink("../evil", sub / ".git")
    (sub / "kept.txt").write_text("kept\n")
    (tree.folder / ".gitattributes").write_text("* filter=x merge=x diff=x export-ignore\n")
    (tree.folder / ".gitmodules").write_text(f'[submodule "s"]\n\tpath = sub\n\turl = ext::touch {owned}\n')
    made = repository.commit("one", tree, "A: one", "A <a@localhost>", WHEN)
    assert made is not None
    assert "sub/kept.txt" in made.files_changed
    assert not any(".git/" in path or path.endswith("/.git") for path in made.files_changed)
    assert repository.publish(made) == []
    assert "kept" in repository.changed_by([made.sha], 100_000)
    assert not owned.exists()


@pytest.mark.holds("build.git.locks")
def test_locks_of_a_computer_that_went_off_hold_up_no_commit(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    git = find_programs().resolve(("git",))
    assert git is not None
    repository = BuildRepository(git[0], tmp_path / "home", ConfinedFolder(tmp_path / "folder"), "lore/12345678")
    repository.prepare(WHEN)
    tree = repository.check_out("one")
    (tree.folder / "kept.txt").write_text("kept\n")
    for name in ("index-one.lock", "index-folder.lock", "refs/heads/lore/12345678.lock"):
        (tmp_path / "home" / "git" / name).touch()
    repository.prepare(WHEN)  # as whoever takes the build up does
    made = repository.commit("one", tree, "A: one", "A <a@localhost>", WHEN)
    assert made is not None
    assert repository.publish(made) == []
    assert (tmp_path / "folder" / "kept.txt").read_text() == "kept\n"


@pytest.mark.holds("build.hostile", "build.portals")
@pytest.mark.parametrize(
    ("command", "arguments"),
    [
        ("npx", ["--call", "touch x"]),
        ("npx", ["--call=touch x"]),
        ("node", ["--import", "data:text/javascript,process.exit()"]),
        ("node", ["--import=data:text/javascript,process.exit()"]),
        ("node", ["--experimental-loader=DATA:text/javascript,1"]),
        ("git", ["-ccore.pager=touch x", "log"]),
    ],
)
def test_arguments_of_portals_that_carry_code_are_refused(desk: BuildDesk, command: str, arguments: list[str]) -> None:
    portal = {"mechanism": "cli", "cliConfig": {"command": command, "args": arguments}}
    with pytest.raises(InvalidInput) as refused:
        desk.start({"portals": [portal]})
    assert "must not carry code" in str(refused.value.facts)


@pytest.mark.holds("build.hostile")
def test_a_report_of_tests_that_is_nested_without_end_breaks_no_build_off(desk: BuildDesk) -> None:
    overwrite = "lambda: open('.lore-report.json', 'w').write('[' * 200_000)"
    deep = f"import atexit\n\n\ndef test_deep():\n    atexit.register({overwrite})\n"
    desk.otherwise = writes(tests_of_test_deep__py=deep)
    log = desk.log(desk.start({"workflow": {"testing_enabled": True}}))
    [result] = found(log, "test_result")
    assert not result["passed"]
    assert found(log, "session_complete")


@pytest.mark.holds("build.hostile")
def test_a_planner_cannot_drown_a_task_in_criteria(desk: BuildDesk) -> None:
    desk.plan = planned(task("one", acceptance_criteria=["so it is"] * 5_000))
    session_id = desk.start()
    desk.log(session_id)
    assert len(desk.application.sessions.tasks(session_id)[0].acceptance_criteria) == 50
