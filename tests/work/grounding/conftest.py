from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.model_server import ModelServer
from tests.work.builds.build_desk import BuildDesk, build_desk


@pytest.fixture
def desk(tmp_path: Path, model_server: ModelServer) -> Iterator[BuildDesk]:
    with build_desk(tmp_path / "data", model_server) as opened:
        yield opened
