"""The command `ask`: the reader of contract 002.

Command files import what they need inside their functions: a cold read pays for nothing else.
"""

import sys
from collections.abc import Sequence

from loreweave.faces.cli import ask_build_commands, ask_read_commands
from loreweave.faces.cli.program import Shape, make_program, run_program

# Options that take no value: every other one before the verb is followed by its value.
_BARE = {"--help", "--version", "--json", "--no-model", "--refresh"}

app = make_program("ask", "Ask a folder of markdown: search, facts, glossary and checked answers.")

for commands in (ask_read_commands, ask_build_commands):
    commands.add_to(app)


def main() -> None:
    """The entry point of the program."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Runs one command and answers its exit code."""
    return run_program(app, "ask", verb_first(arguments), _sentence)


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


def _sentence(shape: Shape) -> str:
    return f"ask: {shape['error']}"


if __name__ == "__main__":
    main()
