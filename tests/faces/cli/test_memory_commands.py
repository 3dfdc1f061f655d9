"""`lore memory`: each command prints its tool's result, and a failure is the sentence on stderr."""

import io
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from tests import forked
from tests.faces.cli.terminal import on_terminal
from tests.laid_tables import lay_tables
from tests.pace import PATIENCE

LORE = [sys.executable, "-m", "loreweave.faces.cli.lore"]
UNKNOWN = "550e8400-e29b-41d4-a716-446655440000"


@pytest.fixture
def stored(lore, tmp_path) -> str:
    lay_tables(tmp_path / "data")
    return lore("memory", "add", "Tokens live for an hour.", "--tag", "auth", "--importance", "0.7").json["node_id"]


def piped(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))


@pytest.mark.holds("memory.cli.commands")
def test_each_command_prints_its_tools_result(lore, stored: str) -> None:
    assert lore("memory", "search", "tokens", "--limit", "3").json["results"][0]["node_id"] == stored
    assert lore("memory", "search", "tokens", "--scope", "elsewhere").json["count"] == 0
    assert lore("memory", "search", "tokens", "--as-of", "2000-01-01T00:00:00Z").json["count"] == 0
    assert lore("memory", "status", "--refresh").json["counts"]["live"] == 1
    assert lore("memory", "boost", stored, "-0.2").json["new_importance"] == 0.5
    assert lore("memory", "boost", stored, "1").json["clamped"] is True
    assert lore("memory", "forget", stored, "--reason", "a test").json["soft_deleted"] is True
    assert [item["node_id"] for item in lore("memory", "trash").json["items"]] == [stored]
    assert lore("memory", "restore", stored).json == {"node_id": stored, "restored": True, "relations_lost": []}
    assert lore("memory", "trash", "--sweep").json == {"purged": 0, "node_ids": []}


@pytest.mark.holds("memory.cli.commands")
def test_a_merge_is_previewed_made_and_undone(lore, stored: str) -> None:
    other = lore("memory", "add", "Refresh tokens early.", "--scope", "default").json["node_id"]
    words = ("memory", "merge", stored, other, "--name", "Tokens", "--rationale", "One subject", "--strategy", "union")
    preview = lore(*words, "--preview").json
    assert preview["preview"] is True
    assert "reversal_hash" not in preview
    merged = lore(*words, "--force").json
    assert merged["sources_merged"] == 2
    assert lore("memory", "undo", merged["reversal_hash"], "--preview").json["preview"] is True
    undone = lore("memory", "undo", merged["reversal_hash"], "--on-conflict", "fail", "--allow-partial").json
    assert sorted(undone["restored_ids"]) == sorted([stored, other])


@pytest.mark.holds("memory.cli.stdin")
def test_a_dash_reads_the_text_from_stdin_exactly(lore, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    text = "  first\r\n---\nlast \N{SNOWMAN}\n\n"
    piped(monkeypatch, text.encode())
    node = lore("memory", "add", "-", "--request-id", "once").json["node_id"]
    piped(monkeypatch, text.encode())
    again = lore("memory", "add", "-", "--request-id", "once").json
    assert (again["node_id"], again["replayed"]) == (node, True)
    (found,) = lore("memory", "search", "first").json["results"]
    assert found["content"] == text
    piped(monkeypatch, b"\xff")
    refused = lore("memory", "add", "-")
    assert (refused.code, refused.out, refused.err) == (1, b"", "error: content must be UTF-8 text\n")


@pytest.mark.holds("memory.cli.failures")
@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("boost", UNKNOWN, "nan"), "delta must be a finite number"),
        (("boost", UNKNOWN, "1e400"), "delta must be a finite number"),
        (("boost", UNKNOWN, "-1.5"), "delta must be between -1.0 and 1.0"),
        (("boost", UNKNOWN, "0.1"), f"Memory {UNKNOWN} not found"),
        (("forget", "not-a-uuid"), "Invalid UUID format for node_id 'not-a-uuid': "),
        (("restore", UNKNOWN), f"Memory {UNKNOWN} not found"),
        (("add", " "), "content is required"),
        (("add", "x", "--importance", "much"), "importance must be a finite number"),
        (("search", "x", "--limit", "0"), "limit must be between 1 and 100"),
        (("merge", UNKNOWN, "--name", "n", "--rationale", "r"), "Need at least 2 concepts to merge"),
        (("undo", "sha256:" + "0" * 64), "Unknown reversal_hash; its first 4 digits are enough; `lore memory trash` "),
        (("undo", "sha256:ABCDEF"), "Unknown reversal_hash: no merge begins with abcdef; its first 4 digits"),
        (("export", "/nowhere", "--scope", "a b"), "scope must be "),
    ],
)
def test_a_failure_is_the_sentence_on_stderr_and_exit_1(lore, words: tuple[str, ...], sentence: str) -> None:
    lore("token", "create")  # a library, with no memory in it
    done = lore("memory", *words)
    assert (done.code, done.out) == (1, b"")
    assert done.err.startswith(f"error: {sentence}")
    assert done.err.count("\n") == 1


