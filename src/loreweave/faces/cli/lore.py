"""The command `lore`.

Command files import what they need inside their functions: a cold read pays for nothing else.
"""

import json
from collections.abc import Sequence

from loreweave.faces.cli import (
    graph_commands,
    ingest_commands,
    memory_commands,
    route_commands,
    run_commands,
    server_commands,
    session_commands,
    upkeep_commands,
)
from loreweave.faces.cli.clients import connect_command
from loreweave.faces.cli.program import Shape, make_program, run_program, start
from loreweave.faces.cli.terminal import chat_command

app = make_program("lore", "Loreweave: a folder of linked markdown as a graph of know-how.")

for commands in (
    server_commands,
    ingest_commands,
    graph_commands,
    memory_commands,
    route_commands,
    run_commands,
    session_commands,
    upkeep_commands,
    connect_command,
    chat_command,
):
    commands.add_to(app)


def main() -> None:
    """The entry point of the program."""
    start(run)


def run(arguments: Sequence[str]) -> int:
    """Runs one command and answers its exit code."""
    return run_program(app, "lore", arguments, _as_json if "--json" in arguments else _sentence)


def _as_json(shape: Shape) -> str:
    return json.dumps({name: value for name, value in shape.items() if name != "says"}, ensure_ascii=False)


def _sentence(shape: Shape) -> str:
    return f"error: {shape.get('says') or shape['error']}"


if __name__ == "__main__":
    main()
