"""A PostgreSQL server of the tests' own: a fresh cluster in a temporary folder, reached over a local socket."""

import fcntl
import os
import secrets
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from tests.laid_tables import no_work

from loreweave.seams.engine.open_engine import open_engine
from loreweave.seams.storage.open_store import open_store

TEMPLATE = "lore_template"


def _tool(name: str) -> str:
    """Debian keeps the server's programs out of PATH."""
    places = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), reverse=True)
    found = str(places[0]) if places else shutil.which(name)
    if not found:
        pytest.fail("PostgreSQL's server is not installed; `make test` installs it or says how", pytrace=False)
    return found


def _run(*command: str) -> None:
    """PostgreSQL refuses to run as root, so root hands the work to the user `postgres`."""
    who = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
    subprocess.run([*who, *command], check=True, capture_output=True, cwd="/")


@pytest.fixture(scope="session")
def postgres_server(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The socket folder of a running server, one for all workers: whoever asks first starts it."""
    known = _known(tmp_path_factory)
    with open(known.with_suffix(".lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not known.exists():
            folder = tempfile.mkdtemp(prefix="lore-pg-")
            known.write_text(folder)
            _start(folder)
            _make_template(folder, tmp_path_factory.mktemp("template"))
    return known.read_text()


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    known = _known(session.config._tmp_path_factory)  # type: ignore[attr-defined]
    if known.exists():
        folder = known.read_text()
        _run(_tool("pg_ctl"), "-D", f"{folder}/cluster", "-m", "immediate", "stop")
        shutil.rmtree(folder, ignore_errors=True)


def _known(factory: pytest.TempPathFactory) -> Path:
    return factory.getbasetemp() / "postgres"


def _start(folder: str) -> None:
    if os.geteuid() == 0:
        shutil.chown(folder, "postgres", "postgres")
    cluster = f"{folder}/cluster"
    _run(_tool("initdb"), "-D", cluster, "-U", "lore", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
    options = f"-c listen_addresses='' -c unix_socket_directories='{folder}' -c max_connections=400"
    options += " -c fsync=off -c full_page_writes=off"
    _run(_tool("pg_ctl"), "-D", cluster, "-w", "-l", f"{folder}/log", "-o", options, "start")


def _make_template(server: str, folder: Path) -> None:
    """A database that has every table, the engine's too: making them takes ten times as long as copying them."""
    with _cluster(server) as connection:
        connection.execute(f"CREATE DATABASE {TEMPLATE}")
    address = _address(server, TEMPLATE)
    open_store(folder, address).close()
    open_engine(folder, address, no_work).close()


@pytest.fixture
def postgres_database(postgres_server: str) -> Iterator[str]:
    """The address of a database with tables and nothing in them."""
    yield from _database(postgres_server, f"TEMPLATE {TEMPLATE} STRATEGY file_copy")


@pytest.fixture
def bare_postgres_database(postgres_server: str) -> Iterator[str]:
    """The address of a database without tables."""
    yield from _database(postgres_server)


def _database(server: str, how: str = "") -> Iterator[str]:
    name = f"lore_{secrets.token_hex(6)}"
    with _cluster(server) as connection:
        connection.execute(f"CREATE DATABASE {name} {how}")
        yield _address(server, name)
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


def _cluster(server: str) -> psycopg.Connection[Any]:
    return psycopg.connect(_address(server, "postgres"), autocommit=True)


def _address(server: str, name: str) -> str:
    return f"postgresql://lore@/{name}?host={server}"
