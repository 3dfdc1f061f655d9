"""Memories as Markdown files: where they stand and what they say."""

import io
import zipfile
from pathlib import Path

import pytest
import yaml
from tests.memory.curator import Curator
from tests.memory.markdown.markdown_folder import exported, fresh, put

from loreweave.errors import InvalidInput
from loreweave.memory.markdown.export_memories import scope_folder


@pytest.mark.holds("memory.markdown.format")
def test_a_file_holds_front_matter_the_content_and_one_newline(curator: Curator, tmp_path: Path) -> None:
    other = curator.store("Water boils at 100 degrees", name="Water")
    node_id = curator.store(
        "Tea: at five.\r\n---\r\nNot  later! \n",
        name="Tea, at five?",
        importance=0.25,
        tags=["drinks", "yes", "Überall"],
        source='He said "so"\nand went',
        valid_from="2026-01-01T10:00:00+02:00",
        relations=[{"target_id": other, "type": "depends_on", "weight": 0.5}],
    )
    files = exported(curator, tmp_path / "out")
    text = files[f"default/tea-at-five-{node_id[:8]}.md"]
    assert text == (
        "---\n"
        f"node_id: {node_id}\n"
        'name: "Tea, at five?"\n'
        "scope: default\n"
        "importance: 0.25\n"
        "tags:\n"
        "  - drinks\n"
        '  - "yes"\n'
        '  - "Überall"\n'
        'source: "He said \\"so\\"\\nand went"\n'
        'created_at: "2026-01-01T00:00:00Z"\n'
        "version: 1\n"
        'valid_from: "2026-01-01T08:00:00Z"\n'
        "valid_until: null\n"
        "relations:\n"
        f"  - target_id: {other}\n"
        "    type: depends_on\n"
        "    weight: 0.5\n"
        "---\n"
        "Tea: at five.\r\n---\r\nNot  later! \n"
        "\n"
    )
    header = yaml.safe_load(text.split("---\n")[1])
    assert header["tags"] == ["drinks", "yes", "Überall"]
    assert header["created_at"] == "2026-01-01T00:00:00Z"
    assert header["relations"] == [{"target_id": other, "type": "depends_on", "weight": 0.5}]
    assert yaml.safe_load(files[f"default/water-{other[:8]}.md"].split("---\n")[1])["relations"] == []


@pytest.mark.holds("memory.markdown.live-only")
def test_only_live_memories_and_relations_between_them_are_exported(curator: Curator, tmp_path: Path) -> None:
    sleeping, kept = curator.store("Sleeping"), curator.store("Kept")
    both = [{"target_id": sleeping}, {"target_id": kept}]
    node_id = curator.store("Awake", relations=both)
    curator.forget(sleeping)
    one, two = curator.store("One"), curator.store("Two")
    curator.edit(kept, relations=[{"target_id": one}])
    merged = curator.merge(one, two)["merged_id"]
    files = exported(curator, tmp_path / "out")
    assert {name.rpartition("-")[2] for name in files} == {f"{each[:8]}.md" for each in (node_id, kept, merged)}
    awake = next(text for text in files.values() if text.endswith("\nAwake\n"))
    assert kept in awake
    assert sleeping not in awake
    assert merged in next(text for text in files.values() if text.endswith("\nKept\n"))


