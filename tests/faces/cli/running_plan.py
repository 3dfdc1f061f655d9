"""`lore run` in a process of its own, and plans for it."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests import forked
from tests.laid_tables import lay_tables
from tests.pace import PATIENCE
from tests.waits import line_with

LORE = [sys.executable, "-m", "loreweave.faces.cli.lore"]
WAY = {
    "id": "ask",
    "type": "ask_user",
    "question": "Which way?",
    "header": "Way",
    "options": ["left", "right"],
    "storeAs": "way",
}
OUT = {"id": "out", "type": "output", "template": "went {{way}}"}
ASKING = {"skillName": "Ways", "steps": [WAY, OUT]}


def write_plan(folder: Path, value: Any) -> str:
    file = folder / "plan.json"
    file.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    return str(file)


def run_plan(folder: Path, value: Any, typed: str = "", *options: str) -> "subprocess.CompletedProcess[str]":
    """To its end, with all of stdin there from the beginning."""
    command = [*LORE, "run", write_plan(folder, value), "--data", str(lay_tables(folder / "data")), *options]
    return forked.run(command, input=typed, capture_output=True, text=True, timeout=PATIENCE, check=False)


@contextmanager
def running_plan(
    folder: Path, value: Any = ASKING, command: str = "run", first: str = "Which way? [Way]\n", **environment: str
) -> Iterator["subprocess.Popen[str]"]:
    """Until its first question stands on stderr; its stdin stays open."""
    process = forked.Popen(
        [*LORE, command, write_plan(folder, value), "--data", str(lay_tables(folder / "data"))],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, **environment},
        text=True,
    )
    try:
        assert line_with("?", process, process.stderr) == [first]
        yield process
    finally:
        process.kill()
        process.communicate(timeout=PATIENCE)
