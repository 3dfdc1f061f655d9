"""The two commands of the README, as far as they can be tried from inside one of them."""

import json
import os
import shutil
import socket
import subprocess
import urllib.request
from pathlib import Path

import pytest
from tests.pace import PATIENCE

ROOT = Path(__file__).resolve().parents[2]


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _make(*words: str, home: Path) -> subprocess.CompletedProcess:
    environment = {"PATH": os.environ["PATH"], "HOME": str(home)}
    return subprocess.run(["make", *words], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=PATIENCE)


@pytest.mark.holds("house.commands.make-install")
def test_a_second_install_does_nothing_but_look(tmp_path: Path) -> None:
    assert _make("install", home=tmp_path).returncode == 0
    again = _make("install", home=tmp_path)
    assert again.returncode == 0
    assert "pip" not in again.stdout
    assert "npm" not in again.stdout
    assert (ROOT / ".venv" / "bin" / "lore").exists()
    assert (ROOT / ".venv" / "bin" / "ask").exists()
    assert (ROOT / "src/loreweave/faces/http/static/index.html").exists()


@pytest.mark.holds("house.commands.make-serve", "house.commands.serve-ready", "house.storage.no-key-no-network")
def test_make_serve_serves_the_demo_without_a_key(tmp_path: Path) -> None:
    port = _free_port()
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "LORE_DATA_DIR": str(tmp_path / "data")}
    command = ["make", "serve", f"LORE_PORT={port}"]
    server = subprocess.Popen(
        command, cwd=ROOT, env=environment, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    try:
        said = ""
        for line in server.stderr:
            said += line
            if f"http://127.0.0.1:{port}" in line:
                break
        assert f"http://127.0.0.1:{port}" in said
        health = json.load(urllib.request.urlopen(f"http://127.0.0.1:{port}/api/health"))
        assert health["status"] in ("ready", "degraded")
        graphs = json.load(urllib.request.urlopen(f"http://127.0.0.1:{port}/api/skillgraph/graphs"))["graphs"]
        assert [(graph["graphId"], graph["score"]) for graph in graphs] == [("demo", 100)]
        assert b"<title>" in urllib.request.urlopen(f"http://127.0.0.1:{port}/").read()
    finally:
        os.killpg(server.pid, 15)
        server.wait(PATIENCE)
        server.stderr.close()


@pytest.mark.holds("house.commands.make-test")
def test_ci_calls_make_test_and_nothing_cleverer() -> None:
    lines = [line for line in (ROOT / ".ci/run").read_text().splitlines() if line and not line.startswith("#")]
    assert lines[-1] == "make test"
    assert os.access(ROOT / ".ci/run", os.X_OK)


@pytest.mark.holds("house.commands.make-test")
def test_what_the_tests_need_and_cannot_get_is_named(tmp_path: Path) -> None:
    tools = tmp_path / "bin"
    tools.mkdir()
    for name in ("sh", "id", "ls"):
        (tools / name).symlink_to(shutil.which(name))
    script = (ROOT / "scripts/test_prerequisites.sh").read_text().replace("/usr/lib/postgresql", str(tmp_path))
    told = subprocess.run(["sh", "-c", script], env={"PATH": str(tools)}, capture_output=True, text=True)
    assert told.returncode == 1
    assert "The tests need: postgresql chromium" in told.stderr
    assert "apt-get install" in told.stderr


@pytest.mark.holds("house.commands.make-serve")
def test_locks_hold_hashes_and_no_host() -> None:
    for name in ("requirements.lock", "requirements-dev.lock", "requirements-uv.lock"):
        text = (ROOT / name).read_text()
        assert "--hash=sha256:" in text
        assert "://" not in text
    for folder in ("web", "tests/web/drawing"):
        assert '"resolved"' not in (ROOT / folder / "package-lock.json").read_text()
