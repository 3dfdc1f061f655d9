"""Files and archives of strangers: named where they are skipped, and the others go on."""

import io
import os
import stat
import struct
import zipfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some
from tests.memory.curator import Curator
from tests.memory.markdown.markdown_folder import done, imported, put
from tests.pace import within

from loreweave.errors import BadArchive, InvalidInput, LoreError, NotFound
from loreweave.memory.markdown.list_memory_files import MOST_PACKED
from loreweave.memory.markdown.read_memory_file import MOST_FILE_BYTES, read_memory_file

BOMB = "a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\ntags: *c\n"


@pytest.mark.holds("memory.markdown.skipped")
@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (b"\xff\xfe\x00binary", "The file is no UTF-8 text"),
        (b"text with \x00 in it", "content must not contain the character NUL"),
        ("", "content is required"),
        ("---\nname: Empty\n---\n \n", "content is required"),
        ("---\nname: [1]\n---\nText", "name must be text"),
        ("---\nname: 42\n---\nText", "name must be text"),
        ("---\nname:\n---\nText", "name must be text"),
        ("---\nimportance: high\n---\nText", "importance must be a finite number"),
        ('---\nimportance: "0.5"\n---\nText', "importance must be a finite number"),
        ("---\nimportance: .nan\n---\nText", "importance must be a finite number"),
        ("---\nimportance: true\n---\nText", "importance must be a finite number"),
        ("---\nimportance: 1.5\n---\nText", "importance must be between 0.0 and 1.0"),
        (f"---\nimportance: {'9' * 5000}\n---\nText", "importance must be a finite number"),
        ("---\nversion: 0\nnode_id: x\n---\nText", "version must be between 1 and 1,000,000,000"),
        ("---\nversion: 99999999999\n---\nText", "version must be between 1 and 1,000,000,000"),
        ("---\ntags: one\n---\nText", "tags must be a list"),
        ("---\nscope: a b\n---\nText", "scope must be 1 to 128 of A-Z a-z 0-9 . _ : / -"),
        ("---\ntitle: Unknown\n---\nText", "Unknown argument 'title'"),
        ("---\nrequest_id: x\n---\nText", "Unknown argument 'request_id'"),
        ("---\ncontent: x\n---\nText", "Unknown argument 'content'"),
        ("---\nname: a\nname: b\n---\nText", "The front matter cannot be read: 'name' stands there twice, line 3"),
        (f"---\n{BOMB}---\nText", "The front matter cannot be read: anchors and aliases are not read, line 2"),
        (
            "---\nname: !!python/object/apply:os.system [ls]\n---\nText",
            "The front matter cannot be read: tags are not read, line 2",
        ),
        (
            "---\nname: {a: {b: {c: {d: {e: f}}}}}\n---\nText",
            "The front matter cannot be read: it is nested deeper than 4, line 2",
        ),
        ("---\n? [a]\n: b\nname: x\n---\nText", "The front matter cannot be read: a key must be text, line 2"),
        ("---\nname: 'open\n---\nText", "The front matter is no valid YAML, line 2"),
        (f"---\nname: {'x' * 70_000}\n---\nText", "The front matter is larger than 65,536 bytes"),
        (f"---\nname: {'x' * 300}\n---\nText", "name must be at most 256 characters"),
        ("x" * 65_537, "content must be at most 65536 characters"),
        ("x" * (MOST_FILE_BYTES + 1), f"The file is larger than {MOST_FILE_BYTES:,} bytes"),
        (
            "---\nvalid_from: 2026-01-02T00:00:00Z\nvalid_until: 2026-01-01T00:00:00Z\n---\nText",
            "valid_until must be after valid_from",
        ),
        (
            "---\ncreated_at: yesterday\n---\nText",
            "created_at must be a time in RFC 3339 with a zone, such as 2026-01-31T12:00:00Z",
        ),
        (
            "---\nnode_id: ../../etc\n---\nText",
            "Invalid UUID format for node_id '../../etc': expected 8-4-4-4-12 hexadecimal digits",
        ),
        ("---\nrelations: [{target: x}]\n---\nText", "Unknown argument 'target' in relations[0]"),
    ],
)
def test_what_cannot_be_a_memory_is_named_and_the_others_go_on(
    sqlite_curator: Curator, tmp_path: Path, text: str | bytes, sentence: str
) -> None:
    put(tmp_path, "out/a.md", "Goes in")
    put(tmp_path, "out/b/bad.md", text)
    put(tmp_path, "out/c.md", "Goes in too")
    answer = imported(sqlite_curator, tmp_path / "out")
    assert answer == done(created=2, skipped={"b/bad.md": sentence})


