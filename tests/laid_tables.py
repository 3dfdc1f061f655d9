"""Libraries on SQLite that have every table already, the engine's too: making them takes six times as long."""

import shutil
from pathlib import Path

from loreweave.seams.engine.engine import Durable
from loreweave.seams.engine.open_engine import open_engine
from loreweave.seams.storage.open_store import open_store

FILES = ("lore.db", "engine.db")


async def no_work(session_id: str, durable: Durable) -> None:
    """Nobody starts a session of a template."""


def make_template(folder: Path) -> Path:
    """A folder of which nothing but the tables is used."""
    open_store(folder, "").close()
    open_engine(folder, "", no_work).close()
    return folder


def lay_tables(folder: Path, template: Path) -> None:
    """Where there is no library yet."""
    if not folder.exists():
        folder.mkdir(mode=0o700)
        for name in FILES:
            shutil.copy(template / name, folder)
