"""The graph commands: what they take, what they print, how they end."""

import io
import json
import sys
import zipfile
from pathlib import Path

import pytest


@pytest.mark.holds("house.cli.default-graph")
def test_the_graph_ingested_last_is_the_default(lore, vault: Path) -> None:
    lore("ingest", str(vault), "--name", "first")
    lore("ingest", str(vault), "--name", "second")
    assert lore("stats").json["graphId"] == "second"
    assert lore("stats", "--graph", "first").json["graphId"] == "first"
    lore("ingest", str(vault), "--name", "first")
    assert lore("stats").json["graphId"] == "first"


@pytest.mark.holds("page.library.rename")
def test_the_words_of_a_name_are_what_a_new_graph_is_called(lore, vault: Path) -> None:
    lore("ingest", str(vault), "--name", "Some  words")
    lore("ingest", str(vault), "--name", "some words, again")
    lore("ingest", str(vault), "--name", "plain")
    assert [(graph["graphId"], graph.get("name")) for graph in lore("graphs").json["graphs"]] == [
        ("plain", None),
        ("some-words", "Some words"),
        ("some-words-again", "some words, again"),
    ]
    # Read again, it keeps the name that it has by then.
    lore("ingest", str(vault), "--name", "SOME WORDS")
    (vault / "another.md").write_text("# Another\n", "utf-8")
    lore("ingest", str(vault), "--name", "SOME WORDS")
    assert lore("graphs").json["graphs"][1]["name"] == "Some words"


@pytest.mark.holds("house.cli.default-graph")
def test_delete_has_no_default(lore, sample: str) -> None:
    refused = lore("delete")
    assert (refused.code, refused.out) == (2, b"")
    assert lore("delete", sample).json == {"graphId": "sample", "deleted": True}
    assert lore("graphs").json == {"graphs": []}


def test_delete_takes_the_graph_as_an_option_too(lore, sample: str) -> None:
    assert lore("delete", "--graph", sample).code == 0
    assert lore("delete", "a", "--graph", "b").code == 2


@pytest.mark.holds("house.cli.command-options", "house.cli.json-automatic")
@pytest.mark.parametrize(
    "arguments",
    [
        ["graphs"],
        ["scan", "reframing", "--domain", "therapy", "--limit", "5"],
        ["scan"],
        ["node", "skill:reframing", "--level", "3"],
        ["traverse"],
        ["traverse", "index", "--query", "senses", "--max-depth", "1", "--max-nodes", "2", "--budget", "100"],
        ["traverse", "grounding", "--direction", "in"],
        ["context", "senses", "--budget", "100", "--max-nodes", "2"],
        ["search", "senses", "--limit", "3", "--domain", "therapy", "--type", "technique"],
        ["validate"],
        ["stats"],
        ["export", "--format", "json"],
    ],
)
def test_a_command_prints_one_line_of_json_where_nobody_is_looking(lore, sample: str, arguments: list[str]) -> None:
    done = lore(*arguments)
    assert done.code == 0, done.err
    assert done.out.count(b"\n") == 1
    assert done.out.endswith(b"\n")
    assert isinstance(done.json, dict)
    assert done.err == ""
    assert lore(*arguments, "--json").out == done.out


def test_exports_are_printed_as_they_are(lore, sample: str) -> None:
    assert lore("export", "--format", "graphml").out.startswith(b"<?xml")
    assert b"digraph" in lore("export", "--format", "dot").out
    assert lore("export", "--format", "mermaid").code == 0


@pytest.mark.holds("house.commands.ingest-options")
def test_a_zip_is_ingested_with_its_limits(lore, vault: Path, tmp_path: Path, monkeypatch) -> None:
    file = tmp_path / "Some Notes.zip"
    with zipfile.ZipFile(file, "w") as archive:
        for note in vault.iterdir():
            archive.write(note, f"skills/{note.name}")
    assert lore("ingest", str(file)).json["graphId"] == "skills"
    assert lore("ingest", str(file), "--subdirectory", "skills", "--name", "Sub").json["graphId"] == "sub"
    monkeypatch.setenv("LORE_MAX_ZIP_BYTES", "10")
    refused = lore("ingest", str(file), "--json")
    assert refused.code == 1
    assert json.loads(refused.err)["code"] == "too_large"


@pytest.mark.holds("house.commands.ingest-options")
def test_a_single_note_is_refused_with_what_to_name_instead(lore, tmp_path: Path) -> None:
    note, damaged = tmp_path / "note.md", tmp_path / "notes.zip"
    note.write_text("# A note\n")
    damaged.write_text("no archive")
    told = lore("ingest", str(note))
    assert (told.code, told.err) == (2, f"error: {note} is no ZIP: name the folder that your notes are in\n")
    assert "not a complete ZIP archive" in lore("ingest", str(damaged)).err


@pytest.mark.holds("house.commands.ingest-options")
def test_a_github_address_is_checked_before_anything_is_fetched(lore) -> None:
    for source in ("https://example.com/a/b", "https://github.com/a", "ssh://github.com/a/b"):
        assert lore("ingest", source, "--branch", "main").code == 2
    assert lore("ingest", ".", "--branch", "main").code == 2