@pytest.mark.holds("memory.markdown.skipped", "memory.markdown.confined")
def test_links_and_special_files_are_not_read(sqlite_curator: Curator, tmp_path: Path) -> None:
    secret = put(tmp_path, "secret.md", "Secret")
    out = tmp_path / "out"
    put(out, "a.md", "Goes in")
    put(out, ".hidden/note.md", "Not looked at")
    put(out, "picture.png", b"\x89PNG")
    (out / "link.md").symlink_to(secret)
    (out / "folder").symlink_to(secret.parent)
    (out / "nowhere.md").symlink_to("nowhere at all")
    os.mkfifo(out / "pipe.md")
    answer = imported(sqlite_curator, out)
    linked = "A link is not followed"
    special = "The file cannot be read: pipe.md is no regular file"
    skipped = {"folder": linked, "link.md": linked, "nowhere.md": linked, "pipe.md": special}
    assert answer == done(created=1, skipped=skipped)


@pytest.mark.holds("memory.markdown.skipped")
def test_a_folder_that_is_none_is_refused(sqlite_curator: Curator, tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="There is no folder"):
        imported(sqlite_curator, tmp_path / "nowhere")
    with pytest.raises(InvalidInput, match="is not a folder"):
        imported(sqlite_curator, put(tmp_path, "file.md", "x"))
    (tmp_path / "empty").mkdir()
    assert imported(sqlite_curator, tmp_path / "empty") == done()


def packed(make: Callable[[zipfile.ZipFile], None]) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("good.md", "Goes in")
        make(archive)
    return data.getvalue()


def link(archive: zipfile.ZipFile) -> None:
    entry = zipfile.ZipInfo("link.md")
    entry.create_system, entry.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
    archive.writestr(entry, "/etc/passwd")


def take_in(curator: Curator, data: bytes) -> dict[str, Any]:
    return curator.application.memory.import_zip(data, False, "test").model_dump(mode="json")


OUT = "The name leads out of the archive"


@pytest.mark.holds("memory.markdown.hostile-zip")
@pytest.mark.parametrize(
    ("make", "skipped"),
    [
        (lambda archive: archive.writestr("../up.md", "x"), {"../up.md": OUT}),
        (lambda archive: archive.writestr("/etc/x.md", "x"), {"/etc/x.md": OUT}),
        (lambda archive: archive.writestr("a\\..\\..\\x.md", "x"), {"a/../../x.md": OUT}),
        (lambda archive: archive.writestr("C:\\x.md", "x"), {"C:/x.md": OUT}),
        (link, {"link.md": "A link is not followed"}),
        (
            lambda archive: archive.writestr("bomb.md", "0" * 20_000_000),
            {"bomb.md": f"The file is larger than {MOST_FILE_BYTES:,} bytes"},
        ),
        (
            lambda archive: archive.writestr("odd.md", "x", zipfile.ZIP_LZMA),
            {"odd.md": "A file of the archive is encrypted, or packed by a method other than deflate"},
        ),
        (lambda archive: archive.writestr(".git/x.md", "x"), {}),
        (lambda archive: archive.writestr("__MACOSX/x.md", "x"), {}),
        (lambda archive: archive.mkdir("folder.md"), {}),
        (lambda archive: archive.writestr("bad.md", b"\xff"), {"bad.md": "The file is no UTF-8 text"}),
    ],
)
def test_what_is_odd_in_an_archive_is_named_and_the_others_go_on(
    sqlite_curator: Curator, make: Callable[[zipfile.ZipFile], None], skipped: dict[str, str]
) -> None:
    assert take_in(sqlite_curator, packed(make)) == done(created=1, skipped=skipped)


