"""Nothing is read, written, listed or removed outside the folder, by words, links or races."""

import os
import stat
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from loreweave.errors import Forbidden, InvalidInput, LoreError, NotFound, TooLarge
from loreweave.seams.host.confined_folder import ConfinedFolder, FoundLine


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A folder beside a secret, with links of every kind to it."""
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "key.txt").write_text("zyxsecret")
    root = tmp_path / "root"
    (root / "src").mkdir(parents=True)
    (root / "src" / "main.py").write_text("print('hello')\nprint('world')\n")
    (root / "to-folder").symlink_to(tmp_path / "secret")
    (root / "to-file").symlink_to(tmp_path / "secret" / "key.txt")
    (root / "to-nothing").symlink_to(tmp_path / "secret" / "new.txt")
    (root / "near").symlink_to("src")
    return root


def around(root: Path) -> dict[str, tuple[int, bytes]]:
    """What stands beside the folder; it is not walked itself."""
    found = {}
    beside = [path for path in root.parent.iterdir() if path != root]
    for path in [*beside, *(inner for folder in beside for inner in folder.rglob("*"))]:
        mode = path.lstat().st_mode
        found[str(path)] = (mode, path.read_bytes() if stat.S_ISREG(mode) else b"")
    return found


@pytest.mark.holds("session.host.confined")
def test_files_are_written_read_listed_searched_and_removed(root: Path) -> None:
    folder = ConfinedFolder(root)
    folder.write_text("docs/a/note.md", "über\nworld")
    assert folder.read_text("docs/a/note.md") == folder.read_text("/workspace/docs/./a//note.md") == "über\nworld"
    assert folder.list_files() == ["docs/a/note.md", "src/main.py"]
    assert folder.list_files("docs") == folder.list_files("docs/a/note.md") == ["docs/a/note.md"]
    assert folder.search("world") == [
        FoundLine("docs/a/note.md", 2, "world"),
        FoundLine("src/main.py", 2, "print('world')"),
    ]
    assert [folder.kind_of(path) for path in ("", "docs", "src/main.py", "none", "none/x")] == [
        *("folder", "folder", "file", None, None)
    ]
    folder.remove("docs")
    folder.remove("docs/a")
    assert folder.list_files() == ["src/main.py"]


OUTSIDE = [
    "../secret/key.txt",
    "src/../../secret/key.txt",
    "/etc/passwd",
    "/",
    "..",
    "/workspaces/x",
    "/workspace/../x",
]
THROUGH_LINKS = ["to-folder/key.txt", "to-file", "to-nothing", "near/main.py", "to-folder/new/deep.txt"]
MALFORMED = ["", ".", "a\0b", "x" * 256, "x/" * 600, "\ud800", "src/main.py/below", "ü" * 128]
CALLS: dict[str, Callable[[ConfinedFolder, str], object]] = {
    "read": lambda folder, path: folder.read_text(path),
    "write": lambda folder, path: folder.write_text(path, "zzz"),
    "below": lambda folder, path: folder.below(path).write_text("new.txt", "zzz"),
}


@pytest.mark.holds("session.host.confined")
@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
@pytest.mark.parametrize("path", [*OUTSIDE, *THROUGH_LINKS])
def test_what_leads_outside_or_through_a_link_is_forbidden(root: Path, path: str, call: Callable[..., object]) -> None:
    before = around(root)
    with pytest.raises(Forbidden) as refused:
        call(ConfinedFolder(root), path)
    assert around(root) == before
    assert str(root) not in refused.value.message


@pytest.mark.holds("session.host.confined")
@pytest.mark.parametrize("path", MALFORMED)
def test_what_is_no_path_is_refused_as_such(root: Path, path: str) -> None:
    for call in (CALLS["read"], CALLS["write"]):
        with pytest.raises(InvalidInput) as refused:
            call(ConfinedFolder(root, field="where"), path)
        assert refused.value.facts["field"] == "where"


@pytest.mark.holds("session.host.confined")
def test_only_files_are_read_and_replaced(root: Path) -> None:
    os.mkfifo(root / "pipe")
    for path in ("pipe", "src"):
        for call in (CALLS["read"], CALLS["write"]):
            with pytest.raises(InvalidInput):
                call(ConfinedFolder(root), path)


@pytest.mark.holds("session.host.confined")
def test_reading_is_bounded_and_takes_text_alone(root: Path) -> None:
    folder = ConfinedFolder(root)
    with pytest.raises(TooLarge):
        folder.read_text("src/main.py", limit=10)
    folder.write_bytes("image", b"\xff\xfe\0")
    with pytest.raises(InvalidInput):
        folder.read_text("image")
    with pytest.raises(NotFound, match="absent"):
        folder.read_text("src/absent.txt")


@pytest.mark.holds("session.host.confined")
def test_listing_and_searching_follow_no_link_and_pass_over_stores(root: Path) -> None:
    for name in (".git", "node_modules", ".lore", "src/__pycache__"):
        (root / name).mkdir()
        (root / name / "x").write_text("zyxsecret")
    folder = ConfinedFolder(root)
    assert folder.list_files() == ["src/main.py"]
    assert folder.search("zyxsecret") == []
    for link in ("to-folder", "near", "to-file"):
        with pytest.raises(Forbidden):
            folder.list_files(link)


@pytest.mark.holds("session.host.confined")
def test_hostile_trees_are_listed_and_removed(root: Path) -> None:
    here = os.open(root, os.O_RDONLY)
    for _ in range(1200):  # deeper than a path may be long and a stack high
        os.mkdir("d" * 200, dir_fd=here)
        inner = os.open("d" * 200, os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = inner
    os.close(here)
    os.mkdir(os.fsencode(root) + b"/\xff\xfe")
    folder = ConfinedFolder(root)
    assert folder.list_files() == ["src/main.py"]
    before = around(root)
    ConfinedFolder(root.parent).remove("root")
    assert not root.exists()
    assert around(root) == before


@pytest.mark.holds("session.host.confined")
def test_a_file_keeps_its_mode_and_its_other_names_their_content(root: Path) -> None:
    script = root / "src" / "main.py"
    script.chmod(0o750)
    os.link(script, root.parent / "other-name")
    ConfinedFolder(root).write_text("src/main.py", "new")
    assert stat.S_IMODE(script.stat().st_mode) == 0o750
    assert (root.parent / "other-name").read_text() != "new"


@pytest.mark.holds("session.host.confined")
def test_what_a_killed_writer_left_is_taken_away_by_the_next(root: Path) -> None:
    (root / "src" / ".main.py.0123456789ab.tmp").write_text("half")
    (root / "src" / ".main.py.mine.tmp").write_text("kept")
    ConfinedFolder(root).write_text("src/main.py", "new")
    assert sorted(os.listdir(root / "src")) == [".main.py.mine.tmp", "main.py"]


PARTS = st.sampled_from(
    ["..", ".", "", "src", "to-folder", "to-file", "near", "secret", "key.txt", "main.py", "workspace", "~", "\0", "ü"]
)


@pytest.mark.holds("session.host.confined")
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(PARTS, max_size=6).map("/".join))
@example("/workspace/../../secret/key.txt")
def test_no_path_of_any_words_reaches_outside(root: Path, path: str) -> None:
    folder = ConfinedFolder(root)
    before = around(root)
    for call in CALLS.values():
        with suppress(LoreError):
            assert call(folder, path) != "zyxsecret"
    with suppress(LoreError):
        folder.remove(path)
    assert around(root) == before


@pytest.mark.holds("session.host.confined")
def test_a_link_swapped_in_while_we_write_changes_nothing(root: Path) -> None:
    """The folder turns into a link and back, again and again, while files are written through it."""
    folder, real, secret = ConfinedFolder(root), root / "src", root.parent / "secret"
    is_over = threading.Event()
    swaps = 0

    def swap() -> None:
        nonlocal swaps
        while not is_over.is_set():
            parked = root / f"parked-{swaps}"
            with suppress(OSError):
                os.rename(real, parked)
                os.symlink(secret, real)
                os.unlink(real)
            with suppress(OSError):  # the writer may have made a new one meanwhile
                os.rename(parked, real)
            swaps += 1

    before = around(root)
    swapper = threading.Thread(target=swap)
    swapper.start()
    refused = written = 0
    try:
        while (refused < 20 or written < 20 or swaps < 20) and refused + written < 2_000:
            try:
                folder.write_text("src/inner/new.txt", "zzz")
                assert folder.read_text("src/inner/new.txt") == "zzz"
                written += 1
            except LoreError:
                refused += 1
    finally:
        is_over.set()
        swapper.join()
    assert around(root) == before
    assert min(swaps, refused, written) >= 20
