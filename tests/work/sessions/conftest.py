from collections.abc import Iterator

import pytest
from tests.laid_tables import lay_tables
from tests.work.sessions.log_desk import Desk

from loreweave.settings import Settings


@pytest.fixture
def desk(settings: Settings) -> Iterator[Desk]:
    if not settings.database_url:
        lay_tables(settings.data_dir)
    opened = Desk(settings)
    yield opened
    opened.close()
