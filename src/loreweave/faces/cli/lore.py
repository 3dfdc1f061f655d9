"""The command `lore`.

Command files import what they need inside their functions: a cold read pays for nothing else.
"""

import gc
import json
import sys
from collections.abc import Sequence
from typing import Annotated, Any

import typer

from loreweave import __version__
from loreweave.errors import InvalidInput, LoreError
from loreweave.faces.cli import (
    doctor_command,
    graph_commands,
    ingest_commands,
    memory_commands,
    server_commands,
    token_commands,
)
from loreweave.settings import refuse_unknown_failpoint, without_pydantic_plugins

DONE, FAILED, WRONG_USAGE, INTERRUPTED = 0, 1, 2, 130
OBJECTS_BETWEEN_COLLECTIONS = 50_000

app = typer.Typer(
    name="lore",
    help="Loreweave: a folder of linked markdown as a graph of know-how.",
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def _show_version(asked: bool) -> None:
    if asked:
        print(__version__)
        raise typer.Exit


@app.callback()
def lore(
    version: Annotated[
        bool,
        typer.Option("--version", help="Show the version and exit.", is_eager=True, callback=_show_version),
    ] = False,
) -> None:
    """Loreweave: a folder of linked markdown as a graph of know-how."""
    refuse_unknown_failpoint()


for commands in (server_commands, ingest_commands, graph_commands, memory_commands, token_commands, doctor_command):
    commands.add_to(app)


def main() -> None:
    """The entry point of the program."""
    # What is imported stays: looking through it for garbage every few hundred objects is time spent in vain.
    gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS)
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Runs one command and answers its exit code: 0 done, 1 failed, 2 wrong usage."""
    as_json = "--json" in arguments
    without_pydantic_plugins()
    try:
        code = typer.main.get_command(app).main(list(arguments), prog_name="lore", standalone_mode=False)
    except LoreError as refusal:
        _complain(refusal.shape(), as_json)
        return WRONG_USAGE if isinstance(refusal, InvalidInput) else FAILED
    except KeyboardInterrupt:
        return INTERRUPTED
    except typer.Abort:
        return FAILED
    except Exception as trouble:
        return _unforeseen(trouble, as_json)
    return code if isinstance(code, int) else DONE


def _unforeseen(trouble: Exception, as_json: bool) -> int:
    """Typer's complaints about usage carry a message; anything else is a fault of ours, told in one line."""
    if hasattr(trouble, "format_message"):
        message = trouble.format_message()
        if type(trouble).__name__ == "NoArgsIsHelpError":  # its message is the help
            print(message, file=sys.stderr)
        else:
            _complain({"error": message[:1].upper() + message[1:], "code": "usage"}, as_json)
        return WRONG_USAGE
    _complain({"error": f"Unexpected {type(trouble).__name__}: {trouble}", "code": "internal_error"}, as_json)
    return FAILED


def _complain(shape: dict[str, Any], as_json: bool) -> None:
    line = json.dumps(shape, ensure_ascii=False) if as_json else f"error: {shape['error']}"
    sys.stderr.buffer.write(line.encode("utf-8", "replace") + b"\n")
    sys.stderr.flush()


if __name__ == "__main__":
    main()
