"""Paths of sources: safe, alike from every source, and named by the same rules."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from loreweave.errors import LoreError, NoMarkdown
from loreweave.knowledge.documents.source_paths import (
    archive_stem,
    clean_path,
    clean_subdirectory,
    find_root,
    first_name,
    graph_id,
    kind_of,
    shown,
)
from loreweave.language.markdown.note_slugs import is_ignored

NAMES = st.text(st.sampled_from("ab./\\:C \0\n\x85é\udc80~") | st.characters(), max_size=30)


@pytest.mark.holds("graph.sources.markdown-any-case")
def test_a_name_says_what_a_file_is() -> None:
    kinds = {"a.md": "note", "A.MD": "note", "x/a.Md": "note", "a.mdx": "note", "a.MARKDOWN": "note"}
    kinds |= {".ask/digest.json": "digest", "x/.ask/digest.json": None, ".Ask/digest.json": None}
    kinds |= dict.fromkeys(["a.mdown", "amd", "a.md.txt", "a.md/b", "a.md ", "a.mar\u212adown", ".md", ""])
    assert {path: kind_of(path) for path in kinds} == kinds


@pytest.mark.holds("graph.sources.ignored-components", "graph.sources.ignored-is-whole-component")
@pytest.mark.parametrize("name", [".git", "node_modules", "dist", "build", "__MACOSX", ".hidden.md"])
def test_ignored_names_count_at_every_depth(name: str) -> None:
    assert all(is_ignored(path) for path in (name, f"{name}/a.md", f"x/{name}", f"x/{name}/y/a.md"))
    assert not any(is_ignored(path) for path in (f"my{name}/a.md", f"my{name}"))


@settings(deadline=None)
@given(NAMES)
@example("a\\..\\b.md")
@example("./../a.md")
@example("a/.//../b.md")
def test_a_clean_path_stays_below_the_root(raw: str) -> None:
    path = clean_path(raw)
    if path is None:
        return
    assert clean_path(path) in (path, None)  # a drive letter may come to the front
    assert not path.startswith("/")
    assert not {"..", ""} & set(path.split("/")[:-1])
    assert path.split("/")[-1] != ".."
    assert "\\" not in path
    path.encode("utf-8")


@settings(deadline=None)
@given(NAMES, st.lists(NAMES, max_size=5))
def test_a_subdirectory_is_refused_or_found_below_the_root(text: str, raw: list[str]) -> None:
    paths = [path for name in raw if (path := clean_path(name + "/a.md"))]
    try:
        root = find_root(paths, clean_subdirectory(text))
    except LoreError:
        return
    assert root.prefix == "" or root.prefix.endswith("/")
    assert root.prefix == "" or any(path.startswith(root.prefix) for path in paths)


@settings(deadline=None)
@given(st.text(max_size=400) | NAMES)
def test_a_shown_name_can_be_printed_and_encoded(raw: str) -> None:
    text = shown(raw)
    assert len(text) <= 300
    assert not any(ord(letter) < 32 for letter in text)
    text.encode("utf-8")


def test_nothing_under_a_subdirectory_of_nothing() -> None:
    with pytest.raises(NoMarkdown):
        find_root([], "a")


@pytest.mark.holds("graph.ingest.optional-name")
def test_a_graph_is_named_by_the_first_name_that_leaves_a_slug() -> None:
    assert graph_id("My Notes!", "repo") == "my-notes"
    assert graph_id(None, "Repo Name") == graph_id("", "Repo Name") == graph_id("***", "Repo Name") == "repo-name"
    assert graph_id(None, "") == graph_id("***", None) == "graph"
    assert first_name(None, "", "!!", "stem") == "stem"
    assert first_name(None) == ""


def test_the_stem_of_an_upload_is_its_name_without_folders_and_extension() -> None:
    stems = {
        "a.zip": "a",
        "A.ZIP": "A",
        "C:\\x\\b.zip": "b",
        "/tmp/c.d.zip": "c.d",
        "plain": "plain",
        ".zip": None,
    }
    assert {name: archive_stem(name) for name in stems} == stems
    assert archive_stem(None) is archive_stem("") is archive_stem("x/") is None
