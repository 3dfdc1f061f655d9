from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from tests.laid_tables import lay_tables
from tests.model_server import ModelServer
from tests.work.builds.build_desk import BuildDesk, OpenDesk, build_desk


@pytest.fixture
def open_desk(tmp_path: Path, model_server: ModelServer, sqlite_template: Path, database_url: str) -> OpenDesk:
    """Opens the same library again and again, with these settings."""
    if not database_url:
        lay_tables(tmp_path / "data", sqlite_template)
    return partial(build_desk, tmp_path / "data", model_server, database_url=database_url)


@pytest.fixture
def desk(open_desk: OpenDesk) -> Iterator[BuildDesk]:
    with open_desk() as opened:
        yield opened
