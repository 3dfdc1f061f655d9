"""Engines for tests: in this process, and in processes of their own."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.seams.engine.engine_child import Household
from tests.seams.engine.work_notes import Notes

from loreweave.seams.engine.engine import Engine, Work
from loreweave.seams.engine.open_engine import open_engine

Opening = Callable[..., Engine]


@pytest.fixture
def opening(tmp_path: Path, database_url: str) -> Iterator[Opening]:
    """Opens an engine over the same data each time; the last one is closed with the test."""
    opened: list[Engine] = []

    def open_again(work: Work, **given: Any) -> Engine:
        opened.append(open_engine(tmp_path / "data", database_url, work, **given))
        return opened[-1]

    yield open_again
    for engine in opened:
        engine.close()


@pytest.fixture
def household(tmp_path: Path, database_url: str) -> Iterator[Household]:
    home = Household(tmp_path, database_url)
    yield home
    home.end()


@pytest.fixture
def new_household(tmp_path: Path, database_url: str, request: pytest.FixtureRequest) -> Iterator[Household]:
    """Where no engine has been yet: its database has no tables."""
    home = Household(tmp_path, request.getfixturevalue("bare_postgres_database") if database_url else "")
    yield home
    home.end()


@pytest.fixture
def notes() -> Notes:
    return Notes()
