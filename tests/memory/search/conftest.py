"""A store of memories without the rest of the product."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.memory.search.memory_shelf_rows import Shelf

from loreweave.seams.storage.open_store import open_store


@pytest.fixture
def shelf(tmp_path: Path, database_url: str) -> Iterator[Shelf]:
    store = open_store(tmp_path / "data", database_url)
    yield Shelf(store)
    store.close()


@pytest.fixture
def sqlite_shelf(tmp_path: Path) -> Iterator[Shelf]:
    store = open_store(tmp_path / "data")
    yield Shelf(store)
    store.close()
