"""The processes that read notes end with the one that started them."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.pace import PATIENCE

HANG = """
import os, sys
from pathlib import Path
from loreweave.application import open_application
from loreweave.settings import load_settings
application = open_application(load_settings(embedder="none"), start_method=sys.argv[2])
pool = application.readers._processes()
print(pool.submit(os.getpid).result(), flush=True)
sys.stdin.read()
"""


@pytest.mark.holds("graph.speed.workers-end-with-parent")
@pytest.mark.parametrize("start_method", ["fork", "forkserver"])
def test_readers_end_soon_after_a_parent_that_was_killed(tmp_path: Path, start_method: str) -> None:
    parent = subprocess.Popen(
        [sys.executable, "-c", HANG, str(tmp_path), start_method],
        env={"LORE_DATA_DIR": str(tmp_path), "PATH": "/usr/bin:/bin"}, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        text=True,
    )  # fmt: skip
    reader = int(parent.stdout.readline())
    parent.send_signal(signal.SIGKILL)  # and stays a zombie, as where nobody waits for it: in a container, or at a pipe
    parent.stdin.close()
    parent.stdout.close()
    deadline = time.monotonic() + PATIENCE
    while _is_running(reader):
        assert time.monotonic() < deadline, "the reader lives on"
        time.sleep(0.05)  # nothing tells of the end of a stranger's child; it can only be looked for
    parent.wait()


def _is_running(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"
