"""What commands share: their options, the services opened for the length of one, and where they print.

Data goes to stdout, all else to stderr. JSON is the very bytes that HTTP answers.
"""

import json as json_format
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from loreweave.errors import InvalidInput, NotFound, TooLarge, Unavailable
from loreweave.faces.cli.program import UNSAFE, safe
from loreweave.settings import Settings, load_settings, sqlite_file

if TYPE_CHECKING:
    from pydantic import BaseModel

    from loreweave.application import Application

MOST_BYTES = 1024 * 1024  # of a file that is sent, as over the wire
Graph = Annotated[
    str | None, typer.Option("--graph", metavar="ID", help="The graph to read; by default the one ingested last.")
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON; automatic when stdout is no terminal.")]
Data = Annotated[Path | None, typer.Option("--data", metavar="DIR", help="The data folder.")]
Domain = Annotated[str | None, typer.Option("--domain", metavar="D", help="Only notes of this domain.")]
Limit = Annotated[int | None, typer.Option("--limit", metavar="N", help="At most this many results, 1 to 100.")]
Budget = Annotated[int | None, typer.Option("--budget", metavar="N", help="Token budget, 0 to 200000 (6000).")]
MaxNodes = Annotated[int | None, typer.Option("--max-nodes", metavar="N", help="Load at most this many notes (8).")]
Name = Annotated[str | None, typer.Option("--name", metavar="ID", help="What the graph is called.")]
Subdirectory = Annotated[
    str | None, typer.Option("--subdirectory", metavar="D", help="Read only this folder of the source.")
]
BasePath = Annotated[
    str | None, typer.Option("--base-path", metavar="/docs/", help="Where the pages of the graph are served.")
]


# What a command does to the library of a data folder: only what writes makes one.
Library = Literal["read", "made", "unused"]


@contextmanager
def opened(
    data: Path | None, library: Library = "read", *, start_method: str = "fork", takes_work: bool = True, **flags: Any
) -> "Iterator[Application]":
    """Settings from file, environment and flags; then the application over them.

    A command that runs threads must not fork: it asks for another `start_method`. One that ends soon leaves
    sessions to others: without `takes_work` it goes on with nothing they left.
    """
    settings = load_settings(data_dir=data, **flags)
    file = sqlite_file(settings.data_dir, settings.database_url)
    if library == "read":
        _find(settings)
    from loreweave.application import open_application

    application = open_application(settings, start_method=start_method, takes_work=takes_work)
    try:
        yield application
    except Unavailable as refusal:
        if refusal.facts.get("part") == "database" and file is not None and not os.access(file.parent, os.W_OK):
            from loreweave.private_folder import cannot_write

            raise cannot_write(file.parent, "permission denied") from None
        raise
    finally:
        application.close()


def _find(settings: Settings) -> None:
    """A library that is not there is never made by looking for it."""
    from loreweave.seams.storage.open_store import holds_library

    file = sqlite_file(settings.data_dir, settings.database_url)
    try:
        if holds_library(settings.data_dir, settings.database_url):
            return
    except OSError as trouble:
        raise Unavailable(f"The data folder {settings.data_dir} cannot be read: {trouble.strerror}") from None
    if file is None:
        raise NotFound("There is no library in the database of LORE_DATABASE_URL: `lore ingest FOLDER` makes one")
    raise NotFound(
        f"There is no library at {file.parent}: `lore ingest FOLDER` makes one, --data or LORE_DATA_DIR names another"
    )


def given(**values: Any) -> dict[str, Any]:
    """Only what was said: everything else is the contract's default."""
    return {name: value for name, value in values.items() if value is not None}


def show(answer: "BaseModel", as_json: bool) -> None:
    """Prints an answer: for a person on a terminal, as JSON otherwise."""
    if wants_json(as_json):
        from loreweave.contracts.wire import to_json

        write(to_json(answer))
    else:
        from loreweave.faces.cli.terminal.terminal_views import show_on_terminal

        show_on_terminal(answer)


def write(data: bytes) -> None:
    """Writes and flushes; a reader that went away early ends the command quietly.

    On a terminal what would steer it is spelled out as JSON spells it, so that JSON stays what it is.
    """
    if sys.stdout.isatty():
        text = data.decode("utf-8", "replace")
        data = UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", text).encode()
    try:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(0) from None


def write_json(value: Any) -> None:
    """Of what is no answer of the contract: one line."""
    write(json_format.dumps(value, ensure_ascii=False).encode("utf-8", "replace") + b"\n")


def wants_json(asked: bool) -> bool:
    """Also where nobody looks on: the next command reads it."""
    return asked or not sys.stdout.isatty()


class EventLines:
    """One event a line, as they come."""

    def show(self, event: str, value: dict[str, Any]) -> None:
        line = json_format.dumps({"event": event, "data": value}, ensure_ascii=False, separators=(",", ":"))
        write(line.encode() + b"\n")

    def end(self) -> None:
        """Every line is ended."""


def say(sentence: str) -> None:
    """A word to the person; never part of the data."""
    with suppress(BrokenPipeError, UnicodeEncodeError):
        print(safe(sentence), file=sys.stderr, flush=True)


def read_json_file(place: str, what: str) -> dict[str, Any]:
    """The object that a file holds; refusals blame the argument `what`."""
    from loreweave.faces.request_values import lenient_json

    if place == "-":
        raise InvalidInput(f"The {what} is read from a file: standard input answers questions", field=what)
    try:
        with Path(place).open("rb") as file:
            content = file.read(MOST_BYTES + 1)
        if len(content) > MOST_BYTES:
            raise TooLarge(f"{place} is larger than {MOST_BYTES:,} bytes", what=f"{what}_bytes", limit=MOST_BYTES)
        value = lenient_json(content.decode("utf-8-sig"), _distinct)
    except OSError as trouble:
        raise InvalidInput(f"{place} cannot be read: {trouble.strerror or trouble}", field=what) from None
    except ValueError as trouble:
        raise InvalidInput(f"{place} holds no JSON: {trouble}", field=what) from None
    if not isinstance(value, dict):
        raise InvalidInput(f"{place} must hold an object", field=what)
    return value


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    from loreweave.faces.request_values import name_given_twice
    from loreweave.language.strange_text import shown

    twice = name_given_twice(pairs)
    if twice is not None:
        raise InvalidInput(f"{shown(twice)} is given twice", field=shown(twice))
    return dict(pairs)
