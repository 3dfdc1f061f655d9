"""`ask answer`: in process and at a server, in a pipe and on a terminal, to its end and until Ctrl-C."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests import forked
from tests.faces.asked_documents import write_documents
from tests.faces.cli.scripted_endpoint import Event, ScriptedEndpoint, scripted_endpoint
from tests.faces.cli.terminal import CTRL_C, on_terminal
from tests.laid_tables import lay_tables
from tests.model_server import ModelServer, call, open_section, running_model_server, say
from tests.pace import PATIENCE

from loreweave.application import open_application
from loreweave.settings import Settings

ASK = "loreweave.faces.cli.ask_program"
BACKUPS = "guide/storage#backups"
SOURCE = {"title": "Storage", "heading": "Backups", "url": "https://docs.test/storage#backups", "terms": ["backup"]}
SOURCES: Event = ("sources", {"sources": [SOURCE], "model": "far:away"})
WHOLE: tuple[Event, ...] = (
    ("search", {"query": "backup"}),
    SOURCES,
    ("token", {"text": "Set the "}),
    ("token", {"text": "folder."}),
    ("done", {"answerId": "a1", "unverified": ["--made-up"]}),
)


@pytest.fixture
def model() -> Iterator[ModelServer]:
    with running_model_server() as server:
        yield server


@pytest.fixture
def far() -> Iterator[ScriptedEndpoint]:
    with scripted_endpoint() as script:
        yield script


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    application = open_application(Settings(data_dir=lay_tables(folder), embedder="none"))
    application.graphs.ingest_folder(write_documents(tmp_path / "docs"), name="docs")
    application.close()
    return folder


def with_model(model: ModelServer) -> dict[str, str]:
    return {"ANTHROPIC_API_KEY": "sk-test", "ANTHROPIC_BASE_URL": model.base_url, "LORE_EMBEDDER": "none"}


def piped(*arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "NO_PROXY": "127.0.0.1", "LORE_MODEL": "none", "LORE_EMBEDDER": "none"}
    command = [sys.executable, "-m", ASK, *arguments]
    return forked.run(command, capture_output=True, text=True, env=environment, timeout=PATIENCE)


@pytest.mark.holds("ask.cli.interrupt")
def test_ctrl_c_ends_an_answer_and_what_it_asks_of_the_model(data: Path, model: ModelServer) -> None:
    model.script(call(open_section(BACKUPS)), say("enough"), say("Set it. ", fault="stall"))
    with on_terminal(ASK, "answer", "backups", "--data", str(data), **with_model(model)) as terminal:
        terminal.read_until("Set it.")
        terminal.press(CTRL_C)
        assert terminal.finish() == 130
        assert terminal.seen.endswith("\n")
        assert "Traceback" not in terminal.seen
        assert "Error" not in terminal.seen
    assert model.asked[-1].gone.wait(PATIENCE)
    assert len(model.asked) == 3


@pytest.mark.holds("ask.cli.interrupt")
def test_ctrl_c_before_the_first_word_ends_the_first_call(data: Path, model: ModelServer) -> None:
    model.script(say(fault="stall"))
    with on_terminal(ASK, "answer", "backups", "--data", str(data), **with_model(model)) as terminal:
        assert model.arrived.acquire(timeout=PATIENCE)
        terminal.press(CTRL_C)
        assert terminal.finish() == 130
        assert "Traceback" not in terminal.seen
    assert model.asked[-1].gone.wait(PATIENCE)


@pytest.mark.holds("ask.cli.interrupt", "ask.cli.endpoint")
def test_ctrl_c_closes_the_connection_to_a_server(far: ScriptedEndpoint) -> None:
    far.events, far.stalls = WHOLE[:3], True
    with on_terminal(ASK, "answer", "backups", "--endpoint", far.address) as terminal:
        terminal.read_until("Set the")
        terminal.press(CTRL_C)
        assert terminal.finish() == 130
        assert "Traceback" not in terminal.seen
    assert far.gone.wait(PATIENCE)


@pytest.mark.holds("ask.cli.terminal")
def test_an_answer_streams_onto_a_terminal_with_its_sources_and_doubts(data: Path, model: ModelServer) -> None:
    model.script(
        call(open_section(BACKUPS)),
        say("enough"),
        say("Set `TOOL_BACKUP_DIR` and `--made-up`.", stop="max_tokens"),
    )
    with on_terminal(ASK, "answer", "how", "to", "backup", "--data", str(data), **with_model(model)) as terminal:
        assert terminal.finish() == 0
        shown = terminal.seen
    assert "Set `TOOL_BACKUP_DIR` and --made-up." in shown
    assert "cut off at its length limit" in shown
    assert "Backups" in shown
    assert "/docs/guide/storage#backups" in shown
    assert "Not found in the sources: --made-up" in shown
    assert '"event"' not in shown


@pytest.mark.holds("ask.cli.terminal")
@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["glossary"], ["Write Ahead Log", "WAL", "keeps every change"]),
        (["glossary", "get", "wal"], ["Write Ahead Log (WAL)", "keeps every change"]),
        (["sections"], ["guide/cli#flags", "Exit codes", "Concepts"]),
        (["section", "get", BACKUPS], ["Storage › Backups", "Facts", "TOOL_BACKUP_DIR"]),
        (["overview"], ["## Concepts", BACKUPS]),
        (["search", "--no-cache"], ["1. Command line › Flags", "/docs/guide/cli#flags", "\x1b[1m"]),
        (["search", "qqqq"], ["Nothing found"]),
        (["answer", "backup"], ["No language model is set up", "Storage › Backups"]),
    ],
)
def test_a_person_at_a_terminal_reads_words_and_no_json(data: Path, arguments: list[str], expected: list[str]) -> None:
    flags = ["--", *arguments[1:]] if arguments[-1].startswith("--") else arguments[1:]
    command = [arguments[0], "--data", str(data), *flags]
    with on_terminal(ASK, *command, LORE_MODEL="none", LORE_EMBEDDER="none") as terminal:
        assert terminal.finish() == 0
        for text in expected:
            assert text in terminal.seen
        assert "{" not in terminal.seen


@pytest.mark.holds("ask.cli.endpoint")
def test_events_of_a_server_are_lines_in_a_pipe_as_they_came(far: ScriptedEndpoint) -> None:
    far.events = WHOLE
    done = piped("answer", "how", "to backup", "--endpoint", far.address, "--graph", "docs")
    assert (done.returncode, done.stderr) == (0, "")
    assert [json.loads(line) for line in done.stdout.splitlines()] == [
        {"event": event, "data": value} for event, value in WHOLE
    ]
    assert far.asked == [("/api/ask?graph=docs", {"query": "how to backup", "mode": "agentic"})]


@pytest.mark.holds("ask.cli.endpoint", "ask.cli.terminal")
def test_sources_of_a_server_can_be_clicked_on_a_terminal(far: ScriptedEndpoint) -> None:
    far.events = WHOLE
    with on_terminal(ASK, "answer", "backup", "--endpoint", far.address + "/api/ask") as terminal:
        assert terminal.finish() == 0
        shown = terminal.seen
    assert "searching: backup" in shown
    assert "Set the folder." in shown
    assert f"{SOURCE['url']}\x1b\\" in shown  # an escape sequence that terminals read as a link


@pytest.mark.holds("ask.cli.terminal")
def test_a_failure_begins_a_line_of_its_own_on_a_terminal(far: ScriptedEndpoint) -> None:
    far.events = (*WHOLE[:3], ("error", {"error": "The model fell silent.", "code": "model_silent"}))
    with on_terminal(ASK, "answer", "backup", "--endpoint", far.address) as terminal:
        assert terminal.finish() == 1
        assert terminal.seen.endswith("Set the \nask: The model fell silent.\n")


@pytest.mark.holds("ask.cli.endpoint")
def test_keyword_results_of_a_server_are_one_event_with_a_warning_beside(far: ScriptedEndpoint) -> None:
    far.body = {"mode": "keyword", "query": "backup", "model": "none", "results": [], "warning": "No model."}
    done = piped("answer", "backup", "--endpoint", far.address)
    assert (done.returncode, done.stderr) == (0, "ask: No model.\n")
    assert json.loads(done.stdout) == {"event": "keyword", "data": far.body}


@pytest.mark.holds("ask.cli.endpoint", "ask.cli.failure")
def test_a_refusal_of_a_server_is_one_sentence(far: ScriptedEndpoint) -> None:
    far.status, far.body = 429, {"error": "Too many answers.", "code": "rate_limited"}
    done = piped("answer", "backup", "--endpoint", far.address)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "ask: Too many answers.\n")


@pytest.mark.holds("ask.cli.endpoint")
@pytest.mark.parametrize(
    ("last", "sentence"),
    [
        ((), "The answer broke off before its end."),
        ((("error", {"error": "The model fell silent.", "code": "model_silent"}),), "The model fell silent."),
    ],
)
def test_an_answer_that_does_not_end_well_fails(far: ScriptedEndpoint, last: tuple[Event, ...], sentence: str) -> None:
    far.events = (*WHOLE[:3], *last)
    done = piped("answer", "backup", "--endpoint", far.address)
    assert (done.returncode, done.stderr) == (1, f"ask: {sentence}\n")
    assert len(done.stdout.splitlines()) == len(far.events)
