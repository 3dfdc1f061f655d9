"""A program's name means one file, found at the start, whatever a workspace or a path holds."""

import sys
from pathlib import Path

import pytest
from tests.seams.host.command_runs import run

from loreweave.seams.host.programs import find_programs, git_version
from loreweave.seams.host.sandbox import Sandbox


@pytest.mark.holds("session.host.own-programs")
@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("python", (sys.executable,)),
        ("python3", (sys.executable,)),
        ("pip", (sys.executable, "-P", "-m", "pip")),
        ("pip3", (sys.executable, "-P", "-m", "pip")),
    ],
)
def test_python_and_its_tools_are_the_products_own(name: str, start: tuple[str, ...]) -> None:
    assert find_programs().resolve([name, "-x", "y"]) == (*start, "-x", "y")


@pytest.mark.lengthy(1)
@pytest.mark.holds("session.host.own-programs")
def test_a_module_in_the_workspace_is_not_taken_for_pytest_but_tests_find_their_neighbours(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    (tmp_path / "pytest.py").write_text("print('planted')")
    (tmp_path / "shop.py").write_text("PRICE = 3")
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_shop.py").write_text("import shop\ndef test_price(): assert shop.PRICE == 3")
    argv = find_programs().resolve(["pytest", "-q", "-p", "no:cacheprovider", "tests"])
    assert argv is not None
    result = run(sandbox, tmp_path, *argv)
    assert "1 passed" in result.output
    assert "planted" not in result.output


@pytest.mark.holds("session.host.own-programs")
@pytest.mark.parametrize("argv", [[], ["bash"], ["sh"], ["sudo"], ["env"], ["/usr/bin/ls"], ["./ls"], ["ls "], ["LS"]])
def test_what_is_not_on_the_list_is_no_program(argv: list[str]) -> None:
    assert find_programs().resolve(argv) is None


@pytest.mark.holds("session.host.own-programs")
def test_other_programs_are_absolute_files_of_the_system() -> None:
    found = find_programs().resolve(["ls", "-la"])
    assert found is not None
    assert Path(found[0]).is_absolute()
    assert Path(found[0]).is_file()
    assert found[1:] == ("-la",)


@pytest.mark.holds("session.host.own-programs")
def test_a_program_in_the_workspace_root_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    planted = tmp_path / "root" / "git"
    planted.parent.mkdir()
    planted.write_text("#!/bin/sh\n")
    planted.chmod(0o755)
    (tmp_path / "git").symlink_to(planted)
    for folder in (planted.parent, tmp_path):  # directly, and through a link from outside
        monkeypatch.setenv("PATH", str(folder))
        assert find_programs().resolve(["git"])
        assert not find_programs(outside=[tmp_path / "root"]).resolve(["git"])


@pytest.mark.holds("session.host.own-programs")
def test_a_relative_search_path_finds_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "git").write_text("#!/bin/sh\n")
    (tmp_path / "git").chmod(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", ".")
    assert not find_programs().resolve(["git"])


@pytest.mark.holds("session.host.git-probe")
def test_git_is_probed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "git").write_text("#!/bin/sh\necho 'git version 2.41.0 (Some Git-1)'\n")
    (tmp_path / "git").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert git_version() == "2.41.0"
    (tmp_path / "git").write_text("#!/bin/sh\nexit 1\n")
    assert git_version() is None
    (tmp_path / "git").unlink()
    assert git_version() is None
