"""The command `ask`: the reader of contract 002.

Command files import what they need inside their functions: a cold read pays for nothing else.
"""

import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from loreweave import __version__
from loreweave.errors import InvalidInput, LoreError
from loreweave.faces.cli import ask_build_commands, ask_read_commands
from loreweave.settings import refuse_unknown_failpoint, without_pydantic_plugins

DONE, FAILED, WRONG_USAGE, INTERRUPTED = 0, 1, 2, 130
# Options that take no value: every other one before the verb is followed by its value.
_BARE = {"--help", "--version", "--json", "--no-model", "--refresh"}

app = typer.Typer(
    name="ask",
    help="Ask a folder of markdown: search, facts, glossary and checked answers.",
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
def ask(
    version: Annotated[
        bool,
        typer.Option("--version", help="Show the version and exit.", is_eager=True, callback=_show_version),
    ] = False,
) -> None:
    """Ask a folder of markdown: search, facts, glossary and checked answers."""
    refuse_unknown_failpoint()


for commands in (ask_read_commands, ask_build_commands):
    commands.add_to(app)


def main() -> None:
    """The entry point of the program."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Runs one command and answers its exit code: 0 done, 1 failed, 2 wrong usage."""
    without_pydantic_plugins()
    try:
        code = typer.main.get_command(app).main(verb_first(arguments), prog_name="ask", standalone_mode=False)
    except InvalidInput as refusal:
        return _complain(refusal.message, WRONG_USAGE)
    except LoreError as refusal:
        return _complain(refusal.message, FAILED)
    except KeyboardInterrupt:
        return INTERRUPTED
    except typer.Abort:
        return FAILED
    except Exception as trouble:
        if not hasattr(trouble, "format_message"):
            return _complain(f"Unexpected {type(trouble).__name__}: {trouble}", FAILED)
        if type(trouble).__name__ == "NoArgsIsHelpError":  # its message is the help
            print(trouble.format_message(), file=sys.stderr)
            return WRONG_USAGE
        message = trouble.format_message()
        return _complain(message[:1].upper() + message[1:], WRONG_USAGE)
    return code if isinstance(code, int) else DONE


def verb_first(arguments: Sequence[str]) -> list[str]:
    """Flags may stand anywhere, also before the verb."""
    before: list[str] = []
    rest = list(arguments)
    while rest and rest[0].startswith("-") and rest[0] != "--":
        flag = rest.pop(0)
        before.append(flag)
        if flag not in _BARE and "=" not in flag and rest:
            before.append(rest.pop(0))
    return [*rest[:1], *before, *rest[1:]] if rest and rest[0] != "--" else [*before, *rest]


def _complain(sentence: str, code: int) -> int:
    sys.stderr.buffer.write(f"ask: {sentence}\n".encode("utf-8", "replace"))
    sys.stderr.flush()
    return code


if __name__ == "__main__":
    main()
