"""Folders as sources: walked without following anything, read without trusting what was seen before."""

import os
import pickle
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.pace import within

from loreweave.entities.note import SourceListing
from loreweave.errors import InvalidInput, NoMarkdown, NotFound, Unavailable
from loreweave.knowledge.documents.folder import list_folder


def write(root: Path, files: dict[str, str]) -> Path:
    for name, content in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(content.encode())
    return root


def paths(listing: SourceListing) -> list[str]:
    return [entry.path for entry in listing.entries]


def warned(listing: SourceListing) -> list[tuple[str, str]]:
    return [(warning.code, warning.file) for warning in listing.warnings]


def test_a_folder_lists_what_counts_with_size_and_time(tmp_path: Path) -> None:
    vault = write(tmp_path / "My Vault", {"b.md": "# B", "a/ü.MD": "é", "a/p.mdx": "x", "z.txt": "", "Z.md": ""})
    listing = list_folder(vault)
    assert listing.name == "My Vault"
    assert [(entry.path, entry.kind, entry.size) for entry in listing.entries] == [
        ("Z.md", "note", 0),
        ("a/p.mdx", "note", 1),
        ("a/ü.MD", "note", 2),
        ("b.md", "note", 3),
    ]
    assert [entry.mtime_ns for entry in listing.entries] == [
        (vault / entry.path).stat().st_mtime_ns for entry in listing.entries
    ]
    assert [entry.read() for entry in listing.entries] == [b"", b"x", "é".encode(), b"# B"]
    assert listing.warnings == ()


def test_entries_are_read_wherever_the_process_stands_and_in_any_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(write(tmp_path / "here", {"a.md": "text"}))
    listing = list_folder(".")
    monkeypatch.chdir("/")
    assert listing.name == "here"
    assert pickle.loads(pickle.dumps(listing)).entries[0].read() == b"text"


@pytest.mark.holds("graph.sources.ignored-components", "graph.sources.ignored-is-whole-component")
def test_ignored_names_are_not_walked_but_the_root_may_have_any_name(tmp_path: Path) -> None:
    ignored = [".git/a.md", "x/.b.md", "node_modules/a.md", "x/dist/a.md", "build/x/a.md", "__MACOSX/a.md"]
    root = write(tmp_path / "build", dict.fromkeys([*ignored, "my.git/a.md", "x/a.md", ".ask/digest.json"], ""))
    (root / ".ask" / "link.md").symlink_to("/etc/passwd")
    listing = list_folder(root)
    assert paths(listing) == [".ask/digest.json", "my.git/a.md", "x/a.md"]
    assert listing.warnings == ()


@pytest.mark.holds("graph.sources.folder.symlink")
def test_links_and_special_files_are_skipped_with_a_warning(tmp_path: Path) -> None:
    outside = write(tmp_path / "outside", {"secret.md": "secret"})
    root = write(tmp_path / "root", {"a.md": "text"})
    (root / "file.md").symlink_to(outside / "secret.md")
    (root / "folder").symlink_to(outside)
    (root / "loop").symlink_to(root)
    (root / "dangling.md").symlink_to("nowhere")
    (root / ".ignored").symlink_to(outside)
    os.mkfifo(root / "pipe.md")
    listing = list_folder(root)
    assert paths(listing) == ["a.md"]
    names = ["dangling.md", "file.md", "folder", "loop", "pipe.md"]
    assert warned(listing) == [("symlink", name) for name in names]


@pytest.mark.holds("graph.sources.folder.symlink")
def test_a_linked_digest_is_not_read(tmp_path: Path) -> None:
    outside = write(tmp_path / "outside", {"digest.json": "{}"})
    linked_file = write(tmp_path / "one", {"a.md": "", ".ask/other": ""})
    (linked_file / ".ask" / "digest.json").symlink_to(outside / "digest.json")
    linked_folder = write(tmp_path / "two", {"a.md": ""})
    (linked_folder / ".ask").symlink_to(outside)
    assert paths(list_folder(linked_file)) == paths(list_folder(linked_folder)) == ["a.md"]


@pytest.mark.holds("graph.sources.folder.symlink")
def test_a_file_or_folder_that_became_a_link_after_the_walk_is_not_followed(tmp_path: Path) -> None:
    outside = write(tmp_path / "outside", {"a.md": "secret", "b.md": "secret"})
    root = write(tmp_path / "root", {"a.md": "", "x/b.md": "", "gone.md": "", "pipe.md": ""})
    listing = list_folder(root)
    (root / "a.md").unlink()
    (root / "a.md").symlink_to(outside / "a.md")
    (root / "x").rename(tmp_path / "moved")
    (root / "x").symlink_to(outside)
    (root / "gone.md").unlink()
    (root / "pipe.md").unlink()
    os.mkfifo(root / "pipe.md")
    for entry in listing.entries:
        with pytest.raises(Unavailable) as refusal:
            entry.read()
        assert refusal.value.facts == {"file": entry.path}


def test_a_root_reached_through_a_link_is_read_under_its_own_name(tmp_path: Path) -> None:
    root = write(tmp_path / "root", {"a.md": "text"})
    (tmp_path / "shortcut").symlink_to(root)
    listing = list_folder(tmp_path / "shortcut")
    assert (listing.name, listing.entries[0].read()) == ("shortcut", b"text")


def test_names_that_are_no_text_are_skipped_with_a_warning(tmp_path: Path) -> None:
    write(tmp_path, {"a.md": ""})
    for name in (b"latin-\xe9.md", b"folder-\xff/b.md", b"line\nbreak.md"):
        place = os.path.join(os.fsencode(tmp_path), name)
        os.makedirs(os.path.dirname(place), exist_ok=True)
        Path(os.fsdecode(place)).touch()
    listing = list_folder(tmp_path)
    assert paths(listing) == ["a.md"]
    shown = ["folder-\ufffd", "latin-\ufffd.md", "line\ufffdbreak.md"]
    assert warned(listing) == [("unsafe_path", name) for name in shown]


