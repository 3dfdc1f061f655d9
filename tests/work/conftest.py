from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from tests.model_server import ModelServer
from tests.work.builds.build_desk import BuildDesk, OpenDesk, build_desk


@pytest.fixture
def open_desk(tmp_path: Path, model_server: ModelServer, database_url: str) -> OpenDesk:
    """Opens the same library again and again, with these settings."""
    return partial(build_desk, tmp_path / "data", model_server, database_url=database_url)


@pytest.fixture
def desk(open_desk: OpenDesk) -> Iterator[BuildDesk]:
    with open_desk() as opened:
        yield opened
