from collections.abc import Iterator

import pytest
from tests.work.sessions.log_desk import Desk

from loreweave.settings import Settings


@pytest.fixture
def desk(settings: Settings) -> Iterator[Desk]:
    opened = Desk(settings)
    yield opened
    opened.close()