@pytest.mark.holds("graph.sources.zip.backslash")
def test_a_backslash_in_a_name_stands_for_a_slash_as_it_does_in_an_archive(tmp_path: Path) -> None:
    write(tmp_path, {"a\\b.md": "from the name", "c\\d.md": "from the name", "c/d.md": "from the folder"})
    write(tmp_path, {"e\\..\\..\\f.md": "", ".g\\h.md": "", "Q: why.md": ""})
    listing = list_folder(tmp_path)
    read = {entry.path: entry.read().decode() for entry in listing.entries}
    assert read == {"Q: why.md": "", "a/b.md": "from the name", "c/d.md": "from the folder"}
    assert warned(listing) == [("duplicate_entry", "c/d.md"), ("unsafe_path", "e\\..\\..\\f.md")]


@contextmanager
def as_an_ordinary_user() -> Iterator[None]:
    """Nothing is closed to the superuser, so a test run as root steps down for a moment."""
    before = os.geteuid()
    if before == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(before)


def test_what_may_not_be_read_is_a_warning() -> None:
    with tempfile.TemporaryDirectory() as name:
        root = write(Path(name), {"a.md": "", "closed.md": "", "locked/b.md": ""})
        root.chmod(0o755)
        (root / "closed.md").chmod(0)
        (root / "locked").chmod(0)
        with as_an_ordinary_user():
            listing = list_folder(root)
        root.chmod(0)
        with as_an_ordinary_user(), pytest.raises(InvalidInput):
            list_folder(root)
        root.chmod(0o755)
        (root / "locked").chmod(0o755)
    assert paths(listing) == ["a.md"]
    assert warned(listing) == [("unreadable", "closed.md"), ("unreadable", "locked")]


@pytest.mark.holds("graph.sources.subdirectory-relative-paths", "graph.sources.subdirectory-empty")
def test_a_subdirectory_is_the_root_of_its_paths(tmp_path: Path) -> None:
    write(tmp_path, {"a.md": "", "x/b.md": "", "x/y/c.md": "", ".claude/skills/d.md": "", "empty/e.txt": ""})
    assert paths(list_folder(tmp_path, subdirectory="x/")) == ["b.md", "y/c.md"]
    assert paths(list_folder(tmp_path, subdirectory=".claude\\skills")) == ["d.md"]
    assert list_folder(tmp_path, subdirectory="x").name == tmp_path.name
    (tmp_path / "link").symlink_to(tmp_path / "x")
    for nothing in ("nowhere", "a.md", "empty", "link", "link/y"):
        with pytest.raises(NoMarkdown):
            list_folder(tmp_path, subdirectory=nothing)


@pytest.mark.holds("graph.sources.subdirectory-unsafe")
@pytest.mark.parametrize("written", ["/etc", "..", "x/../..", "C:\\x", "a\0"])
def test_a_subdirectory_that_could_lead_outside_is_refused(tmp_path: Path, written: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        list_folder(write(tmp_path, {"a.md": ""}), subdirectory=written)
    assert refusal.value.facts == {"field": "subdirectory"}


def test_what_is_no_folder_is_refused(tmp_path: Path) -> None:
    write(tmp_path, {"a.md": ""})
    with pytest.raises(NotFound):
        list_folder(tmp_path / "missing")
    with pytest.raises(NotFound):
        list_folder(tmp_path / "a.md" / "below")
    for path in (tmp_path / "a.md", "nul\0byte", "n" * 5_000):
        with pytest.raises(InvalidInput) as refusal:
            list_folder(path)
        assert refusal.value.facts == {"field": "path"}


def test_a_folder_without_notes_has_no_markdown(tmp_path: Path) -> None:
    write(tmp_path, {"a.txt": "", "b.rst": "", ".git/c.md": ""})
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "s.md"))
        with pytest.raises(NoMarkdown, match="hidden folders and those called node_modules, dist or build"):
            list_folder(tmp_path)


@pytest.mark.holds("graph.sources.folder.no-upload-limits")
def test_a_large_folder_is_listed_quickly_and_without_limits(tmp_path: Path) -> None:
    for folder in range(100):
        (tmp_path / f"{folder}").mkdir()
        for number in range(100):
            (tmp_path / f"{folder}" / f"{number}.md").touch()
    (tmp_path / "large.md").write_bytes(bytes(6 * 1024 * 1024))
    listing = within(2, lambda: list_folder(tmp_path))
    assert len(listing.entries) == 10_001
    assert paths(listing) == sorted(paths(listing))
    assert len(listing.entries[-1].read()) == 6 * 1024 * 1024


def test_very_deep_folders_are_walked_without_recursion(tmp_path: Path) -> None:
    place = os.open(tmp_path, os.O_RDONLY)
    for _ in range(3_000):  # deeper than any path may be long
        os.mkdir("d", dir_fd=place)
        inner = os.open("d", os.O_RDONLY, dir_fd=place)
        os.close(place)
        place = inner
    os.close(place)
    write(tmp_path, {"a.md": "", "d/d/b.md": ""})
    listing = list_folder(tmp_path)
    assert paths(listing) == ["a.md", "d/d/b.md"]
    assert {code for code, _ in warned(listing)} <= {"unreadable", "unsafe_path"}
    assert len(listing.warnings) == 1
    subprocess.run(["rm", "-rf", str(tmp_path / "d")], check=True)
