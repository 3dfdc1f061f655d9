"""Every command shown in the pages is one that the program takes."""

import re
import shlex
from pathlib import Path

import pytest
import typer

from loreweave.faces.cli import ask_program as ask
from loreweave.faces.cli import lore

DOCS = Path(__file__).resolve().parents[2] / "docs"
OPERATIONS = {
    "ingest",
    "graphs",
    "scan",
    "node",
    "traverse",
    "context",
    "search",
    "validate",
    "stats",
    "export",
    "fuse",
    "watch",
    "delete",
    "memory",
    "chat",
    "route",
    "run",
    "sessions",
}
SHELL = re.compile(r"^( *)```sh\n(.*?)^\1```", re.MULTILINE | re.DOTALL)


def shown_commands() -> list[str]:
    files = [DOCS.parent / "README.md", *(path for path in sorted(DOCS.rglob("*.md")) if "contracts" not in path.parts)]
    pages = [file.read_text(encoding="utf-8") for file in files]
    blocks = [block for page in pages for _, block in SHELL.findall(page)]
    lines = {line.strip().removeprefix(".venv/bin/") for block in blocks for line in block.splitlines()}
    return sorted(line for line in lines if line.startswith(("lore ", "ask ")))


def test_the_pages_show_every_operation() -> None:
    assert {line.split()[1] for line in shown_commands() if line.startswith("lore ")} >= OPERATIONS


@pytest.mark.parametrize("line", shown_commands())
def test_the_program_takes_a_command_as_shown(line: str) -> None:
    program, *arguments = shlex.split(line.partition(" > ")[0], comments=True)
    if program == "ask":
        arguments = ask.in_order(arguments)
    command = typer.main.get_command({"lore": lore.app, "ask": ask.app}[program])
    while hasattr(command, "commands") and arguments:
        name = arguments.pop(0)
        command = command.commands[name]
    command.make_context(name, arguments)