@pytest.mark.holds("memory.cli.failures")
@pytest.mark.parametrize(
    "words", [(), ("boost", UNKNOWN), ("merge", UNKNOWN), ("add",), ("frobnicate",), ("add", "x", "--nonsense")]
)
def test_what_the_program_does_not_take_is_exit_2(lore, words: tuple[str, ...]) -> None:
    assert lore("memory", *words).code == 2


def test_with_json_a_failure_is_the_error_shape(lore) -> None:
    done = lore("memory", "restore", UNKNOWN, "--json")
    assert (done.code, done.out) == (1, b"")
    assert '"code": "not_found"' in done.err


@pytest.mark.holds("memory.cli.hard-delete")
def test_a_hard_delete_without_a_terminal_needs_a_yes(lore, stored: str, monkeypatch: pytest.MonkeyPatch) -> None:
    piped(monkeypatch, b"y\n")
    assert lore("memory", "forget", stored, "--hard").code == 2
    assert lore("memory", "status").json["counts"]["live"] == 1
    erased = lore("memory", "forget", stored, "--hard", "--yes")
    assert erased.json["soft_deleted"] is False
    assert "recoverable_until" not in erased.json
    assert lore("memory", "restore", stored).err == f"error: Memory {stored} not found\n"


def on_a_terminal(arguments: Sequence[str], asked: str = "", typed: bytes = b"") -> tuple[int, str]:
    """What a person sees who types this once it is asked: what is typed before that may be lost."""
    with on_terminal("loreweave.faces.cli.lore", *arguments, TERM="dumb") as terminal:
        if asked:
            terminal.read_until(asked)
            terminal.press(typed)
        return terminal.finish(), terminal.seen


@pytest.mark.holds("memory.cli.hard-delete", "memory.cli.terminal")
def test_on_a_terminal_a_hard_delete_asks_first(lore, stored: str) -> None:
    code, seen = on_a_terminal(["memory", "forget", stored, "--hard"], "for good?", b"n\n")
    assert code == 1
    assert lore("memory", "status").json["counts"]["live"] == 1
    code, seen = on_a_terminal(["memory", "forget", stored, "--hard"], "for good?", b"y\n")
    assert code == 0
    assert "is erased" in seen
    assert lore("memory", "status").json["counts"]["live"] == 0


@pytest.mark.holds("memory.cli.terminal")
@pytest.mark.parametrize(
    ("words", "shown"),
    [
        (("search", "escapes"), "an [31m escape"),
        (("status",), "─ memories ─"),
        (("status",), "reversible merges"),
        (("status",), "ready"),
        (("trash",), "The trash is empty."),
        (("add", "Another one."), "stored"),
    ],
)
def test_on_a_terminal_answers_are_shown_to_a_person(lore, words: tuple[str, ...], shown: str) -> None:
    assert lore("memory", "add", "Escapes: an \x1b[31m escape.").code == 0
    code, seen = on_a_terminal(["memory", *words])
    assert code == 0
    assert shown in seen.replace("\N{REPLACEMENT CHARACTER}", " ").replace("an  [", "an [")
    assert "\x1b[31m escape" not in seen


@pytest.mark.holds("memory.cli.terminal")
def test_on_a_terminal_one_memory_leads_to_the_other(lore, tmp_path: Path) -> None:
    first, second = (
        lore("memory", "add", f"The limit of the invoice service is {number} requests.").json["node_id"][:8]
        for number in (60, 100)
    )
    _, seen = on_a_terminal(["memory", "status"])
    assert first in seen.partition("60 / 100")[2] or first in seen.partition("100 / 60")[2]
    assert second in seen
    _, seen = on_a_terminal(["memory", "add", "The limit of the invoice service is 90 requests."])
    assert f"`lore memory get {first}` shows it" in seen
    lore("memory", "edit", first, "The limit is unknown.")
    _, seen = on_a_terminal(["memory", "history", first])
    assert "content was: The limit" in " ".join(seen.replace("│", " ").split())
    lore("memory", "export", str(tmp_path / "markdown"))
    _, seen = on_a_terminal(["memory", "import", str(tmp_path / "markdown"), "--dry-run"])
    assert "nothing was changed" in seen


