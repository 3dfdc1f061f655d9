"""A build that is killed leaves the old file to the byte."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.pace import PATIENCE

from loreweave.knowledge.asking.digest.replace_file import replace_file

BUILD = """
import os, signal, sys
from pathlib import Path
from loreweave.knowledge.asking.digest.run_build import BuildOptions
from loreweave.knowledge.asking.digest_service import DigestService

def die(*given):
    os.kill(os.getpid(), signal.SIGKILL)

if sys.argv[2] == "distilling":
    distil = die
else:
    distil = lambda sections: {"context": "New."}
    setattr(os, sys.argv[2], die)
service = DigestService(lambda: None, lambda: None, lambda name: distil)
service.build_folder(Path(sys.argv[1]), BuildOptions(), print)
"""


@pytest.mark.holds("ask.digest.write-then-rename")
@pytest.mark.parametrize("point", ["distilling", "fsync", "replace"])
def test_a_build_killed_at_any_point_leaves_the_old_file(docs: Any, builder: Any, point: str) -> None:
    folder = docs({"a.md": "# A\n\nText.\n"})
    builder.build(folder)
    file = folder / ".ask" / "digest.json"
    before = file.read_bytes()
    docs({"a.md": "# A\n\nOther text.\n"})
    command = [sys.executable, "-c", BUILD, str(folder), point]
    assert subprocess.run(command, timeout=PATIENCE).returncode == -signal.SIGKILL
    assert file.read_bytes() == before
    assert builder.build(folder).status == "updated"


@pytest.mark.holds("ask.digest.write-then-rename")
def test_a_file_is_replaced_as_a_whole_and_keeps_its_mode(tmp_path: Path) -> None:
    file = tmp_path / "digest.json"
    file.write_text("old")
    file.chmod(0o600)
    link = tmp_path / "link.json"
    link.symlink_to(file)
    with file.open("rb") as reader:
        replace_file(link, b"new")
        assert reader.read() == b"old"
    assert file.read_bytes() == b"new"
    assert file.stat().st_mode & 0o777 == 0o600
    assert link.is_symlink()
    assert sorted(os.listdir(tmp_path)) == ["digest.json", "link.json"]


@pytest.mark.holds("ask.digest.write-then-rename")
def test_a_disk_that_is_full_leaves_the_old_file_and_no_litter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "digest.json"
    file.write_text("old")

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        replace_file(file, b"new")
    assert file.read_text() == "old"
    assert os.listdir(tmp_path) == ["digest.json"]
