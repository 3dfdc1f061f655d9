"""What every test can ask for: settings over a real SQLite file and a real PostgreSQL, and the application."""

import os
import secrets
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest

from loreweave.application import Application, open_application
from loreweave.settings import Settings

pytest_plugins = ["tests.postgres_server", "tests.model_server"]

# The machine may be busy: how long one example takes says nothing. Equal runs, equal examples.
hypothesis.settings.register_profile("house", deadline=None, derandomize=True)
hypothesis.settings.load_profile("house")


@pytest.fixture(scope="session", autouse=True)
def no_settings_from_outside() -> None:
    """Whatever the shell around the tests has set must not change what they see."""
    for name in list(os.environ):
        if name.startswith(("LORE_", "OPENAI_", "ANTHROPIC_", "OLLAMA_")):
            del os.environ[name]


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest) -> str:
    """The same test on both databases."""
    if request.param == "sqlite":
        return ""
    return request.getfixturevalue("postgres_database")


@pytest.fixture
def settings(tmp_path: Path, database_url: str) -> Settings:
    return Settings(data_dir=tmp_path / "data", database_url=database_url)


@pytest.fixture
def application(settings: Settings) -> Iterator[Application]:
    opened = open_application(settings)
    yield opened
    opened.close()


@pytest.fixture
def sqlite_application(tmp_path: Path) -> Iterator[Application]:
    """For what has nothing to do with the database."""
    opened = open_application(Settings(data_dir=tmp_path / "data"))
    yield opened
    opened.close()


@pytest.fixture
def unguessable() -> str:
    return secrets.token_hex(8)
