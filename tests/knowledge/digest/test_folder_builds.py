"""Digests of folders, without any store."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from loreweave.errors import Conflict, InvalidInput, NoMarkdown
from loreweave.knowledge.digest.build_digest import REQUEST_BYTES, BuildOptions
from loreweave.knowledge.digest.build_sources import cache_file
from loreweave.knowledge.digest.digest_service import DigestService

PAGES = {
    "index.md": "# Acme\n\nAcme makes widgets.\n\n## Install\n\nRun `acme --now`.\n",
    "api/cli.mdx": "import X from 'x'\n\n# CLI\n\nThe command.\n\n## Flags\n\nUse `--depth`.\n",
}


def _bytes(folder: Path) -> bytes:
    return (folder / ".ask" / "digest.json").read_bytes()


@pytest.mark.holds("ask.digest.folder-build", "ask.digest.build-report")
def test_a_folder_is_built_then_skipped_then_updated(docs: Any, builder: Any) -> None:
    folder = docs(PAGES)
    report = builder.build(folder)
    first = _bytes(folder)
    assert report.model_dump() == {
        "status": "built",
        "path": str(folder / ".ask" / "digest.json"),
        "sections": 4,
        "distilled": 0,
        "contentHash": builder.digest(folder)["contentHash"],
    }
    assert builder.build(folder).status == "skipped"
    assert _bytes(folder) == first
    docs({"index.md": PAGES["index.md"] + "\nMore.\n"})
    assert builder.build(folder).status == "updated"
    assert _bytes(folder) != first


@pytest.mark.holds("ask.digest.folder-build")
@pytest.mark.parametrize("name", ["only.mdx", "only.markdown"])
def test_a_folder_without_a_single_md_file_is_built(docs: Any, builder: Any, name: str) -> None:
    assert builder.build(docs({name: "# P\n\nText.\n"})).sections == 1


@pytest.mark.holds("ask.digest.folder-build")
def test_a_folder_without_documents_is_refused(docs: Any, builder: Any) -> None:
    with pytest.raises(NoMarkdown):
        builder.build(docs({"readme.txt": "no"}))


@pytest.mark.holds("ask.digest.equal-bytes")
def test_equal_files_in_other_folders_at_other_times_give_equal_bytes(docs: Any, builder: Any, tmp_path: Path) -> None:
    folder = docs(PAGES)
    builder.build(folder)
    other = tmp_path / "elsewhere"
    for path, text in PAGES.items():
        (other / path).parent.mkdir(parents=True, exist_ok=True)
        (other / path).write_bytes(text.replace("\n", "\r\n").encode())
        os.utime(other / path, (1, 1))
    builder.build(other)
    assert _bytes(other) == _bytes(folder)


@pytest.mark.holds("ask.digest.incremental", "ask.digest.one-shot")
def test_a_model_is_sent_all_at_once_and_later_only_what_changed(docs: Any, builder: Any, scripted: Any) -> None:
    folder = docs(PAGES)
    model = builder.model = scripted()
    assert builder.build(folder).distilled == 4
    assert model.sent == [["api/cli", "api/cli#flags", "index", "index#install"]]
    first = _bytes(folder)
    assert builder.build(folder).status == "skipped"
    assert len(model.sent) == 1
    assert _bytes(folder) == first
    docs({"index.md": PAGES["index.md"].replace("--now", "--later")})
    model.texts.clear()
    report = builder.build(folder)
    assert (report.status, report.distilled) == ("updated", 1)
    assert model.sent[1:] == [["index#install"]]
    assert "widgets" not in "".join(model.texts)
    digest = builder.digest(folder)
    assert digest["context"] == "Written context."
    assert digest["suggestions"] == ["What is a widget?"]
    assert all(node["distilled"] for node in digest["nodes"])


@pytest.mark.holds("ask.digest.incremental")
def test_later_answers_add_terms_and_leave_context_and_suggestions(docs: Any, builder: Any, scripted: Any) -> None:
    folder = docs(PAGES)
    builder.model = scripted()
    builder.build(folder)
    docs({"new.md": "# New\n\nText.\n"})
    builder.model = scripted(
        lambda sections: {
            "context": "Other.",
            "suggestions": ["Other?"],
            "glossary": [
                {"term": "widget", "aliases": [], "definition": "Changed."},
                {"term": "Gear", "aliases": [], "definition": "A wheel."},
            ],
            "summaries": [],
        }
    )
    builder.build(folder)
    digest = builder.digest(folder)
    assert (digest["context"], digest["suggestions"]) == ("Written context.", ["What is a widget?"])
    assert [(entry["term"], entry["definition"]) for entry in digest["glossary"]] == [
        ("Gear", "A wheel."),
        ("Widget", "A thing."),
    ]
    assert next(node["summary"] for node in digest["nodes"] if node["id"] == "new") == "Text."


@pytest.mark.holds("ask.digest.one-shot")
def test_much_text_goes_in_several_requests(docs: Any, builder: Any, scripted: Any) -> None:
    half = "word " * (REQUEST_BYTES // 8)
    folder = docs({f"{name}.md": f"# {name}\n\n{half}\n" for name in "abcd"})
    model = builder.model = scripted()
    assert builder.build(folder).distilled == 4
    assert model.sent == [["a"], ["b"], ["c"], ["d"]] or model.sent == [["a", "b"], ["c", "d"]]


@pytest.mark.holds("ask.digest.refresh")
def test_refresh_sends_everything_and_takes_nothing_over(docs: Any, builder: Any, scripted: Any) -> None:
    folder = docs(PAGES)
    builder.model = scripted()
    builder.build(folder)
    model = builder.model = scripted(lambda sections: {"context": "New context."})
    assert builder.build(folder, refresh=True).distilled == 4
    assert len(model.sent[0]) == 4
    digest = builder.digest(folder)
    assert digest["context"] == "New context."
    assert not any(node["distilled"] for node in digest["nodes"])


@pytest.mark.holds("ask.digest.key-free")
def test_a_key_free_build_asks_nobody_and_keeps_what_was_written(docs: Any, builder: Any, scripted: Any) -> None:
    folder = docs(PAGES)
    builder.model = scripted()
    builder.build(folder)
    model = builder.model = scripted()
    docs({"more.md": "# More\n\nText.\n"})
    assert builder.build(folder, key_free=True).distilled == 0
    assert model.sent == []
    found = {node["id"]: node["distilled"] for node in builder.digest(folder)["nodes"]}
    assert found["index"]
    assert not found["more"]


@pytest.mark.holds("ask.digest.deleted-section")
def test_a_deleted_section_leaves_nothing_behind(docs: Any, builder: Any, scripted: Any) -> None:
    folder = docs({**PAGES, "gone.md": "# Gone\n\nThe Write Ahead Log (WAL) is here. [[index]]\n\n## Deep\n\nT.\n"})
    builder.model = scripted()
    builder.build(folder)
    docs({"gone.md": None})
    builder.build(folder)
    found = _bytes(folder)
    assert b"gone" not in found.lower()
    assert b"WAL" not in found


@pytest.mark.holds("ask.digest.incremental-equals-fresh")
def test_a_build_after_edits_is_the_build_of_the_edited_folder(docs: Any, builder: Any, tmp_path: Path) -> None:
    folder = docs({**PAGES, "old.md": "# Old\n\nText [x](index.md#install).\n"})
    service = DigestService(lambda: None, lambda: None, lambda name: None, cache=tmp_path / "cache")  # type: ignore[arg-type, return-value]
    service.build_folder(folder, BuildOptions(), builder.told.append)
    docs({"old.md": None, "new.md": "# New\n\n[[Acme]]\n", "index.md": PAGES["index.md"].replace("Install", "Set up")})
    service.build_folder(folder, BuildOptions(), builder.told.append)
    fresh = tmp_path / "fresh.json"
    builder.build(folder, out=fresh, refresh=True)
    assert fresh.read_bytes() == _bytes(folder)


@pytest.mark.holds("ask.digest.incremental-equals-fresh")
@pytest.mark.parametrize("kept", [".pages", ".index"])
def test_a_damaged_cache_is_as_none(docs: Any, builder: Any, tmp_path: Path, kept: str) -> None:
    folder = docs(PAGES)
    service = DigestService(lambda: None, lambda: None, lambda name: None, cache=tmp_path / "cache")  # type: ignore[arg-type, return-value]
    service.build_folder(folder, BuildOptions(), builder.told.append)
    first = _bytes(folder)
    cache = cache_file(tmp_path / "cache", folder, kept)
    assert cache is not None
    for damaged in (b"", b"{}\n", cache.read_bytes()[:-3], b"\xff" * 100):
        cache.write_bytes(damaged)
        assert service.build_folder(folder, BuildOptions(), builder.told.append).status == "skipped"
    assert _bytes(folder) == first


@pytest.mark.holds("ask.digest.failing-model")
@pytest.mark.parametrize("reply", [None, "text", {"summaries": "none"}, {"context": 5}])
def test_a_reply_that_cannot_be_used_leaves_the_old_file(docs: Any, builder: Any, scripted: Any, reply: Any) -> None:
    folder = docs(PAGES)
    builder.build(folder, key_free=True)
    before = _bytes(folder)
    docs({"index.md": "# Changed\n\nText.\n"})
    builder.model = scripted(lambda sections: reply)
    with pytest.raises(InvalidInput):
        builder.build(folder)
    assert _bytes(folder) == before
    assert os.listdir(folder / ".ask") == ["digest.json"]


@pytest.mark.holds("ask.digest.failing-model")
def test_a_model_that_is_refused_stops_the_build_before_anything_is_read(docs: Any, builder: Any) -> None:
    def refuse(name: str | None) -> Any:
        raise InvalidInput("ANTHROPIC_API_KEY is not set", field="model")

    folder = docs(PAGES)
    service = DigestService(lambda: None, lambda: None, refuse)  # type: ignore[arg-type, return-value]
    with pytest.raises(InvalidInput, match="ANTHROPIC_API_KEY"):
        service.build_folder(folder, BuildOptions(model="anthropic:x"), builder.told.append)
    assert not (folder / ".ask").exists()


@pytest.mark.holds("ask.digest.corpus")
def test_the_corpus_is_what_is_still_to_be_distilled(docs: Any, builder: Any, tmp_path: Path) -> None:
    folder = docs(PAGES)
    builder.build(folder, assemble={"summaries": [{"id": "index", "summary": "Known."}]})
    before = _bytes(folder)
    file = tmp_path / "corpus.json"
    report = builder.build(folder, corpus=file)
    found = json.loads(file.read_bytes())
    assert found["contentHash"] == report.contentHash == builder.digest(folder)["contentHash"]
    assert [section["id"] for section in found["sections"]] == ["api/cli", "api/cli#flags", "index#install"]
    hashes = {node["id"]: node["hash"] for node in builder.digest(folder)["nodes"]}
    assert found["sections"][2] == {
        "id": "index#install",
        "url": "/docs#install",
        "title": "Acme",
        "text": "## Install\n\nRun `acme --now`.\n",
        "hash": hashes["index#install"],
    }
    assert _bytes(folder) == before


@pytest.mark.holds("ask.digest.unreadable-digest")
@pytest.mark.parametrize("damaged", [b"{", b"[]", b'{"version": 0}', b"\xff\xfe\x00", b"[" * 100_000])
def test_a_digest_that_cannot_be_read_is_told_and_built_anew(docs: Any, builder: Any, damaged: bytes) -> None:
    folder = docs({**PAGES, ".ask/digest.json": damaged})
    assert builder.build(folder).status == "updated"
    assert len(builder.told) == 1
    assert builder.build(folder).status == "skipped"


@pytest.mark.holds("ask.digest.unreadable-digest")
def test_a_digest_with_odd_values_is_taken_where_it_makes_sense(docs: Any, builder: Any) -> None:
    odd = {
        "version": 1,
        "nodes": [1, {"id": 5, "distilled": True}, {"id": "index", "distilled": True, "hash": 1, "summary": "x"}],
        "glossary": [
            1,
            {"term": ""},
            {"term": "T", "definition": 1},
            {"term": "Fine", "definition": "Ok.", "aliases": 1},
        ],
        "suggestions": [1, "Why?"],
        "context": 7,
        "settings": "none",
    }
    folder = docs({**PAGES, ".ask/digest.json": json.dumps(odd)})
    builder.build(folder)
    digest = builder.digest(folder)
    assert [entry["term"] for entry in digest["glossary"]] == ["Fine"]
    assert digest["suggestions"] == ["Why?"]
    assert digest["context"].startswith("Acme.")


@pytest.mark.holds("ask.digest.folder-build")
def test_a_digest_is_never_written_through_a_strangers_link(docs: Any, builder: Any, tmp_path: Path) -> None:
    folder = docs(PAGES)
    (tmp_path / "victim").mkdir()
    (folder / ".ask").symlink_to(tmp_path / "victim")
    with pytest.raises(Conflict):
        builder.build(folder)
    assert list((tmp_path / "victim").iterdir()) == []


@pytest.mark.holds("ask.digest.folder-build")
def test_a_digest_can_be_put_elsewhere_and_takes_over_what_was_committed(
    docs: Any, builder: Any, tmp_path: Path
) -> None:
    folder = docs(PAGES)
    builder.build(folder, assemble={"context": "Ours."})
    out = tmp_path / "new" / "digest.json"
    assert builder.build(folder, out=out).status == "built"
    assert json.loads(out.read_bytes())["context"] == "Ours."
    assert builder.build(folder, out=out).status == "skipped"


@pytest.mark.holds("ask.overview.suggestions")
def test_suggestions_find_their_sections_in_the_real_search(docs: Any, builder: Any) -> None:
    folder = docs(
        {
            **PAGES,
            "guide.md": "# Guide\n\nHow to.\n\n## Rotate the keys\n\nKeys turn.\n\n## Paint a widget\n\nUse paint.\n",
        }
    )
    builder.build(folder)
    assert 3 <= len(builder.digest(folder)["suggestions"]) <= 5
