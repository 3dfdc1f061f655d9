"""A store of memories on either database, with a clock to wind."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.memory.curator import START, Curator

from loreweave.settings import Settings


@pytest.fixture
def clock_file(tmp_path: Path) -> Path:
    path = tmp_path / "clock"
    path.write_text(START)
    return path


@pytest.fixture
def curator(settings: Settings, clock_file: Path) -> Iterator[Curator]:
    opened = Curator(settings, clock_file)
    yield opened
    opened.close()


@pytest.fixture
def sqlite_curator(tmp_path: Path, clock_file: Path) -> Iterator[Curator]:
    """For what has nothing to do with the database."""
    opened = Curator(Settings(data_dir=tmp_path / "data"), clock_file)
    yield opened
    opened.close()
