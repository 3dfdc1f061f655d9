"""Runs a command that was approved, in the sandbox, and says how it ended."""

from __future__ import annotations

from loreweave.errors import Unavailable
from loreweave.language.boxed_text import boxed
from loreweave.seams.host.sandbox import Command, CommandResult
from loreweave.work.agents.agent_tools import AgentTools
from loreweave.work.agents.command_rules import class_of

COMMAND_SECONDS = 60.0
_GIT_START = ("--no-pager", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "core.pager=cat")
_NO_DRIVERS = ("--no-ext-diff", "--no-textconv")


async def run_agent_command(tools: AgentTools, argv: tuple[str, ...]) -> str:
    resolved = tools.programs.resolve(_guarded(argv))
    if resolved is None:
        raise Unavailable("This program is not installed here")
    command = Command(
        argv=resolved,
        folder=tools.folder.path,
        # Of these classes only such commands come here as the session's rules or a person allowed.
        network=tools.permissions.allow_network or class_of(argv) in ("network", "installing"),
        seconds=COMMAND_SECONDS,
        environment=_environment(tools, argv),
    )
    return _said(await tools.sandbox.run(command))


def _guarded(argv: tuple[str, ...]) -> tuple[str, ...]:
    """Without what a repository's own settings could start, and without following links from folder to folder."""
    if argv[0] == "git":
        drivers = () if argv[1:2] == ("status",) else _NO_DRIVERS
        return ("git", *_GIT_START, *argv[1:2], *drivers, *argv[2:])
    if argv[0] == "diff":
        return ("diff", "--no-dereference", *argv[1:])
    return argv


def _environment(tools: AgentTools, argv: tuple[str, ...]) -> dict[str, str]:
    if argv[0] != "git":
        return {}
    quiet = {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_OPTIONAL_LOCKS": "0"}
    if tools.sandbox.kind == "limits":
        quiet["GIT_CEILING_DIRECTORIES"] = str(tools.folder.path.parent)  # no repository around the workspace
    return quiet


def _said(result: CommandResult) -> str:
    if result.over_limit:
        ended = result.over_limit
    elif result.timed_out:
        ended = f"The command was ended after {COMMAND_SECONDS:g} seconds."
    else:
        ended = f"Exit code {result.exit_code}."
    return f"{ended}\n{boxed('output', result.output)}" if result.output else f"{ended} It printed nothing."
