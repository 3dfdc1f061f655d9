"""What every test can ask for: settings over a real SQLite file and a real PostgreSQL, and the application."""

import os
import secrets
import shutil
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest
from tests.examples import DEEP, examples
from tests.laid_tables import lay_tables, make_template
from tests.pace import STRETCH

from loreweave.application import Application, open_application
from loreweave.settings import Settings

pytest_plugins = ["tests.lengthy", "tests.workers", "tests.postgres_server", "tests.model_server"]

# The machine may be busy: how long one example takes says nothing. Equal runs, equal examples.
hypothesis.settings.register_profile("house", deadline=None, derandomize=True, max_examples=examples(100))
hypothesis.settings.load_profile("house")

# Where memory can be had, no test waits for a disk; what must survive there is held by killing processes.
MEMORY = Path("/dev/shm")
ENOUGH_BYTES = 4 * 1024**3
OWN_FOLDER: str | None = None  # what somebody else chose is not ours to remove
if MEMORY.is_dir() and os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > ENOUGH_BYTES:
    # What a killed program leaves goes with the run, a failed test's folder stays. Short: sockets lie in it.
    os.environ["PYTEST_DEBUG_TEMPROOT"] = str(MEMORY)
    os.environ["TMPDIR"] = tempfile.tempdir = OWN_FOLDER = tempfile.mkdtemp(prefix="lore-", dir=MEMORY)
    os.chmod(OWN_FOLDER, 0o711)  # where root runs the tests, PostgreSQL is somebody else

# In a short run PostgreSQL is asked where it may differ: what is stored, who was first, and what a crash leaves. What
# lies in folders and what a face says know no database; a journey that is killed again and again tries it on both.
BOTH_DATABASES = (
    *("seams/storage/", "seams/engine/", "pack_laws", "retrieval_laws", "session_log_laws", "graph/test_crashes"),
    *("memory_crash", "several", "session_answers", "session_fence", "following_logs", "merge_and_undo"),
    *("forget_and_restore", "access_tokens", "incremental_ingest", "stored_index", "swept", "erase", "list_changes"),
    *("kept_threads", "chat_everywhere", "knowing_builds_survive"),
    *("question_waits_for_days", "killed_at_every_event", "killed_with_many_sessions"),
)
FOR_ALL_PROGRAMS = ("PYTHONUNBUFFERED", "PYTHONDONTWRITEBYTECODE", "SSL_CERT_FILE")


def pytest_unconfigure() -> None:
    """In the first process alone: a worker ends without it."""
    if OWN_FOLDER:
        shutil.rmtree(OWN_FOLDER, ignore_errors=True)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "database_url" in metafunc.fixturenames and not _names_databases(metafunc):
        both = DEEP or any(part in metafunc.definition.nodeid for part in BOTH_DATABASES)
        metafunc.parametrize("database_url", ["sqlite", "postgresql"] if both else ["sqlite"], indirect=True)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """A machine whose processors are lent to others takes longer to pass, and to fail, every test."""
    for item in items:
        mark = item.get_closest_marker("timeout")
        seconds = mark.args[0] if mark else float(config.getini("timeout"))
        item.add_marker(pytest.mark.timeout(seconds * STRETCH), append=False)


def _names_databases(metafunc: pytest.Metafunc) -> bool:
    return any("database_url" in mark.args[0] for mark in metafunc.definition.iter_markers("parametrize"))


@pytest.fixture(scope="session", autouse=True)
def ctrl_c_reaches_children() -> Iterator[None]:
    """A process that ignores it, as one begun by `nohup … &` does, would have its children ignore it too."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="session", autouse=True)
def no_settings_from_outside(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Whatever the shell around the tests has set must not change what they see or how programs start."""
    for name in list(os.environ):
        if name.startswith(("LORE_", "OPENAI_", "ANTHROPIC_", "OLLAMA_")) or name in FOR_ALL_PROGRAMS:
            del os.environ[name]
    # Nobody outside is spoken to, and to read whom all the world trusts takes a client longer than most requests.
    os.environ["SSL_CERT_DIR"] = str(tmp_path_factory.mktemp("authorities"))


@pytest.fixture
def database_url(request: pytest.FixtureRequest) -> str:
    """The same test on both databases, where both are asked."""
    if request.param == "sqlite":
        return ""
    return request.getfixturevalue("postgres_database")


@pytest.fixture
def settings(tmp_path: Path, database_url: str) -> Settings:
    return Settings(data_dir=tmp_path / "data", database_url=database_url)


@pytest.fixture(scope="session", autouse=True)
def tables_to_lay(tmp_path_factory: pytest.TempPathFactory) -> None:
    make_template(tmp_path_factory.mktemp("template"))


@pytest.fixture
def application(settings: Settings) -> Iterator[Application]:
    if not settings.database_url:
        lay_tables(settings.data_dir)
    opened = open_application(settings)
    yield opened
    opened.close()


@pytest.fixture
def sqlite_application(tmp_path: Path) -> Iterator[Application]:
    """For what has nothing to do with the database."""
    lay_tables(tmp_path / "data")
    opened = open_application(Settings(data_dir=tmp_path / "data"))
    yield opened
    opened.close()


@pytest.fixture
def unguessable() -> str:
    return secrets.token_hex(8)
