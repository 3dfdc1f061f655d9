"""serve and watch: how they begin, how they end."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from tests import forked
from tests.pace import PATIENCE

LORE = [sys.executable, "-m", "loreweave.faces.cli.lore"]


@pytest.mark.holds(
    "house.commands.serve-ready", "house.commands.serve-options", "house.commands.serve-one-port", "page.studio.demo"
)
def test_serve_says_where_it_listens_and_answers_there(serve, tmp_path: Path) -> None:
    with serve(tmp_path / "data", "--demo", LORE_EMBEDDER="none") as address:
        health = httpx.get(f"{address}/api/health")
        assert (health.status_code, health.json()["model"]) == (200, "demo")
        (demo,) = httpx.get(f"{address}/api/skillgraph/graphs").json()["graphs"]
        assert demo["graphId"] == "demo"
        assert httpx.get(f"{address}/").status_code == 200
        spoofed = httpx.get(f"{address}/api/health", headers={"Host": "evil.example"})
        assert spoofed.status_code == 403


@pytest.mark.holds("house.commands.serve-options")
def test_serving_the_demo_again_leaves_a_newer_graph_the_one_that_is_asked(serve, lore, tmp_path: Path) -> None:
    data, notes = tmp_path / "data", tmp_path / "mine"
    notes.mkdir()
    (notes / "note.md").write_text("# A note of mine\n\nWhat I know.\n", encoding="utf-8")
    with serve(data, "--demo", LORE_EMBEDDER="none"):
        assert lore("ingest", str(notes), "--data", str(data)).code == 0
    with serve(data, "--demo", LORE_EMBEDDER="none") as address:
        found = httpx.get(f"{address}/api/ask/sections").json()
    assert [section["id"] for section in found["sections"]] == ["note"]


@pytest.mark.holds("house.cli.exit-codes")
def test_a_taken_port_is_one_sentence(lore) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = lore("serve", "--port", str(port))
    assert (done.code, done.out) == (1, b"")
    assert f"Cannot listen on 127.0.0.1 port {port}" in done.err


@pytest.mark.holds("house.access.tokens-beyond-loopback")
@pytest.mark.parametrize("options", [["--host", "0.0.0.0"], ["--host", "::"]])
def test_an_open_address_without_any_token_is_refused(lore, options: list[str]) -> None:
    done = lore("serve", "--port", "0", *options)
    assert done.code == 1
    assert "lore token create" in done.err


def test_required_tokens_are_asked_for_on_loopback_too(lore, monkeypatch) -> None:
    monkeypatch.setenv("LORE_AUTH", "required")
    assert "lore token create" in lore("serve", "--port", "0").err


@pytest.mark.parametrize(("option", "value"), [("--port", "70000"), ("--port", "x"), ("--host", "no such host")])
def test_a_wrong_address_is_wrong_usage(lore, option: str, value: str) -> None:
    assert lore("serve", option, value).code == 2


@pytest.fixture
def watching(tmp_path: Path, vault: Path):
    environment = {**os.environ, "LORE_DATA_DIR": str(tmp_path / "data"), "LORE_EMBEDDER": "none"}
    process = forked.Popen(
        [*LORE, "watch", str(vault), "--name", "sample"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
        text=True,
    )
    yield process
    process.kill()
    process.communicate()


@pytest.mark.holds("house.commands.watch", "graph.watch.one-line-per-revision", "graph.watch.emptied-folder")
def test_watch_prints_a_line_for_every_revision(watching, vault: Path) -> None:
    first = json.loads(watching.stdout.readline())
    assert (first["graphId"], first["revision"], first["metrics"]["nodeCount"]) == ("sample", 1, 3)
    (vault / "new.md").write_text("# New\n", encoding="utf-8")
    second = json.loads(watching.stdout.readline())
    assert (second["revision"], second["changes"]["added"]) == (2, 1)
    for note in vault.iterdir():
        note.unlink()
    assert "revision 2 is kept" in watching.stderr.readline()
    (vault / "back.md").write_text("# Back\n", encoding="utf-8")
    third = json.loads(watching.stdout.readline())
    assert (third["revision"], third["metrics"]["nodeCount"]) == (3, 1)
    watching.send_signal(signal.SIGTERM)
    assert watching.wait(timeout=PATIENCE) == 0


def _remade(folder: Path) -> None:
    shutil.rmtree(folder)
    folder.mkdir()


def _exchanged(folder: Path) -> None:
    folder.rename(folder.with_name("aside"))
    folder.mkdir()


@pytest.mark.parametrize("replace", [_remade, _exchanged])
@pytest.mark.holds("house.commands.watch")
def test_a_folder_that_takes_the_place_of_the_watched_one_is_watched(watching, vault: Path, replace) -> None:
    watching.stdout.readline()
    replace(vault)
    (vault / "other.md").write_text("# Other\n", encoding="utf-8")
    second = json.loads(watching.stdout.readline())
    assert (second["revision"], second["metrics"]["nodeCount"]) == (2, 1)
    (vault / "later.md").write_text("# Later\n", encoding="utf-8")
    third = json.loads(watching.stdout.readline())
    assert (third["revision"], third["metrics"]["nodeCount"]) == (3, 2)


@pytest.mark.holds("graph.watch.emptied-folder")
def test_a_folder_that_is_gone_for_a_while_is_read_when_it_is_back(watching, vault: Path) -> None:
    watching.stdout.readline()
    shutil.rmtree(vault)
    assert "revision 1 is kept" in watching.stderr.readline()
    vault.mkdir()
    (vault / "back.md").write_text("# Back\n", encoding="utf-8")
    second = json.loads(watching.stdout.readline())
    assert (second["revision"], second["metrics"]["nodeCount"]) == (2, 1)


@pytest.mark.holds("graph.watch.debounce")
def test_a_burst_of_changes_is_one_revision(watching, vault: Path) -> None:
    watching.stdout.readline()
    for number in range(50):
        (vault / f"note-{number}.md").write_text(f"# {number}\n", encoding="utf-8")
    second = json.loads(watching.stdout.readline())
    assert (second["revision"], second["metrics"]["nodeCount"]) == (2, 53)
    watching.send_signal(signal.SIGINT)
    out, _ = watching.communicate(timeout=PATIENCE)
    assert (watching.returncode, out) == (0, "")


def test_a_folder_that_does_not_exist_cannot_be_watched(lore, tmp_path: Path) -> None:
    done = lore("watch", str(tmp_path / "none"))
    assert (done.code, done.out) == (1, b"")