@pytest.mark.holds("memory.markdown.equal-bytes")
def test_equal_stores_give_equal_bytes(curator: Curator, tmp_path: Path) -> None:
    for number in range(30):
        curator.store(f"Text number {number}", name=f"Name {number % 7}", scope=f"scope/{number % 3}")
    service = curator.application.memory
    packed = service.export_zip(None)
    other = fresh(curator, tmp_path / "other")
    assert other.application.memory.import_zip(packed, False, "test").created == 30
    assert other.application.memory.export_zip(None) == packed
    assert exported(other, tmp_path / "out") == exported(curator, tmp_path / "out2")
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        assert archive.namelist() == sorted(archive.namelist())
        assert {entry.date_time for entry in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        files = {name: archive.read(name).decode() for name in archive.namelist()}
    assert files == exported(curator, tmp_path / "out")
    other.close()


@pytest.mark.holds("memory.markdown.scope")
def test_of_one_scope_nothing_else_is_exported(curator: Curator, tmp_path: Path) -> None:
    curator.store("Here")
    curator.store("There", scope="there")
    assert [name.partition("/")[0] for name in exported(curator, tmp_path / "out", "there")] == ["there"]
    with zipfile.ZipFile(io.BytesIO(curator.application.memory.export_zip("there"))) as archive:
        assert len(archive.namelist()) == 1


@pytest.mark.holds("memory.markdown.confined")
@pytest.mark.parametrize(
    ("scope", "folder"),
    [
        ("team/alpha", "team/alpha"),
        ("a:b.c", "a%3Ab.c"),
        ("team:b", "team:b"),
        ("..", "%2E%2E"),
        ("../../etc", "%2E%2E/%2E%2E/etc"),
        (".", "%2E"),
        ("/etc", "%/etc"),
        ("a//b/", "a/%/b/%"),
        (".hidden", "%2Ehidden"),
        ("notes.md", "notes%2Emd"),
        ("C:/x", "C%3A/x"),
    ],
)
def test_no_scope_leads_out_of_the_folder(sqlite_curator: Curator, tmp_path: Path, scope: str, folder: str) -> None:
    sqlite_curator.store("Somewhere", scope=scope, name="Here")
    out = tmp_path / "deep" / "out"
    assert scope_folder(scope) == folder
    [name] = exported(sqlite_curator, out)
    assert name.rpartition("/")[0] == folder
    assert [path.name for path in out.parent.iterdir()] == ["out"]
    other = fresh(sqlite_curator, tmp_path / "other")
    assert other.application.memory.import_folder(out, False, "test").created == 1
    assert other.found("Somewhere", scope=scope)
    other.close()


@pytest.mark.holds("memory.markdown.confined")
def test_nothing_is_written_through_a_link(sqlite_curator: Curator, tmp_path: Path) -> None:
    node_id = sqlite_curator.store("Here", name="Here")
    outside = put(tmp_path, "outside/file", "untouched")
    out = tmp_path / "out"
    (out / "default").mkdir(parents=True)
    (out / "default" / f"here-{node_id[:8]}.md").symlink_to(outside)
    sqlite_curator.application.memory.export_folder(out, None)
    assert outside.read_text() == "untouched"
    assert (out / "default" / f"here-{node_id[:8]}.md").read_text().endswith("---\nHere\n")
    linked = tmp_path / "linked"
    linked.mkdir()
    (linked / "default").symlink_to(outside.parent)
    with pytest.raises(InvalidInput, match="leads elsewhere"):
        sqlite_curator.application.memory.export_folder(linked, None)
    assert [path.name for path in outside.parent.iterdir()] == ["file"]


@pytest.mark.holds("memory.markdown.format")
@pytest.mark.parametrize("name", ["!!!", "😀", "x" * 256, "é" * 256, "a/../../b", ".md", "CON"])
def test_any_name_makes_a_file_name(sqlite_curator: Curator, tmp_path: Path, name: str) -> None:
    node_id = sqlite_curator.store("Text", name=name)
    [path] = exported(sqlite_curator, tmp_path / "out")
    assert path.count("/") == 1
    assert path.endswith(f"-{node_id[:8]}.md")
    assert len(path.rpartition("/")[2].encode()) <= 255


@pytest.mark.holds("memory.markdown.format")
def test_a_folder_that_cannot_be_written_is_said_so(sqlite_curator: Curator, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="cannot be written"):
        sqlite_curator.application.memory.export_folder(put(tmp_path, "file", "x"), None)
