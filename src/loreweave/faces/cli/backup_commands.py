"""`lore backup` and `lore restore`: the library as one file."""

import json as json_format
import sys
from pathlib import Path
from typing import Annotated

import typer

from loreweave.faces.cli.command_parts import Data, Json, opened, say, write

File = Annotated[Path, typer.Argument(metavar="FILE", help="The file of the backup.")]


def add_to(app: typer.Typer) -> None:
    app.command()(backup)
    app.command()(restore)


def backup(file: File, data: Data = None, json: Json = False) -> None:
    """Write the library into one file, while servers go on."""
    with opened(data, takes_work=False) as application:
        counts = application.backups.backup(file.expanduser())
    _tell(f"{file} holds", counts, json)


def restore(
    file: File,
    replace: Annotated[
        bool, typer.Option("--replace", help="Give up what the library holds now for what the backup holds.")
    ] = False,
    data: Data = None,
    json: Json = False,
) -> None:
    """Bring the library of a backup back, on either database, while servers go on."""
    with opened(data, "made", takes_work=False) as application:
        counts = application.backups.restore(file.expanduser(), replace=replace)
    _tell("The library holds", counts, json)


def _tell(what: str, counts: dict[str, int], as_json: bool) -> None:
    if as_json or not sys.stdout.isatty():
        write(json_format.dumps(counts).encode() + b"\n")
    else:
        say(f"{what} " + ", ".join(f"{count} {name}" for name, count in counts.items()))
