"""A store of memories on either database, with a clock to wind."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.laid_tables import lay_tables
from tests.memory.curator import START, Curator

from loreweave.settings import Settings


@pytest.fixture
def clock_file(tmp_path: Path) -> Path:
    path = tmp_path / "clock"
    path.write_text(START)
    return path


@pytest.fixture
def curator(settings: Settings, clock_file: Path) -> Iterator[Curator]:
    if not settings.database_url:
        lay_tables(settings.data_dir)
    opened = Curator(settings, clock_file)
    yield opened
    opened.close()


@pytest.fixture
def sqlite_curator(tmp_path: Path, clock_file: Path) -> Iterator[Curator]:
    """For what has nothing to do with the database."""
    lay_tables(tmp_path / "data")
    opened = Curator(Settings(data_dir=tmp_path / "data"), clock_file)
    yield opened
    opened.close()