@pytest.mark.holds("graph.rate.exempt", "graph.sources.folder.no-upload-limits")
def test_the_command_line_has_no_rate_and_no_upload_limits(lore, vault: Path, monkeypatch) -> None:
    monkeypatch.setenv("LORE_INGESTS_PER_HOUR", "1")
    monkeypatch.setenv("LORE_MAX_FILES", "1")
    monkeypatch.setenv("LORE_MAX_MARKDOWN_BYTES", "10")
    for _ in range(3):
        assert lore("ingest", str(vault)).code == 0


@pytest.mark.holds("house.cli.exit-codes", "house.cli.stdout-is-data")
@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["scan", "--limit", "x"], 2),
        (["scan", "--limit", "101"], 2),
        (["scan", "--nonsense"], 2),
        (["frobnicate"], 2),
        (["node"], 2),
        (["node", "x", "--level", "9"], 2),
        (["context", " "], 2),
        (["export", "--format", "png"], 2),
        (["traverse", "--direction", "up"], 2),
        (["fuse", "both", "sample"], 2),
        (["ingest", "x", "--heading-depth", "9"], 2),
        (["scan", "--graph", "none"], 1),
        (["node", "none"], 1),
        (["delete", "none"], 1),
        (["fuse", "both", "sample", "none"], 1),
        (["ingest", "/no/such/folder"], 1),
        (["token", "revoke", "none"], 1),
    ],
)
def test_failures_end_with_their_code_and_one_sentence(lore, sample: str, arguments: list[str], code: int) -> None:
    done = lore(*arguments)
    assert (done.code, done.out) == (code, b""), done.err
    assert done.err.startswith("error: ")
    assert done.err.count("\n") == 1
    shape = json.loads(lore(*arguments, "--json").err)
    assert set(shape) >= {"error", "code"}


def test_an_empty_library_says_how_to_begin(lore) -> None:
    done = lore("scan", "x")
    assert done.code == 1
    assert "lore ingest" in done.err


def test_help_is_no_failure(lore) -> None:
    assert lore("--help").code == 0
    assert lore("scan", "--help").code == 0
    assert lore("--version").out.strip().decode().count(".") == 2
    assert lore().code == 2


@pytest.mark.holds("graph.fuse.answer")
def test_fuse_joins_graphs(lore, vault: Path) -> None:
    for name in ("one", "two"):
        lore("ingest", str(vault), "--name", name)
    done = lore("fuse", "both", "one", "two")
    assert (done.json["graphId"], done.json["kind"]) == ("both", "fused")


class Terminal(io.TextIOWrapper):
    def isatty(self) -> bool:
        return True


@pytest.mark.holds("house.cli.json-automatic")
@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["graphs"], "sample"),
        (["scan", "reframing"], "skill:reframing"),
        (["search", "senses"], "skill:grounding"),
        (["search", "zebra"], "Nothing found in sample."),
        (["node", "reframing", "--level", "4"], "It rests on"),
        (["traverse", "--query", "senses"], "tokens"),
        (["context", "senses"], "Five senses."),
        (["validate"], "thought-journals"),
        (["stats"], "cluster count"),
        (["ingest", "VAULT", "--name", "sample"], "unchanged"),
        (["delete", "sample"], "is deleted"),
    ],
)
def test_a_person_on_a_terminal_reads_no_json(
    lore, sample: str, vault: Path, monkeypatch, arguments: list[str], expected: str
) -> None:
    written = io.BytesIO()
    screen = Terminal(written, encoding="utf-8", write_through=True)
    with monkeypatch.context() as patched:
        patched.setattr(sys, "stdout", screen)
        patched.setenv("COLUMNS", "160")
        done = lore(*[str(vault) if argument == "VAULT" else argument for argument in arguments])
    assert done.code == 0, done.err
    text = written.getvalue().decode()
    assert expected in text
    assert not text.startswith("{")


def test_a_note_cannot_steer_the_terminal(lore, vault: Path, monkeypatch) -> None:
    (vault / "evil.md").write_text('---\nname: "[bold]x"\n---\nRed \x1b[31m alert \x07\n', encoding="utf-8")
    lore("ingest", str(vault), "--name", "sample")
    written = io.BytesIO()
    screen = Terminal(written, encoding="utf-8", write_through=True)
    with monkeypatch.context() as patched:
        patched.setattr(sys, "stdout", screen)
        patched.setenv("TERM", "dumb")
        lore("node", "evil", "--level", "4")
    assert b"\x1b[31m" not in written.getvalue()
    assert b"\x07" not in written.getvalue()
    assert b"[bold]x" in written.getvalue()


@pytest.mark.holds("house.commands.ingest-options", "house.cli.exit-codes", "house.errors.names-field")
@pytest.mark.parametrize(
    ("option", "value", "sentence"),
    [
        ("--name", "", "name must not be empty"),
        ("--name", "x" * 1001, "name must have at most 1,000 characters"),
        ("--subdirectory", "x" * 1001, "subdirectory must have at most 1,000 characters"),
    ],
)
def test_a_folders_options_are_checked_like_any_request(
    lore, vault: Path, option: str, value: str, sentence: str
) -> None:
    refused = lore("ingest", str(vault), option, value, "--json")
    assert refused.code == 2
    shape = json.loads(refused.err)
    assert (shape["error"], shape["field"]) == (sentence, option.removeprefix("--"))
    if option == "--name":
        assert lore("watch", str(vault), option, value).code == 2
