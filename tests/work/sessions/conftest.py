from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.laid_tables import lay_tables
from tests.work.sessions.log_desk import Desk

from loreweave.settings import Settings


@pytest.fixture
def desk(settings: Settings, sqlite_template: Path) -> Iterator[Desk]:
    if not settings.database_url:
        lay_tables(settings.data_dir, sqlite_template)
    opened = Desk(settings)
    yield opened
    opened.close()
