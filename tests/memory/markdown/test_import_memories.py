"""Markdown files taken in: what is new, what is an edit, what is left."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from uuid import uuid4

import pytest
from tests.memory.curator import Curator, lasting
from tests.memory.markdown.markdown_folder import done, exported, fresh, imported, put


def file_of(folder: Path, node_id: str) -> Path:
    [path] = folder.rglob(f"*-{node_id[:8]}.md")
    return path


def change(path: Path, old: str, new: str) -> None:
    text = path.read_bytes().decode()
    assert text.count(old) == 1
    path.write_bytes(text.replace(old, new).encode())


@pytest.mark.holds("memory.markdown.round-trip", "memory.markdown.unknown-id", "memory.markdown.relations-last")
def test_a_whole_store_comes_back_in_another(curator: Curator, tmp_path: Path) -> None:
    one = curator.store("One\r\n---\r\nand more \n\n", tags=["a", "b"], source="here", importance=0.123456)
    two = curator.store("Two", valid_from="2025-01-01T00:00:00.5Z", valid_until="2027-01-01T00:00:00Z")
    curator.edit(one, relations=[{"target_id": two, "type": "supersedes"}, {"target_id": two, "weight": 0.1}])
    curator.wait(3)
    three = curator.store("Three", scope="a/b", relations=[])
    files = exported(curator, tmp_path / "out")
    other = fresh(curator, tmp_path / "other")
    assert imported(other, tmp_path / "out", dry_run=True) == done(created=3)
    assert other.call("get_memetic_status")["counts"]["live"] == 0
    assert imported(other, tmp_path / "out") == done(created=3)
    for node_id in (one, two, three):
        before, after = curator.record(node_id), other.record(node_id)
        assert lasting(after) == lasting(before)
        assert after["version"] == before["version"]
        assert other.actions(node_id) == ["stored"]
    assert exported(other, tmp_path / "again") == files
    assert imported(other, tmp_path / "out") == done(unchanged=3)
    assert imported(curator, tmp_path / "out") == done(unchanged=3)
    assert exported(other, tmp_path / "again") == files
    assert other.actions(one) == ["stored"]
    other.close()


@pytest.mark.holds("memory.markdown.known-id")
def test_a_changed_file_is_an_edit(curator: Curator, tmp_path: Path) -> None:
    node_id, other = curator.store("Before", name="Name", source="there", tags=["kept"]), curator.store("Other")
    exported(curator, tmp_path / "out")
    path = file_of(tmp_path / "out", node_id)
    change(path, "---\nBefore\n", "---\nAfter\n")
    change(path, "source: there", "source: null")
    change(path, "relations: []", f"relations:\n  - target_id: {other}")
    assert imported(curator, tmp_path / "out", dry_run=True) == done(updated=1, unchanged=1)
    assert curator.record(node_id)["content"] == "Before"
    assert imported(curator, tmp_path / "out") == done(updated=1, unchanged=1)
    record = curator.record(node_id)
    assert (record["content"], record["source"], record["tags"], record["version"]) == ("After", None, ["kept"], 2)
    assert curator.relations(node_id) == {(node_id, other, "relates_to", 1.0)}
    assert curator.actions(node_id) == ["stored", "edited"]
    assert record["history"][0]["detail"] == {"content": "Before", "source": "there", "relations": []}
    assert curator.found("After") == [node_id]
    assert imported(curator, tmp_path / "out") == done(unchanged=2)


@pytest.mark.holds("memory.markdown.known-id")
def test_what_a_file_does_not_name_stays(curator: Curator, tmp_path: Path) -> None:
    node_id = curator.store("Before", name="Name", importance=0.9, tags=["kept"], source="there")
    put(tmp_path, "out/a.md", f"---\nnode_id: {node_id.upper()}\n---\nAfter")
    assert imported(curator, tmp_path / "out") == done(updated=1)
    record = curator.record(node_id)
    assert (record["content"], record["name"], record["importance"]) == ("After", "Name", 0.9)
    assert (record["tags"], record["source"]) == (["kept"], "there")


@pytest.mark.holds("memory.markdown.known-id")
def test_a_file_that_is_behind_is_skipped_where_something_differs(curator: Curator, tmp_path: Path) -> None:
    same, behind = curator.store("Same"), curator.store("Behind")
    for node_id in (same, behind):
        curator.edit(node_id, importance=0.9)
    exported(curator, tmp_path / "out")
    curator.edit(behind, importance=0.1)
    curator.call("boost_importance", node_id=same, delta=0.1)
    curator.call("boost_importance", node_id=same, delta=-0.1)
    name = file_of(tmp_path / "out", behind).relative_to(tmp_path / "out").as_posix()
    sentence = f"Memory {behind} changed meanwhile: the file is of version 2, the memory of version 3"
    for dry_run in (True, False):
        assert imported(curator, tmp_path / "out", dry_run=dry_run) == done(unchanged=1, skipped={name: sentence})
    assert curator.record(behind)["importance"] == 0.1


@pytest.mark.holds("memory.markdown.known-id")
def test_a_memory_in_the_trash_or_in_a_merge_is_skipped(curator: Curator, tmp_path: Path) -> None:
    ids = [curator.store(f"Text {word}") for word in ("one", "two", "three")]
    exported(curator, tmp_path / "out")
    curator.forget(ids[0])
    curator.merge(*ids[1:])
    answer = imported(curator, tmp_path / "out")
    assert [each["error"] for each in answer["skipped"]] == ["Memory already deleted"] * 3
    assert curator.record(ids[0])["state"] == "deleted"


@pytest.mark.holds("memory.markdown.unknown-id")
def test_what_was_erased_is_unknown_and_comes_back_by_an_import(curator: Curator, tmp_path: Path) -> None:
    erased, expired = curator.store("Erased"), curator.store("Expired")
    exported(curator, tmp_path / "out")
    curator.forget(erased, soft_delete=False)
    curator.forget(expired)
    curator.wait(30)
    assert imported(curator, tmp_path / "out", dry_run=True) == done(created=2)
    assert imported(curator, tmp_path / "out") == done(created=2)
    assert curator.actions(erased) == ["erased", "stored"]
    assert curator.record(expired)["created_at"] == "2026-01-01T00:00:00Z"
    for node_id in (erased, expired):
        curator.forget(node_id, soft_delete=False)
    assert imported(curator, tmp_path / "out") == done(created=2)


@pytest.mark.holds("memory.markdown.no-id")
def test_a_file_without_id_is_new_unless_its_text_is_known(curator: Curator, tmp_path: Path) -> None:
    curator.store("Known already")
    put(tmp_path, "out/known.md", "---\nname: Other name\n---\nKnown   already\n")
    put(tmp_path, "out/new.md", "---\ntags: [one]\nsource:\nscope: default\nversion: 7\n---\nNew here\n")
    put(tmp_path, "out/twice.md", "New here\n")
    put(tmp_path, "out/elsewhere.md", "---\nscope: elsewhere\n---\nKnown already\n")
    assert imported(curator, tmp_path / "out", dry_run=True) == done(created=2, unchanged=2)
    assert imported(curator, tmp_path / "out") == done(created=2, unchanged=2)
    [found] = curator.call("search_memories", query="New")["results"]
    assert (found["content"], found["version"]) == ("New here", 1)
    assert imported(curator, tmp_path / "out") == done(unchanged=4)


@pytest.mark.holds("memory.markdown.no-front-matter")
@pytest.mark.parametrize(
    "content",
    [
        "Plain text",
        "# Title\n\nA text: with a colon",
        "---\nA rule, and then text",
        "---\nProse between rules\n---\nand more",
        "---\n- a list\n---\nand more",
        "--- \r\n*stars*\r\n---\r\nwindows",
        "\n---\nname: too late\n---\n",
        "---\n: [ {\n---\nodd",
    ],
)
def test_without_front_matter_all_is_content(sqlite_curator: Curator, tmp_path: Path, content: str) -> None:
    put(tmp_path, "out/note.MD", content + "\n")
    assert imported(sqlite_curator, tmp_path / "out") == done(created=1)
    with sqlite_curator.application.store.read() as connection:
        assert connection.rows("SELECT content FROM memories") == [(content,)]


@pytest.mark.holds("memory.markdown.no-front-matter")
def test_a_mark_of_byte_order_is_no_content(sqlite_curator: Curator, tmp_path: Path) -> None:
    put(tmp_path, "out/note.md", b"\xef\xbb\xbf---\r\nname: Marked\r\n---\r\nText\r\nand more\r\n")
    assert imported(sqlite_curator, tmp_path / "out") == done(created=1)
    [memory] = sqlite_curator.call("search_memories", query="text")["results"]
    assert (memory["name"], memory["content"]) == ("Marked", "Text\r\nand more")


@pytest.mark.holds("memory.markdown.relations-last")
def test_files_may_relate_to_one_another_in_any_order(curator: Curator, tmp_path: Path) -> None:
    ids = [str(uuid4()) for _ in range(250)]  # more than one transaction
    for place, node_id in enumerate(ids):
        target = ids[(place + 1) % len(ids)]
        put(
            tmp_path,
            f"out/{place:03}.md",
            f"---\nnode_id: {node_id}\nversion: 3\nrelations:\n- target_id: {target}\n  type: part_of\n---\n"
            f"Text of its own, number {place}\n",
        )
    assert imported(curator, tmp_path / "out") == done(created=250)
    assert curator.relations(ids[0]) == {(ids[0], ids[1], "part_of", 1.0), (ids[-1], ids[0], "part_of", 1.0)}
    assert curator.record(ids[0])["version"] == 3
    assert imported(curator, tmp_path / "out") == done(unchanged=250)


@pytest.mark.holds("memory.markdown.relations-last", "memory.markdown.skipped")
def test_a_relation_that_does_not_hold_skips_the_file_and_those_that_count_on_it(
    curator: Curator, tmp_path: Path
) -> None:
    ids = [str(uuid4()) for _ in range(6)]
    live = curator.store("Elsewhere", scope="elsewhere")
    gone = curator.store("Gone")
    curator.forget(gone)
    nobody = str(uuid4())
    targets = [ids[1], ids[2], nobody, live, gone, ids[5]]
    for place, (node_id, target) in enumerate(zip(ids, targets, strict=True)):
        put(
            tmp_path, f"out/{place}.md", f"---\nnode_id: {node_id}\nrelations: [{{target_id: {target}}}]\n---\nT{place}"
        )
    put(tmp_path, "out/6.md", "Goes on")
    skipped = {
        "0.md": f"Memory {ids[1]} not found",
        "1.md": f"Memory {ids[2]} not found",
        "2.md": f"Memory {nobody} not found",
        "3.md": "relations[0] names a memory of another scope",
        "4.md": "Memory already deleted",
        "5.md": "relations[0] relates a memory to itself",
    }
    for dry_run in (True, False):
        assert imported(curator, tmp_path / "out", dry_run=dry_run) == done(created=1, skipped=skipped)


@pytest.mark.holds("memory.markdown.relations-last")
def test_files_that_supersede_one_another_in_a_circle_do_not_get_in(curator: Curator, tmp_path: Path) -> None:
    one, two = str(uuid4()), str(uuid4())
    known = curator.store("Known")
    for name, own, target in (("1", one, two), ("2", two, known), ("3", known, one)):
        header = f"node_id: {own}\nrelations: [{{target_id: {target}, type: supersedes}}]"
        put(tmp_path, f"out/{name}.md", f"---\n{header}\n---\nT{name}")
    skipped = {"3.md": "supersedes would form a circle"}
    assert imported(curator, tmp_path / "out", dry_run=True) == done(created=2, skipped=skipped)
    assert imported(curator, tmp_path / "out") == done(created=2, skipped=skipped)
    assert imported(curator, tmp_path / "out") == done(unchanged=2, skipped=skipped)


@pytest.mark.holds("memory.markdown.known-id")
def test_relations_that_sleep_are_no_difference(curator: Curator, tmp_path: Path) -> None:
    sleeping, other = curator.store("Sleeping"), curator.store("Other one")
    node_id = curator.store("Awake", relations=[{"target_id": sleeping}, {"target_id": other}])
    curator.forget(sleeping)
    merged = curator.merge(other, curator.store("Third one"))
    exported(curator, tmp_path / "out")
    assert imported(curator, tmp_path / "out") == done(unchanged=2)
    curator.restore(sleeping)
    curator.undo(merged["reversal_hash"])
    assert {target for _, target, _, _ in curator.relations(node_id)} == {sleeping, other}


@pytest.mark.holds("memory.markdown.second-import")
def test_of_two_files_with_one_id_the_newer_counts(curator: Curator, tmp_path: Path) -> None:
    node_id = str(uuid4())
    put(tmp_path, "out/a.md", f"---\nnode_id: {node_id}\nversion: 1\n---\nOld")
    put(tmp_path, "out/b.md", f"---\nnode_id: {node_id}\nversion: 2\n---\nNew")
    put(tmp_path, "out/c.md", f"---\nnode_id: {node_id}\n---\nOf unknown age")
    sentence = "The file b.md names the same node_id"
    skipped = {"a.md": sentence, "c.md": sentence}
    assert imported(curator, tmp_path / "out") == done(created=1, skipped=skipped)
    assert curator.record(node_id)["content"] == "New"
    assert imported(curator, tmp_path / "out") == done(unchanged=1, skipped=skipped)


@pytest.mark.holds("memory.markdown.missing-file")
def test_a_missing_file_deletes_nothing(curator: Curator, tmp_path: Path) -> None:
    kept, other = curator.store("Kept"), curator.store("Other")
    exported(curator, tmp_path / "out")
    file_of(tmp_path / "out", kept).unlink()
    assert imported(curator, tmp_path / "out") == done(unchanged=1)
    assert curator.record(kept)["state"] == curator.record(other)["state"] == "live"


@pytest.mark.holds("memory.markdown.second-import")
def test_two_processes_that_take_in_the_same_files_make_each_memory_once(
    curator: Curator, clock_file: Path, tmp_path: Path
) -> None:
    ids = [str(uuid4()) for _ in range(220)]
    for place, node_id in enumerate(ids):
        put(tmp_path, f"out/{place}.md", f"---\nnode_id: {node_id}\n---\nText of its own, number {place}\n")
    other = Curator(curator.settings, clock_file)
    with ThreadPoolExecutor(2) as threads:
        answers = list(threads.map(lambda each: imported(each, tmp_path / "out"), (curator, other)))
    other.close()
    assert sum(answer["created"] for answer in answers) == len(ids)
    assert [answer["skipped"] for answer in answers] == [[], []]
    assert curator.call("get_memetic_status")["counts"]["live"] == len(ids)
    assert {curator.record(node_id)["version"] for node_id in ids} == {1}


@pytest.mark.holds("memory.markdown.round-trip")
def test_pairs_among_imported_files_are_found(curator: Curator, tmp_path: Path) -> None:
    text = "The team meets every Monday morning in the small room beside the kitchen to plan the work of the week"
    known = curator.store(text)
    changed = curator.store("Something else")
    put(tmp_path, "out/a.md", text.replace("small", "little"))
    put(tmp_path, "out/b.md", text + "?")
    put(tmp_path, "out/c.md", f"---\nnode_id: {changed}\n---\n{text}!")
    assert imported(curator, tmp_path / "out") == done(created=2, updated=1)
    status = curator.call("get_memetic_status")
    [task] = status["curation_tasks"]
    assert len(task["target_nodes"]) == 4
    assert {known, changed} < set(task["target_nodes"])
    assert curator.call("get_memetic_status", refresh=True) == status
