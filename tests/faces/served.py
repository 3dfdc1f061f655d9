"""A real server in a process of its own."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests import forked
from tests.pace import PATIENCE
from tests.waits import line_with

LORE = [sys.executable, "-m", "loreweave.faces.cli.lore"]


@contextmanager
def served(data: Path, *options: str, **environment: str) -> Iterator[str]:
    """`lore serve` on a free port; gives the address it announces, and demands a clean end."""
    process = forked.Popen(
        [*LORE, "serve", "--port", "0", "--data", str(data), *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, **environment},
        text=True,
    )
    assert process.stderr is not None
    assert process.stdout is not None
    try:
        yield line_with("Loreweave listens on ", process, process.stderr)[-1].split()[-1]
    finally:
        process.send_signal(signal.SIGTERM)
        out, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    assert out == ""