@pytest.mark.holds("memory.cli.transfer")
def test_memories_are_written_as_markdown_and_taken_in(lore, stored: str, tmp_path: Path, monkeypatch: Any) -> None:
    folder = tmp_path / "markdown"
    assert lore("memory", "export", str(folder)).json == {"exported": 1}
    monkeypatch.setenv("LORE_DATA_DIR", str(tmp_path / "another"))
    assert lore("memory", "import", str(folder), "--dry-run").json["created"] == 1
    assert lore("memory", "status").json["counts"]["live"] == 0
    assert lore("memory", "import", str(folder)).json == {"created": 1, "updated": 0, "unchanged": 0, "skipped": []}
    (folder / "default" / "broken.md").write_text("---\nnode_id: nonsense\n---\ntext\n")
    again = lore("memory", "import", str(folder))
    assert again.code == 1
    assert again.json["unchanged"] == 1
    assert [Path(one["file"]).name for one in again.json["skipped"]] == ["broken.md"]
    assert "broken.md" in again.err


@pytest.mark.holds("memory.cli.failpoint")
@pytest.mark.parametrize("program", ["lore", "ask_program"])
def test_an_unknown_failpoint_ends_any_command_with_2(program: str, tmp_path: Path) -> None:
    verb = ["memory", "status"] if program == "lore" else ["search", "x"]
    command = [sys.executable, "-m", f"loreweave.faces.cli.{program}", *verb]
    environment = {**os.environ, "LORE_FAILPOINT": "merge.nowhere", "LORE_DATA_DIR": str(tmp_path)}
    done = forked.run(command, capture_output=True, timeout=PATIENCE, check=False, env=environment)
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"merge.nowhere" in done.stderr
    assert not list(tmp_path.iterdir())


@pytest.mark.holds("memory.cli.failpoint")
def test_a_known_failpoint_kills_the_command(lore, stored: str, tmp_path: Path) -> None:
    environment = {**os.environ, "LORE_FAILPOINT": "forget.mark"}
    command = [*LORE, "memory", "forget", stored]
    assert forked.run(command, capture_output=True, timeout=PATIENCE, env=environment).returncode == -9
    assert lore("memory", "status").json["counts"]["live"] == 1


@pytest.mark.holds("memory.cli.commands")
def test_memories_are_shown_listed_edited_and_their_past_is_told(lore, stored: str) -> None:
    other = lore("memory", "add", "Deploys go out on Monday.", "--tag", "ops", "--tag", "auth").json["node_id"]
    assert lore("memory", "get", stored).json["content"] == "Tokens live for an hour."
    everything = lore("memory", "list").json
    assert (everything["total"], {item["node_id"] for item in everything["items"]}) == (2, {stored, other})
    assert [item["node_id"] for item in lore("memory", "list", "--tag", "ops", "--tag", "auth").json["items"]] == [
        other
    ]
    assert lore("memory", "list", "--scope", "elsewhere").json == {"items": [], "total": 0}
    assert lore("memory", "list", "--limit", "1").json["total"] == 2
    edited = lore("memory", "edit", other, "Deploys go out on Tuesday.", "--importance", "0.9", "--tag", "")
    assert edited.json["version"] == 2
    record = lore("memory", "get", other).json
    assert (record["content"], record["importance"], record["tags"]) == ("Deploys go out on Tuesday.", 0.9, [])
    past = lore("memory", "history", other).json
    assert [line["action"] for line in past["history"]] == ["edited", "stored"]
    assert past["history"][0]["detail"]["content"] == "Deploys go out on Monday."
    refused = lore("memory", "edit", other, "Late.", "--version", "1")
    assert (refused.code, refused.err) == (1, f"error: Memory {other} changed meanwhile\n")
    assert lore("memory", "edit", other).code == 2
    lore("memory", "forget", stored)
    kept = lore("memory", "get", stored, "--deleted").json
    assert kept["state"] == "deleted"
    advice = f"until {kept['recoverable_until']} `lore memory restore {stored}` brings it back"
    assert lore("memory", "get", stored).err == f"error: Memory already deleted: {advice}\n"
    assert lore("memory", "history", stored).json["history"][0]["action"] == "forgotten"