@pytest.mark.holds("memory.markdown.hostile-zip")
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_of_one_path_in_an_archive_the_last_file_counts(sqlite_curator: Curator) -> None:
    def make(archive: zipfile.ZipFile) -> None:
        archive.writestr("a.md", "First")
        archive.writestr("a.md", "Second")

    answer = take_in(sqlite_curator, packed(make))
    assert answer == done(2, skipped={"a.md": "The archive holds this path more than once; the last one counts"})
    assert sqlite_curator.found("second")
    assert not sqlite_curator.found("first")


@pytest.mark.holds("memory.markdown.hostile-zip")
def test_damaged_entries_are_named(sqlite_curator: Curator) -> None:
    data = bytearray(packed(lambda archive: archive.writestr("bad.md", "x" * 1000)))
    local = data.index(b"bad.md") + len(b"bad.md")
    data[local : local + 4] = b"\xff\xff\xff\xff"
    assert take_in(sqlite_curator, bytes(data)) == done(
        created=1, skipped={"bad.md": "A file of the archive is damaged"}
    )


@pytest.mark.holds("memory.markdown.hostile-zip")
def test_entries_that_share_their_bytes_are_not_unpacked(sqlite_curator: Curator) -> None:
    """A thousand names for one file: the table of contents is written anew."""
    with zipfile.ZipFile(io.BytesIO(whole := packed(lambda archive: None))) as archive:
        table = archive.start_dir
    central, end = whole[table:-22], bytearray(whole[-22:])
    struct.pack_into("<HHL", end, 8, 1000, 1000, len(central) * 1000)
    answer = take_in(sqlite_curator, whole[:table] + central * 1000 + bytes(end))
    assert answer["created"] == 0
    assert len(answer["skipped"]) == 1000


@pytest.mark.holds("memory.markdown.hostile-zip")
@pytest.mark.parametrize("data", [b"", b"PK", b"no archive at all", b"PK\x05\x06" + b"\xff" * 18])
def test_what_is_no_archive_is_refused(sqlite_curator: Curator, data: bytes) -> None:
    with pytest.raises(BadArchive):
        take_in(sqlite_curator, data)


@pytest.mark.holds("memory.markdown.hostile-zip")
def test_a_packed_file_is_never_longer_than_it_may_be() -> None:
    incompressible = os.urandom(MOST_FILE_BYTES)
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.md", incompressible)
        assert archive.getinfo("a.md").compress_size < MOST_PACKED


@pytest.mark.holds("memory.markdown.skipped")
@given(some.binary(max_size=300) | some.text(max_size=300).map(lambda text: f"---\n{text}\n---\nx".encode()))
def test_no_file_whatever_breaks_the_reading(data: bytes) -> None:
    with suppress(LoreError):
        assert read_memory_file("any.md", data).request.content


@pytest.mark.holds("memory.markdown.skipped")
@pytest.mark.parametrize(
    "opener", ["--- ", "---\n", "- ", "[", "{a: ", "? ", "&a ", "'", '"\\', "# \n", " \n", "a:\n "]
)
def test_hostile_openers_are_read_in_no_time(opener: str) -> None:
    text = "---\n" + opener * (300_000 // len(opener))

    def work() -> None:
        for ending in ("", "\n---\nText"):
            with suppress(LoreError):
                read_memory_file("a.md", (text + ending).encode())

    within(0.5, work)
