"""Which sandbox is chosen on which computer."""

import os
import subprocess
import tempfile
import venv
from pathlib import Path

import pytest
from tests.pace import PATIENCE

import loreweave
from loreweave.errors import Unavailable
from loreweave.seams.host.open_sandbox import open_sandbox

BROKEN = {
    "forbidden": "#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n",
    "no walls": "#!/bin/sh\nexit 0\n",
    "no program": "not a program",
}


@pytest.mark.holds("session.host.choice")
@pytest.mark.parametrize("text", BROKEN.values(), ids=BROKEN)
def test_a_bubblewrap_that_does_not_work_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    (tmp_path / "bwrap").write_text(text)
    (tmp_path / "bwrap").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert open_sandbox("auto").kind == "limits"
    with pytest.raises(Unavailable, match="bubblewrap"):
        open_sandbox("required")


@pytest.mark.holds("session.host.choice")
def test_without_bubblewrap_there_are_limits_unless_walls_are_required(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert open_sandbox("auto").kind == "limits"
    assert open_sandbox("off").kind == "limits"
    with pytest.raises(Unavailable, match="bubblewrap"):
        open_sandbox("required")


@pytest.mark.holds("session.host.choice")
def test_an_interpreter_that_lies_among_temporary_files_is_seen_all_the_same(tmp_path: Path) -> None:
    source = Path(loreweave.__file__).parent.parent
    ask = "from loreweave.seams.host.open_sandbox import open_sandbox; print(open_sandbox('required').kind)"
    venv.create(tmp_path / "there", with_pip=False)
    with tempfile.TemporaryDirectory(dir="/tmp") as elsewhere:
        venv.create(elsewhere, with_pip=False)
        for place in (tmp_path / "there", Path(elsewhere)):
            told = subprocess.run(
                [place / "bin" / "python", "-c", ask],
                env={"PYTHONPATH": str(source), "PATH": os.environ["PATH"]},
                capture_output=True, text=True, check=True, timeout=PATIENCE,
            )  # fmt: skip
            assert told.stdout == "bubblewrap\n"
