"""A PostgreSQL server of the tests' own: a fresh cluster in a temporary folder, reached over a local socket."""

import os
import secrets
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest


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
def postgres_server() -> Iterator[str]:
    """The socket folder of a running server."""
    folder = Path(tempfile.mkdtemp(prefix="lore-pg-"))
    if os.geteuid() == 0:
        shutil.chown(folder, "postgres", "postgres")
    cluster = str(folder / "cluster")
    _run(_tool("initdb"), "-D", cluster, "-U", "lore", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
    options = f"-c listen_addresses='' -c unix_socket_directories='{folder}' -c fsync=off -c max_connections=200"
    _run(_tool("pg_ctl"), "-D", cluster, "-w", "-l", str(folder / "log"), "-o", options, "start")
    yield str(folder)
    _run(_tool("pg_ctl"), "-D", cluster, "-m", "immediate", "stop")
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def postgres_database(postgres_server: str) -> Iterator[str]:
    """The address of an empty database."""
    name = f"lore_{secrets.token_hex(6)}"
    with psycopg.connect(f"postgresql://lore@/postgres?host={postgres_server}", autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
        yield f"postgresql://lore@/{name}?host={postgres_server}"
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")
