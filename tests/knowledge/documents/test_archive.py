"""ZIP files as people make them: what is read, under which path, and where the limits lie."""

import io
import os
import pickle
import sys
import zipfile
from pathlib import Path

import pytest

from loreweave.entities.note import SourceListing
from loreweave.errors import InvalidInput, NoMarkdown, TooLarge
from loreweave.knowledge.documents.archive import read_archive
from loreweave.knowledge.documents.source_paths import ReadingLimits

LIMITS = ReadingLimits(max_zip_bytes=100_000, max_files=5, max_markdown_bytes=1_000)


def zipped(files: dict[str, bytes | str], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return stream.getvalue()


def read(
    files: dict[str, bytes | str], subdirectory: str | None = None, limits: ReadingLimits = LIMITS, **options: str
) -> SourceListing:
    return read_archive(zipped(files), limits, **{"stem": "upload", "subdirectory": subdirectory, **options})


def paths(listing: SourceListing) -> list[str]:
    return [entry.path for entry in listing.entries]


def test_entries_carry_path_kind_size_and_bytes_in_path_order() -> None:
    listing = read({"b.md": "# B", "Z.md": "", "a/ü.MD": "é", "a/page.mdx": "x", "c.Markdown": "yy"})
    found = [(entry.path, entry.kind, entry.size, entry.read()) for entry in listing.entries]
    assert found == [
        ("Z.md", "note", 0, b""),
        ("a/page.mdx", "note", 1, b"x"),
        ("a/ü.MD", "note", 2, "é".encode()),
        ("b.md", "note", 3, b"# B"),
        ("c.Markdown", "note", 2, b"yy"),
    ]
    assert listing.warnings == ()
    assert {entry.mtime_ns for entry in listing.entries} == {None}


def test_a_listing_can_be_sent_to_another_process() -> None:
    listing = read({"a.md": "text"})
    sent = pickle.loads(pickle.dumps(listing))
    assert [(entry.path, entry.read()) for entry in sent.entries] == [("a.md", b"text")]


@pytest.mark.holds("graph.sources.wrapper-stripped")
def test_one_folder_around_everything_usable_is_stripped_and_names_the_source() -> None:
    around = {
        "vault/a.md": "",
        "vault/x/b.md": "",
        "__MACOSX/vault/._a.md": "",
        "LICENSE": "",
        ".DS_Store": "",
    }
    listing = read(around)
    assert (listing.name, paths(listing)) == ("vault", ["a.md", "x/b.md"])


@pytest.mark.holds("graph.sources.wrapper-stripped")
def test_only_one_folder_is_stripped() -> None:
    assert paths(read({"vault/docs/a.md": "", "vault/docs/b.md": ""})) == ["docs/a.md", "docs/b.md"]


@pytest.mark.holds("graph.sources.wrapper-stripped")
def test_without_a_wrapper_the_file_names_the_source() -> None:
    for files in ({"a.md": "", "x/b.md": ""}, {"x/a.md": "", "y/b.md": ""}):
        listing = read(files)
        assert (listing.name, paths(listing)) == ("upload", sorted(files))


def test_a_wrapper_that_cannot_name_a_graph_leaves_it_to_the_file() -> None:
    listing = read({"!!!/a.md": ""})
    assert (listing.name, paths(listing)) == ("upload", ["a.md"])


@pytest.mark.holds("graph.sources.github.wrapper", "graph.sources.wrapper-stripped")
def test_a_repository_is_always_wrapped_whatever_its_name_and_content() -> None:
    listing = read({".github-main/profile/README.md": "", ".github-main/x.png": ""}, repository=".github")
    assert (listing.name, paths(listing)) == (".github", ["profile/README.md"])


@pytest.mark.holds("graph.sources.wrapper-stripped", "graph.sources.ignored-components")
@pytest.mark.parametrize("name", ["build", "dist", ".claude"])
def test_a_wrapper_may_have_a_name_that_is_ignored_below_it(name: str) -> None:
    beside = {f"__MACOSX/{name}/._a.md": "", ".DS_Store": "", "LICENSE": ""}
    listing = read({f"{name}/a.md": "", f"{name}/{name}/b.md": "", **beside})
    assert (listing.name, paths(listing)) == (name, ["a.md"])


@pytest.mark.holds("graph.sources.zip.no-markdown", "graph.sources.ignored-components")
@pytest.mark.parametrize("files", [["node_modules/a.md"], ["__MACOSX/a.md"], [".github/a.md", "src/main.c"]])
def test_notes_in_ignored_folders_alone_are_none(files: list[str]) -> None:
    with pytest.raises(NoMarkdown):
        read(dict.fromkeys(files, ""))


NESTED = {
    "vault/readme.md": "0",
    "vault/skills/a.md": "1",
    "vault/skills/deep/b.md": "2",
    "vault/skillset/c.md": "3",
}


@pytest.mark.holds("graph.sources.subdirectory-with-or-without-wrapper", "graph.sources.subdirectory-relative-paths")
@pytest.mark.parametrize("written", ["skills", "skills/", "./skills", "vault/skills", "vault\\skills\\", "skills/."])
def test_a_subdirectory_is_found_with_and_without_the_wrapper(written: str) -> None:
    listing = read(NESTED, written)
    assert (listing.name, paths(listing)) == ("vault", ["a.md", "deep/b.md"])


@pytest.mark.holds("graph.sources.subdirectory-with-or-without-wrapper")
def test_the_wrapper_itself_and_nothing_at_all_mean_the_whole_source() -> None:
    for written in ("vault", "vault/", ".", "./", "", "  ", None):
        assert len(read(NESTED, written).entries) == 4


@pytest.mark.holds("graph.sources.subdirectory-with-or-without-wrapper")
def test_a_folder_below_the_wrapper_goes_before_the_wrapper_of_the_same_name() -> None:
    assert paths(read({"docs/docs/a.md": "", "docs/b.md": ""}, "docs")) == ["a.md"]


@pytest.mark.holds("graph.sources.subdirectory-unsafe")
@pytest.mark.parametrize("written", ["/skills", "\\skills", "C:\\skills", "..", "../x", "a/../b", "a\\..\\b", "a\0b"])
def test_a_subdirectory_that_could_lead_outside_is_refused(written: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        read(NESTED, written)
    assert refusal.value.facts == {"field": "subdirectory"}


@pytest.mark.holds("graph.sources.subdirectory-empty")
@pytest.mark.parametrize("written", ["nowhere", "skill", "readme.md", "vault/vault", "skills/a.md", "Skills"])
def test_a_subdirectory_with_nothing_under_it_has_no_markdown(written: str) -> None:
    with pytest.raises(NoMarkdown):
        read(NESTED, written)


@pytest.mark.holds("graph.sources.ignored-components")
def test_a_named_subdirectory_is_read_even_below_an_ignored_name() -> None:
    hidden = {"w/.claude/skills/a.md": "", "w/.claude/skills/.git/b.md": "", "w/readme.md": ""}
    assert paths(read(hidden, ".claude/skills")) == ["a.md"]
    del hidden["w/readme.md"]
    assert paths(read(hidden, ".claude/skills")) == ["a.md"]


@pytest.mark.holds("graph.sources.ignored-components", "graph.sources.ignored-is-whole-component")
def test_ignored_names_are_whole_components() -> None:
    ignored = [
        ".git/a.md",
        "x/.b.md",
        ".md",
        "node_modules/a/b.md",
        "x/dist/a.md",
        "build/a.md",
        "__MACOSX/a.md",
    ]
    kept = ["Build/a.md", "a.md", "builds/a.md", "dist.md", "my.git/a.md", "node_modules.md"]
    listing = read(dict.fromkeys(ignored + kept, ""), limits=ReadingLimits(10**6, 6, 0))
    assert paths(listing) == kept


@pytest.mark.holds("graph.sources.zip.backslash")
def test_backslashes_are_slashes() -> None:
    assert paths(read({"a\\b.md": "", "a\\.git\\c.md": "", "d.md": ""})) == ["a/b.md", "d.md"]


def test_the_committed_digest_is_read_from_the_root_alone() -> None:
    files = {"w/a.md": "", "w/.ask/digest.json": "{}", "w/.ask/other.json": "", "w/x/.ask/digest.json": "{}"}
    assert [(entry.path, entry.kind) for entry in read(files).entries] == [
        (".ask/digest.json", "digest"),
        ("a.md", "note"),
    ]


def test_a_digest_at_the_top_shows_that_there_is_no_wrapper() -> None:
    assert paths(read({".ask/digest.json": "{}", "docs/a.md": ""})) == [".ask/digest.json", "docs/a.md"]


@pytest.mark.holds("graph.sources.limits-inclusive", "graph.sources.limits-name-facts", "graph.ingest.zip-size-limit")
def test_an_archive_may_be_exactly_as_large_as_allowed() -> None:
    data = zipped({"a.md": "text"})
    assert read_archive(data, ReadingLimits(len(data), 5, 1_000), stem=None, subdirectory=None).entries
    with pytest.raises(TooLarge) as refusal:
        read_archive(data, ReadingLimits(len(data) - 1, 5, 1_000), stem=None, subdirectory=None)
    assert refusal.value.facts == {"what": "zip_bytes", "limit": len(data) - 1}


@pytest.mark.holds(
    "graph.sources.limits-inclusive", "graph.sources.ignored-count-nothing", "graph.ingest.file-count-limit"
)
def test_only_notes_count_as_files_and_the_limit_is_inclusive() -> None:
    files = {"1.md": "", "2.md": "", "3.md": "", "p.mdx": "", "q.markdown": ""}
    others = {"r.txt": "", ".git/s.md": "", "node_modules/t.md": ""}
    assert len(read(files | others).entries) == 5
    with pytest.raises(TooLarge) as refusal:
        read(files | {"one-more.md": ""})
    assert refusal.value.facts == {"what": "files", "limit": 5}


@pytest.mark.holds(
    "graph.sources.limits-inclusive",
    "graph.sources.ignored-count-nothing",
    "graph.ingest.markdown-size-limit",
)
def test_all_that_is_read_counts_as_bytes_and_the_limit_is_inclusive() -> None:
    files = {"a.md": "x" * 400, "b.mdx": "x" * 300, "c.markdown": "x" * 200, ".ask/digest.json": "x" * 100}
    assert sum(entry.size for entry in read(files | {"d.txt": "x" * 9_000, ".e.md": "x" * 9_000}).entries) == 1_000
    for name in files:
        with pytest.raises(TooLarge) as refusal:
            read(files | {name: files[name] + "x"})
        assert refusal.value.facts == {"what": "markdown_bytes", "limit": 1_000}


@pytest.mark.holds("graph.sources.zip.entry-count", "graph.sources.limits-inclusive")
def test_ten_thousand_entries_are_read_and_one_more_is_refused() -> None:
    files = {"a.md": ""} | {f"{number}.txt": "" for number in range(9_999)}
    limits = ReadingLimits(10**7, 5, 5)
    assert paths(read(files, limits=limits)) == ["a.md"]
    with pytest.raises(TooLarge) as refusal:
        read(files | {"folder/": ""}, limits=limits)
    assert refusal.value.facts == {"what": "entries", "limit": 10_000}


@pytest.mark.holds("graph.sources.zip.method")
@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_stored_and_deflated_text_comes_back_to_the_byte(method: int) -> None:
    content = os.urandom(300_000) + b"text " * 60_000
    data = zipped({"a.md": content, "b.md": b"", "c.md": content[:65_536]}, method)
    listing = read_archive(data, ReadingLimits(10**7, 5, 10**7), stem=None, subdirectory=None)
    assert [entry.read() for entry in listing.entries] == [content, b"", content[:65_536]]


class Unseekable(io.RawIOBase):
    """A stream that forces the writer to state sizes after the data."""

    def __init__(self) -> None:
        self.written = bytearray()

    def writable(self) -> bool:
        return True

    def write(self, data: bytes) -> int:
        self.written += data
        return len(data)


def test_an_archive_written_as_a_stream_is_read() -> None:
    stream = Unseekable()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("w/a.md", "text")
        with archive.open("w/b.md", "w", force_zip64=True) as entry:
            entry.write(b"more")
    listing = read_archive(bytes(stream.written), LIMITS, stem=None, subdirectory=None)
    assert [(entry.path, entry.read()) for entry in listing.entries] == [("a.md", b"text"), ("b.md", b"more")]


@pytest.mark.holds("graph.sources.zip.memory-only")
def test_reading_an_archive_opens_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = zipped({"a.md": "text", "b/c.md": "text"})
    read_archive(data, LIMITS, stem=None, subdirectory=None)
    opened: list[object] = []
    watching = True
    sys.addaudithook(lambda event, arguments: opened.append(arguments) if watching and event == "open" else None)
    listing = read_archive(data, LIMITS, stem=None, subdirectory=None)
    assert [entry.read() for entry in listing.entries] == [b"text", b"text"]
    watching = False
    assert opened == []
