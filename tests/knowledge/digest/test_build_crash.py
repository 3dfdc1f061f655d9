"""A build that is killed leaves the old file to the byte."""

import os
import signal
import sys
from pathlib import Path
from typing import Any

import pytest
from tests import forked
from tests.pace import PATIENCE

from loreweave.seams.host.walk_below import remove_leftovers, replace_file

BUILD = """
import os, signal, sys
from pathlib import Path
from loreweave.knowledge.digest.build_digest import BuildOptions
from loreweave.knowledge.digest.digest_service import DigestService

def die(*given, **options):
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
    assert forked.run(command, timeout=PATIENCE).returncode == -signal.SIGKILL
    assert file.read_bytes() == before
    assert builder.build(folder).status == "updated"


@pytest.mark.holds("ask.digest.no-litter")
@pytest.mark.parametrize("text", ["Text.", "Other text."])
def test_the_next_build_removes_what_a_killed_one_left(docs: Any, builder: Any, text: str) -> None:
    folder = docs({"a.md": "# A\n\nText.\n"})
    builder.build(folder)
    docs({"a.md": "# A\n\nOther text.\n"})
    forked.run([sys.executable, "-c", BUILD, str(folder), "replace"], timeout=PATIENCE)
    assert [file.name for file in folder.glob(".ask/.digest.json.*.tmp")] != []
    others = [folder / ".ask" / name for name in (".digest.json.mine.tmp", ".other.json.0123456789ab.tmp")]
    for other in others:
        other.write_text("of somebody else")
    docs({"a.md": f"# A\n\n{text}\n"})
    assert builder.build(folder).status == ("skipped" if text == "Text." else "updated")
    assert sorted(folder.glob(".ask/.*.tmp")) == sorted(others)


@pytest.mark.holds("ask.digest.no-litter")
def test_what_a_living_build_is_writing_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another build comes by while this one is about to put its file in place."""
    file = tmp_path / "digest.json"
    stale = tmp_path / ".digest.json.0123456789ab.tmp"
    stale.write_text("left behind")
    really_replace = os.replace

    def replace_late(source: str, target: str, **folders: int) -> None:
        remove_leftovers(file)
        really_replace(source, target, **folders)

    monkeypatch.setattr(os, "replace", replace_late)
    replace_file(file, b"new")
    assert file.read_bytes() == b"new"
    assert os.listdir(tmp_path) == ["digest.json"]


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
