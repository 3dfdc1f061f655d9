"""What a person sees while an ingest runs, and what Ctrl-C does."""

import json
import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests import forked
from tests.pace import PATIENCE

LORE = [sys.executable, "-m", "loreweave.faces.cli.lore"]


def everything(descriptor: int) -> bytes:
    """All that is written to a terminal until its other side is closed."""
    seen = b""
    try:
        while piece := os.read(descriptor, 65536):
            seen += piece
    except OSError:  # how Linux says that the other side is closed
        pass
    return seen


@pytest.mark.holds("house.cli.progress", "house.cli.stdout-is-data")
def test_an_ingest_shows_a_bar_on_a_terminal_and_data_on_stdout(tmp_path: Path, vault: Path) -> None:
    screen, terminal = pty.openpty()
    environment = {
        **os.environ,
        "LORE_DATA_DIR": str(tmp_path / "data"),
        "LORE_EMBEDDER": "none",
        "TERM": "xterm",
    }
    process = forked.Popen([*LORE, "ingest", str(vault)], stdout=subprocess.PIPE, stderr=terminal, env=environment)
    os.close(terminal)
    seen = everything(screen)
    os.close(screen)
    out, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    assert json.loads(out)["graphId"] == "vault"
    assert b"100%" in seen


@pytest.mark.holds("house.cli.stdout-is-data")
def test_without_a_terminal_nothing_but_data_is_printed(lore, vault: Path) -> None:
    assert lore("ingest", str(vault)).err == ""


def test_ctrl_c_ends_a_server_quietly(tmp_path: Path) -> None:
    process = forked.Popen(
        [*LORE, "serve", "--port", "0", "--data", str(tmp_path / "data")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    assert "listens" in process.stderr.readline()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out, err) == (130, "", "")
