"""Sandboxes as they are on this computer, and a workspace with things around it that no command may touch."""

from pathlib import Path

import pytest
from tests.seams.host.command_runs import Surroundings

from loreweave.seams.host.open_sandbox import open_sandbox
from loreweave.seams.host.sandbox import Sandbox


@pytest.fixture
def walls() -> Sandbox:
    """Bubblewrap, or the test says that it is missing."""
    sandbox = open_sandbox("auto")
    if sandbox.kind != "bubblewrap":
        pytest.skip("bubblewrap does not work here: install it to see the walls tested")
    return sandbox


@pytest.fixture
def limits() -> Sandbox:
    return open_sandbox("off")


@pytest.fixture(params=["bubblewrap", "limits"])
def sandbox(request: pytest.FixtureRequest) -> Sandbox:
    """What holds in both."""
    return request.getfixturevalue("walls" if request.param == "bubblewrap" else "limits")


@pytest.fixture
def surroundings(tmp_path: Path) -> Surroundings:
    return Surroundings(tmp_path)
