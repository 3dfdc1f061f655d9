"""Libraries on SQLite that have every table already, the engine's too: making them takes six times as long."""

import shutil
from pathlib import Path

from loreweave.seams.engine.engine import Durable
from loreweave.seams.engine.open_engine import open_engine
from loreweave.seams.storage.open_store import open_store

FILES = ("lore.db", "engine.db")
_made: dict[str, Path] = {}


async def no_work(session_id: str, durable: Durable) -> None:
    """Nobody starts a session of a template."""


def make_template(folder: Path) -> None:
    """Before any engine is open: a process has one at a time. Of the folder nothing but the tables is used."""
    open_store(folder, "").close()
    open_engine(folder, "", no_work).close()
    _made["in"] = folder


def lay_tables(folder: Path) -> Path:
    """Where there is no library yet; answers the folder."""
    if not (folder / FILES[0]).exists():
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for name in FILES:
            shutil.copy(_made["in"] / name, folder)
    return folder
