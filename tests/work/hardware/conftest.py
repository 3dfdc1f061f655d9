from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.model_server import ModelServer
from tests.work.hardware.board_desk import BoardDesk, board_desk


@pytest.fixture
def desk(tmp_path: Path, model_server: ModelServer, database_url: str) -> Iterator[BoardDesk]:
    with board_desk(tmp_path, model_server, database_url=database_url) as opened:
        yield opened
