"""Memories on their way through a folder."""

import shutil
from pathlib import Path
from typing import Any

from tests.memory.curator import Curator

from loreweave.settings import Settings


def exported(curator: Curator, folder: Path, scope: str | None = None) -> dict[str, str]:
    """Path → text of every file, in a folder emptied before."""
    shutil.rmtree(folder, ignore_errors=True)
    answer = curator.application.memory.export_folder(folder, scope)
    files = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    assert answer.exported == len(files)
    return {name: path.read_bytes().decode() for name, path in sorted(files.items())}


def imported(curator: Curator, folder: Path, *, dry_run: bool = False) -> dict[str, Any]:
    return curator.application.memory.import_folder(folder, dry_run, "test").model_dump(mode="json")


def done(
    created: int = 0, updated: int = 0, unchanged: int = 0, skipped: dict[str, str] | None = None
) -> dict[str, Any]:
    told = [{"file": file, "error": error} for file, error in sorted((skipped or {}).items())]
    return {"created": created, "updated": updated, "unchanged": unchanged, "skipped": told}


def fresh(curator: Curator, place: Path) -> Curator:
    """Another store, empty, at the same time."""
    clock_file = place / "clock"
    place.mkdir(exist_ok=True)
    clock_file.write_text(curator.now)
    return Curator(Settings(data_dir=place / "data"), clock_file)


def put(folder: Path, name: str, text: str | bytes) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path
