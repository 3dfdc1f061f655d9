"""Every command shown in the pages is one that the program takes."""

import os
import re
import shlex
from pathlib import Path

import anyio
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from tests import forked
from tests.faces.served import LORE

from loreweave.faces.cli import ask_program as ask
from loreweave.faces.cli import lore
from loreweave.faces.cli.program import commands_of

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
    command = commands_of({"lore": lore.app, "ask": ask.app}[program])
    above = command.context_class(command, info_name=program, **command.context_settings)  # `-h` is said there
    while hasattr(command, "commands") and arguments:
        name = arguments.pop(0)
        command = command.commands[name]
    command.make_context(name, arguments, parent=above)


@pytest.mark.holds("house.package.own-words")
def test_what_readme_tells_claude_code_to_start_starts_and_lists_tools(tmp_path: Path) -> None:
    """`claude mcp add [OPTIONS] NAME -- COMMAND [ARGS]`: all options stand in front of the name."""
    readme = (DOCS.parent / "README.md").read_text(encoding="utf-8")
    (line,) = re.findall(r"^claude mcp add .*$", readme, re.MULTILINE)
    told, _, started = line.partition(" -- ")
    assert told.split() == ["claude", "mcp", "add", "--scope", "user", "loreweave"]
    program, *arguments = shlex.split(started, comments=True)
    assert program == "/path/to/.venv/bin/lore"

    async def tools() -> set[str]:
        python, *words = forked.standing_in([*LORE, *arguments])
        parameters = StdioServerParameters(
            command=python, args=words, env={**os.environ, "LORE_DATA_DIR": str(tmp_path)}
        )
        async with Client(stdio_client(parameters)) as session:
            return {tool.name for tool in (await session.list_tools()).tools}

    assert {"ingest_folder", "store_memory"} <= anyio.run(tools)
