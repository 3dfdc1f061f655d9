"""What every program of the house shares: its frame, its exit codes, and one line for whatever goes wrong."""

import gc
import re
import sys
from collections.abc import Callable, Sequence
from functools import cache
from typing import Annotated, Any

import typer

from loreweave import __version__
from loreweave.errors import InvalidInput, LoreError, perhaps_meant
from loreweave.settings import refuse_unknown_failpoint, spare_libraries

DONE, FAILED, WRONG_USAGE, INTERRUPTED = 0, 1, 2, 130
OBJECTS_BETWEEN_COLLECTIONS = 50_000

Shape = dict[str, Any]  # an error as HTTP would say it
Complain = Callable[[Shape], str]  # the line that tells a person or a program of it

# Control characters but line ends and tabs, and what turns the direction of writing: they steer a terminal.
UNSAFE = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufff9-\ufffb\ud800-\udfff]"
)
# Fields of requests that have another name on the command line than their own with hyphens.
_CALLED = {
    "tokenBudget": "budget", "graphId": "graph", "graphIds": "graphs", "startNode": "start", "toolName": "tool",
    "currentSkillId": "current", "userMessage": "message", "pendingPick": "pick", "answers": "answer",
    "plan": "",  # what stands in the file, not its name
}  # fmt: skip


def safe(value: Any) -> str:
    """Text without what would steer a terminal."""
    return UNSAFE.sub("\N{REPLACEMENT CHARACTER}", str(value))


def make_program(name: str, purpose: str) -> typer.Typer:
    """A program without commands yet, that knows `--version`, `-h` everywhere, and how to complete its words."""
    app = typer.Typer(
        name=name,
        help=purpose,
        no_args_is_help=True,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )

    @app.callback(help=purpose)
    def begin(
        version: Annotated[
            bool, typer.Option("--version", help="Show the version and exit.", is_eager=True, callback=_show_version)
        ] = False,
    ) -> None:
        refuse_unknown_failpoint()

    return app


@cache
def commands_of(app: typer.Typer) -> Any:
    """What its functions say of their words; to read them all takes as long as many a command."""
    return typer.main.get_command(app)


def start(run: Callable[[Sequence[str]], int]) -> None:
    """Runs the command that the process was given, and ends with its exit code."""
    # What is imported stays: looking through it for garbage every few hundred objects is in vain, at the end as well.
    gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS)
    code = run(sys.argv[1:])
    gc.freeze()
    sys.exit(code)


def run_program(app: typer.Typer, name: str, arguments: Sequence[str], complain: Complain) -> int:
    """Runs one command and answers its exit code: 0 done, 1 failed, 2 wrong usage, 130 interrupted."""
    spare_libraries()
    command = commands_of(app)
    try:
        code = command.main(list(arguments), prog_name=name, standalone_mode=False)
    except LoreError as refusal:
        _write(complain(_in_own_words(refusal.shape(), command, arguments)))
        return WRONG_USAGE if isinstance(refusal, InvalidInput) else FAILED
    except KeyboardInterrupt:
        return INTERRUPTED
    except typer.Abort:
        return FAILED
    except Exception as trouble:
        return _unforeseen(trouble, complain)
    return code if isinstance(code, int) else DONE


def _in_own_words(shape: Shape, command: Any, arguments: Sequence[str]) -> Shape:
    """`says` is the sentence for a person: options by their names here, and what was perhaps meant."""
    said = str(shape["error"])
    field = str(shape.get("field", ""))
    if field and (said.startswith(field) or f"`{field}`" in said):
        word = _word_for(field, command, arguments)
        said = word + said.removeprefix(field) if said.startswith(field) else said.replace(f"`{field}`", f"`{word}`")
    others = [f"  {each['path']} {each['message']}" for each in shape.get("fields", [])[1:]]
    return {**shape, "says": "\n".join([perhaps_meant(said, shape), *others])}


def _word_for(field: str, command: Any, arguments: Sequence[str]) -> str:
    """What the command that was called names a field of its request."""
    for word in arguments:
        command = getattr(command, "commands", {}).get(word, command)
    last = field.rpartition(".")[2]
    name = _CALLED.get(last, re.sub("[A-Z]", lambda letter: "_" + letter[0].lower(), last))
    for parameter in command.params:
        if parameter.name == name:
            options = [each for each in parameter.opts if each.startswith("--")]
            return options[0] if options else str(parameter.metavar or name)
    return field


def _unforeseen(trouble: Exception, complain: Complain) -> int:
    """Typer's complaints about usage carry a message; anything else is a fault of ours, told in one line."""
    if not hasattr(trouble, "format_message"):
        shape = {"error": f"Unexpected {type(trouble).__name__}: {trouble}", "code": "internal_error"}
        _write(complain(shape))
        return FAILED
    message = trouble.format_message().removeprefix("Invalid value: ")
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
    sys.stderr.buffer.write(safe(line).encode() + b"\n")
    sys.stderr.flush()