@pytest.mark.holds("memory.cli.short-ids")
def test_an_id_may_be_shortened_to_a_unique_beginning(lore, stored: str) -> None:
    for short in (stored[:4], stored[:7].upper(), stored[:11], stored[:11].replace("-", "")):
        assert lore("memory", "get", short).json["node_id"] == stored
    assert lore("memory", "boost", stored[:6], "0.1").json["node_id"] == stored
    assert lore("memory", "forget", stored[:6]).json["forgotten_id"] == stored
    assert lore("memory", "restore", stored[:6]).json["node_id"] == stored
    short = lore("memory", "get", stored[:3]).err
    assert short.startswith(f"error: Invalid UUID format for node_id '{stored[:3]}': ")
    assert "; its first 4 characters are enough, fewer are not;" in short
    absent = "0000" if not stored.startswith("0000") else "1111"
    assert lore("memory", "get", absent).err.startswith(f"error: Memory {absent} not found")


@pytest.mark.holds("memory.cli.short-ids")
def test_a_beginning_of_several_names_them_and_changes_nothing(lore, tmp_path: Path) -> None:
    ids = [f"abcd{number}234-0000-4000-8000-000000000000" for number in (1, 2)]
    (tmp_path / "in").mkdir()
    for place, node_id in enumerate(ids):
        (tmp_path / "in" / f"{place}.md").write_text(
            f"---\nnode_id: {node_id}\nname: Name {place}\n---\nText {place}\n"
        )
    assert lore("memory", "import", str(tmp_path / "in")).code == 0
    refused = lore("memory", "forget", "abcd")
    assert refused.code == 1
    assert all(node_id in refused.err for node_id in ids)
    assert "Name 0" in refused.err
    assert lore("memory", "status").json["counts"]["live"] == 2
    assert lore("memory", "forget", "abcd1").json["forgotten_id"] == ids[0]


@pytest.mark.holds("memory.cli.short-ids", "memory.cli.hard-delete")
def test_a_shortened_id_is_never_erased_unseen(lore, stored: str) -> None:
    refused = lore("memory", "forget", stored[:8], "--hard", "--yes")
    assert (refused.code, refused.out) == (2, b"")
    assert stored in refused.err
    assert lore("memory", "status").json["counts"]["live"] == 1
    code, seen = on_a_terminal(["memory", "forget", stored[:8], "--hard"], "for good?", b"y\n")
    assert code == 0
    assert f"Erase {stored} (Tokens live for an hour.) for good?" in seen.replace("\r\n", "")
    assert lore("memory", "status").json["counts"]["live"] == 0


@pytest.mark.holds("memory.cli.short-ids", "memory.cli.commands")
def test_merges_and_tasks_are_named_by_their_beginnings_and_the_last_merge_by_none(lore, stored: str) -> None:
    other = lore("memory", "add", "Tokens live for two hours.").json["node_id"]
    words = ("memory", "merge", stored[:8], other[:8], "--name", "Tokens", "--rationale", "One subject")
    merged = lore(*words).json
    hashes = [merged["reversal_hash"]]
    assert lore("memory", "get", stored).err == f"error: Memory already deleted: it went into {merged['merged_id']}\n"
    assert lore("memory", "undo", hashes[0][:13], "--preview").json["preview"] is True
    assert lore("memory", "undo", hashes[0].removeprefix("sha256:")[:6]).json["partial"] is False
    hashes.append(lore(*words).json["reversal_hash"])
    assert sorted(lore("memory", "undo", "--last").json["restored_ids"]) == sorted((stored, other))
    assert lore("memory", "undo", "--last").err == "error: There is no merge that can be undone\n"
    assert lore("memory", "undo").code == lore("memory", "undo", hashes[0], "--last").code == 2
    assert lore("memory", "undo", hashes[1][:13]).err == "error: Merge already undone\n"
    lore("memory", "edit", stored, "Deploys go out on Monday.")
    lore("memory", "edit", other, "Deploys go out on Tuesday.")
    [task] = lore("memory", "status").json["curation_tasks"]
    answer = {"task_id": task["task_id"], "dismissed": True}
    told = lore("memory", "dismiss", "nothing").err
    assert told == f"error: Unknown task_id 'nothing': there is {task['task_id']}.\n"
    assert lore("memory", "dismiss", task["task_id"][:20], "--reason", "Both.").json == answer
    assert lore("memory", "status").json["total_tasks"] == 0
    told = lore("memory", "dismiss", task["task_id"][:20]).err
    assert told == f"error: Unknown task_id '{task['task_id'][:20]}': there are no tasks\n"
