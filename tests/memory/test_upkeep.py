"""A server's memories are looked after while it runs."""

import time

import pytest
from tests.memory.curator import Curator
from tests.pace import PATIENCE

from loreweave.memory.memory_service import Upkeep


def _is_told(curator: Curator, text: bytes) -> bool:
    files = [path for path in curator.settings.data_dir.rglob("*") if path.is_file()]
    return any(text in path.read_bytes() for path in files)


@pytest.mark.holds("memory.sweep.hourly")
def test_what_expires_while_a_server_runs_is_erased_by_its_next_round(sqlite_curator: Curator) -> None:
    curator = sqlite_curator
    curator.forget(curator.store("zyxsecret"))
    curator.wait(29)
    curator.application.memory.sweep(asked=True)
    curator.wait(1)
    assert _is_told(curator, b"zyxsecret")
    with Upkeep(curator.application.memory, tend=0.01, sweep=0.02):
        given_up = time.monotonic() + PATIENCE
        while _is_told(curator, b"zyxsecret"):
            assert time.monotonic() < given_up
