"""Data to stdout, all else to stderr. JSON is the very bytes that HTTP answers."""

import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from pydantic import BaseModel


def show(answer: "BaseModel", as_json: bool) -> None:
    """Prints an answer: for a person on a terminal, as JSON otherwise."""
    if as_json or not sys.stdout.isatty():
        from loreweave.contracts.wire import to_json

        write(to_json(answer))
    else:
        from loreweave.faces.cli.terminal_views import show_on_terminal

        show_on_terminal(answer)


def write(data: bytes) -> None:
    """Writes and flushes; a reader that went away early ends the command quietly."""
    try:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(0) from None


def say(sentence: str) -> None:
    """A word to the person; never part of the data."""
    with suppress(BrokenPipeError, UnicodeEncodeError):
        print(sentence, file=sys.stderr, flush=True)
