"""The digest as a tree of Markdown files."""

import json
import os
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.examples import examples
from tests.knowledge.digest.tree_reader import read_tree

from loreweave.contracts.wire import committed_json
from loreweave.entities.digest import Digest, Distilled, GlossaryTerm
from loreweave.errors import Conflict, InvalidInput
from loreweave.knowledge.digest.digest_file import digest_bytes, digest_value
from loreweave.knowledge.digest.digest_tree import TreeNames, write_tree

PAGES = {
    "index.md": "# Acme\n\nAcme makes widgets.\n\n## Install\n\nRun `acme --now`, see [flags](api/cli.md).\n",
    "api/cli.md": "# CLI\n\nUse it.\n\n## Flags\n\nThe Write Ahead Log (WAL) is kept.\n",
}
_TEXT = st.text(alphabet=st.characters(codec="utf-8"), max_size=30)
_NAME = st.text(alphabet=st.sampled_from("aAbBß .:/?%#*\\é\u0301_-1"), min_size=1, max_size=12)


def _write(folder: Path, digest: Digest, sources: dict[str, str]) -> None:
    write_tree(folder, digest_value(digest), sources, lambda files: "# Pages\n")


def _files(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.holds("ask.tree.layout")
def test_a_build_writes_sections_terms_sources_and_lists(docs: Any, builder: Any, tmp_path: Path) -> None:
    folder = docs(PAGES)
    builder.build(folder, tree=tmp_path / "tree")
    assert _files(tmp_path / "tree") == {
        "_meta.md",
        "index.md",
        "index/install.md",
        "api/cli.md",
        "api/cli/flags.md",
        "_glossary/Write Ahead Log.md",
        "_source/index.md",
        "_source/api/cli.md",
        "llms.txt",
    }
    text = (tmp_path / "tree" / "index" / "install.md").read_text()
    header, body = text.removeprefix("---\n").split("\n---\n\n")
    fields = yaml.safe_load(header)
    assert body == "Run acme --now, see flags.\n"
    assert (fields["id"], fields["url"], fields["heading"]) == ("index#install", "/docs#install", "Install")
    assert fields["facts"][0]["literal"] == "acme --now"
    assert {"to": "api/cli", "kind": "link"} in fields["edges"]
    assert (tmp_path / "tree" / "_source" / "api" / "cli.md").read_text() == PAGES["api/cli.md"]
    assert "(_source/api/cli.md)" in (tmp_path / "tree" / "llms.txt").read_text()


@pytest.mark.holds("ask.tree.lossless")
def test_the_tree_reads_back_to_the_same_file(docs: Any, builder: Any, tmp_path: Path) -> None:
    folder = docs(PAGES)
    given = {"context": "Two\nlines. \u2028 odd", "summaries": [{"id": "index", "summary": "---\n\nA: b\r\n# x"}]}
    builder.build(folder, assemble=given, tree=tmp_path / "tree")
    assert committed_json(read_tree(tmp_path / "tree")) == (folder / ".ask" / "digest.json").read_bytes()


@pytest.mark.holds("ask.tree.lossless")
@given(
    names=st.lists(_NAME, min_size=1, max_size=5, unique=True),
    terms=st.lists(st.tuples(_NAME, _TEXT), max_size=4),
    context=_TEXT,
    summary=_TEXT,
)
@settings(max_examples=examples(150), suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_digest_survives_its_tree(
    digest_made: Callable[..., Digest],
    tmp_path_factory: pytest.TempPathFactory,
    names: list[str],
    terms: list[tuple[str, str]],
    context: str,
    summary: str,
) -> None:
    pages = {f"{name.strip('/') or 'x'}.md": f"# T\n\nText.\n\n## {name}\n\nMore.\n\n## a\n\nb\n" for name in names}
    given_terms = tuple(GlossaryTerm(term, (), text, given=True) for term, text in terms)
    plain = digest_made(pages)
    summaries = {section.id: (section.hash, summary) for section in plain.sections[:3]}
    digest = digest_made(pages, Distilled(context, given_terms, None, summaries))
    folder = tmp_path_factory.mktemp("tree")
    _write(folder, digest, pages)
    assert committed_json(read_tree(folder)) == digest_bytes(digest)


@pytest.mark.holds("ask.tree.names")
def test_names_that_a_file_system_folds_or_refuses_stay_apart() -> None:
    names = TreeNames()
    terms = [
        "C++",
        "C#",
        "c#",
        "a/b",
        "a\\b",
        "CON",
        "con.x",
        ".",
        "..",
        "x.",
        "é",
        "e\u0301",
        "É",
        "ß",
        "ss",
        "x" * 400,
    ]
    terms += ["x" * 401, "a%2Fb", "tab\there", "nul"]
    files = [names.term(term) for term in terms]
    folded = {unicodedata.normalize("NFC", file.casefold()) for file in files}
    assert len(folded) == len(terms)
    assert files[:2] == ["_glossary/C++.md", "_glossary/C%23.md"]
    for file in files:
        name = file.removeprefix("_glossary/")
        assert "/" not in name
        assert len(name.encode()) <= 255
        assert not set(name) & set('<>:"\\|?*\t')
        assert name.split(".")[0].casefold() not in ("con", "nul", "")


@pytest.mark.holds("ask.tree.names")
def test_a_page_and_a_section_that_would_share_a_file_do_not() -> None:
    names = TreeNames()
    assert names.section("guide/install") == "guide/install.md"
    assert names.section("guide#install") == "guide%23install.md"
    assert names.section("guide.md#x") == "guide%2Emd/x.md"
    assert names.section("_meta") == "%5Fmeta.md"
    assert names.section("_source/x#y") == "%5Fsource/x/y.md"
    assert names.section("llms.txt/x") == "llms%2Etxt/x.md"


@pytest.mark.holds("ask.tree.stale-files")
def test_files_of_ours_that_no_longer_belong_go_and_strangers_stay(
    digest_made: Callable[..., Digest], tmp_path: Path
) -> None:
    _write(tmp_path, digest_made(PAGES), PAGES)
    (tmp_path / "notes.txt").write_text("mine")
    (tmp_path / "api" / "mine.md").write_text("mine")
    fewer = {"index.md": PAGES["index.md"]}
    _write(tmp_path, digest_made(fewer), fewer)
    assert _files(tmp_path) == {
        "_meta.md",
        "index.md",
        "index/install.md",
        "_source/index.md",
        "llms.txt",
        "notes.txt",
        "api/mine.md",
    }
    assert not (tmp_path / "_glossary").exists()


@pytest.mark.holds("ask.tree.stale-files")
def test_a_strangers_file_in_the_way_is_named_and_nothing_is_written(
    digest_made: Callable[..., Digest], tmp_path: Path
) -> None:
    (tmp_path / "index.md").write_text("mine")
    with pytest.raises(Conflict, match=r"index\.md"):
        _write(tmp_path, digest_made(PAGES), PAGES)
    assert _files(tmp_path) == {"index.md"}
    assert (tmp_path / "index.md").read_text() == "mine"


@pytest.mark.holds("ask.tree.stale-files")
def test_a_tree_that_was_broken_off_is_finished_and_leaves_nothing(
    digest_made: Callable[..., Digest], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _write(tmp_path, digest_made(PAGES), PAGES)
    other = {"new.md": "# New\n\nText.\n\n## More\n\nText.\n", "zoo.md": "# Zoo\n\nText.\n"}
    calls = iter(range(100))
    replace = os.replace

    def dying(*args: Any, **kwargs: Any) -> None:
        if next(calls) == 3:
            raise KeyboardInterrupt
        replace(*args, **kwargs)

    monkeypatch.setattr(os, "replace", dying)
    with pytest.raises(KeyboardInterrupt):
        _write(tmp_path, digest_made(other), other)
    monkeypatch.undo()
    _write(tmp_path, digest_made(other), other)
    left = {path for path in _files(tmp_path) if not path.endswith(".tmp")}
    assert left == {"_meta.md", "llms.txt", "new.md", "new/more.md", "zoo.md", "_source/new.md", "_source/zoo.md"}


@pytest.mark.holds("ask.tree.confined")
def test_nothing_is_written_or_removed_through_a_link(digest_made: Callable[..., Digest], tmp_path: Path) -> None:
    tree, outside = tmp_path / "tree", tmp_path / "outside"
    _write(tree, digest_made(PAGES), PAGES)
    (outside / "api").mkdir(parents=True)
    (outside / "cli.md").write_text("victim")
    for name in ("cli.md", "cli"):
        path = tree / "api" / name
        if path.is_dir():
            (path / "flags.md").unlink()
            path.rmdir()
        else:
            path.unlink()
    (tree / "api").rmdir()
    (tree / "api").symlink_to(outside)
    with pytest.raises(Conflict):
        _write(tree, digest_made(PAGES), PAGES)
    fewer = {"index.md": PAGES["index.md"]}
    _write(tree, digest_made(fewer), fewer)
    assert (outside / "cli.md").read_text() == "victim"


@pytest.mark.holds("ask.tree.confined")
def test_a_list_of_files_that_leads_outside_is_not_believed(digest_made: Callable[..., Digest], tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    _write(tree, digest_made(PAGES), PAGES)
    victim = tmp_path / "victim.md"
    victim.write_text("mine")
    meta = tree / "_meta.md"
    meta.write_text(meta.read_text().replace("files:\n", f'files:\n- "../victim.md"\n- {json.dumps(str(victim))}\n'))
    _write(tree, digest_made(PAGES), PAGES)
    assert victim.read_text() == "mine"


@pytest.mark.holds("ask.tree.layout")
def test_a_tree_among_the_documents_is_refused(docs: Any, builder: Any) -> None:
    folder = docs(PAGES)
    for place in (folder, folder / "tree"):
        with pytest.raises(InvalidInput):
            builder.build(folder, tree=place)
    builder.build(folder, tree=folder / ".ask" / "tree")
    assert builder.build(folder).sections == 4
