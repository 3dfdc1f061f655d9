"""The same notes as ZIP, repository and folder: equal paths, kinds and bytes."""

import io
import zipfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.examples import examples

from loreweave.entities.note import SourceListing
from loreweave.errors import NoMarkdown
from loreweave.knowledge.documents.archive import read_archive
from loreweave.knowledge.documents.folder import list_folder
from loreweave.knowledge.documents.source_paths import ReadingLimits

LIMITS = ReadingLimits(10**6, 100, 10**6)
NAMED = ["x", "x y", ".git", "dist", "my.git", "ü", "node_modules", ".ask", "日本"]
FOLDERS = st.sampled_from([*NAMED, "Q: why"])
FILES = st.sampled_from(["a.md", "B.MD", "c.mdx", "d.markdown", "e.txt", "digest.json", ".f.md", "g\\h.md"])
PATHS = st.builds(lambda folders, file: "/".join([*folders, file]), st.lists(FOLDERS, max_size=3), FILES)


def zipped(files: dict[str, bytes], wrapper: str) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(f"{wrapper}/{name}", content)
    return stream.getvalue()


def content(listing: SourceListing) -> list[tuple[str, str, bytes]]:
    return [(entry.path, entry.kind, entry.read()) for entry in listing.entries]


def every_reading(files: dict[str, bytes], folder: Path, subdirectory: str | None = None) -> list[object]:
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    readings = (
        lambda: read_archive(zipped(files, "vault"), LIMITS, stem="upload", subdirectory=subdirectory),
        lambda: read_archive(zipped(files, "r-main"), LIMITS, repository="r", subdirectory=subdirectory),
        lambda: list_folder(folder, subdirectory=subdirectory),
    )
    results: list[object] = []
    for reading in readings:
        try:
            results.append(content(reading()))
        except NoMarkdown:
            results.append("no markdown")
    return results


@pytest.mark.holds("graph.revisions.hash-same-across-sources")
@settings(max_examples=examples(150), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    files=st.dictionaries(PATHS, st.binary(max_size=50), min_size=1, max_size=8),
    subdirectory=st.none() | st.sampled_from(NAMED),
)
def test_equal_content_is_read_alike_from_every_source(
    tmp_path_factory: pytest.TempPathFactory, files: dict[str, bytes], subdirectory: str | None
) -> None:
    archive, repository, folder = every_reading(files, tmp_path_factory.mktemp("source"), subdirectory)
    assert archive == repository == folder


def test_a_corpus_is_read_alike_from_every_source(tmp_path: Path) -> None:
    files = {f"{number % 7}/{number}.md": b"# %d\r\n" % number for number in range(50)}
    files |= {
        "README.MD": b"\xef\xbb\xbftext",
        ".ask/digest.json": b"{}",
        "x.mdx": b"",
        ".git/config.md": b"no",
    }
    archive, repository, folder = every_reading(files, tmp_path)
    assert archive == repository == folder
    assert isinstance(folder, list)
    assert len(folder) == 53
