"""What every program of the house shares: its frame, its exit codes, and one line for whatever goes wrong."""

import sys
from collections.abc import Callable, Sequence
from typing import Annotated, Any

import typer

from loreweave import __version__
from loreweave.errors import InvalidInput, LoreError
from loreweave.settings import refuse_unknown_failpoint, without_pydantic_plugins

DONE, FAILED, WRONG_USAGE, INTERRUPTED = 0, 1, 2, 130

Shape = dict[str, Any]  # an error as HTTP would say it
Complain = Callable[[Shape], str]  # the line that tells a person or a program of it


def make_program(name: str, purpose: str) -> typer.Typer:
    """A program without commands yet, that knows `--version`."""
    app = typer.Typer(
        name=name,
        help=purpose,
        add_completion=False,
        no_args_is_help=True,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
    )

    @app.callback(help=purpose)
    def begin(
        version: Annotated[
            bool,
            typer.Option("--version", help="Show the version and exit.", is_eager=True, callback=_show_version),
        ] = False,
    ) -> None:
        refuse_unknown_failpoint()

    return app


def run_program(app: typer.Typer, name: str, arguments: Sequence[str], complain: Complain) -> int:
    """Runs one command and answers its exit code: 0 done, 1 failed, 2 wrong usage, 130 interrupted."""
    without_pydantic_plugins()
    try:
        code = typer.main.get_command(app).main(list(arguments), prog_name=name, standalone_mode=False)
    except LoreError as refusal:
        _write(complain(refusal.shape()))
        return WRONG_USAGE if isinstance(refusal, InvalidInput) else FAILED
    except KeyboardInterrupt:
        return INTERRUPTED
    except typer.Abort:
        return FAILED
    except Exception as trouble:
        return _unforeseen(trouble, complain)
    return code if isinstance(code, int) else DONE


def _unforeseen(trouble: Exception, complain: Complain) -> int:
    """Typer's complaints about usage carry a message; anything else is a fault of ours, told in one line."""
    if not hasattr(trouble, "format_message"):
        shape = {"error": f"Unexpected {type(trouble).__name__}: {trouble}", "code": "internal_error"}
        _write(complain(shape))
        return FAILED
    message = trouble.format_message()
    if type(trouble).__name__ == "NoArgsIsHelpError":  # its message is the help
        _write(message)
    else:
        _write(complain({"error": message[:1].upper() + message[1:], "code": "usage"}))
    return WRONG_USAGE


def _show_version(asked: bool) -> None:
    if asked:
        print(__version__)
        raise typer.Exit


def _write(line: str) -> None:
    sys.stderr.buffer.write(line.encode("utf-8", "replace") + b"\n")
    sys.stderr.flush()
