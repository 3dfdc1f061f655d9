"""Doors to programs outside: which of them may be opened at all, and how they are run. Their programs are strangers."""

from __future__ import annotations

import asyncio
import re
import unicodedata
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager

from loreweave.contracts.argument_values import Fault
from loreweave.contracts.project_spec import Portal, PortalProgram
from loreweave.contracts.session_events import DeployProgress
from loreweave.errors import Unavailable
from loreweave.seams.host.sandbox import Command
from loreweave.work.agents.mcp_portal import OPENINGS, McpPortal, PortalTool
from loreweave.work.builds.build import Build
from loreweave.work.builds.teaching import teach

COMMANDS = ("node", "npx", "python", "python3", "pip", "pip3", "mpremote", "arduino-cli", "esptool", "git")
SECONDS = 60.0
SHOWN = 500  # characters of what it printed
# Joined to its code or not; npx has a shell for `--call`, and node imports what an address itself holds.
_CODE = re.compile(r"-[cep]|--(?:eval|print|call)(?:=|$)|(?:--[a-z-]+=)?(?i:data):")
_CLUSTERS = {"python": re.compile(r"-[A-Za-z]*c"), "node": re.compile(r"-[A-Za-z]*[ep]")}
_ENVIRONMENT = re.compile(r"(?:PATH|HOME|(?:LD|DYLD|NODE|GIT|LORE|ANTHROPIC|OPENAI)_.*|PYTHON.*)", re.IGNORECASE)
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def portal_faults(portals: list[Portal], knows_port: Callable[[str], bool]) -> Iterator[Fault]:
    """Everything that may not be, by its place in the spec."""
    for number, portal in enumerate(portals):
        place = f"portals.{number}"
        for name, program in (("cliConfig", portal.cliConfig), ("mcpConfig", portal.mcpConfig)):
            if program is not None:
                yield from _program_faults(program, f"{place}.{name}")
            elif portal.mechanism == name.removesuffix("Config"):
                yield Fault(f"{place}.{name}", "is required")
        if portal.serialConfig is not None and not knows_port(portal.serialConfig.port):
            yield Fault(
                f"{place}.serialConfig.port", "must be a port with a board, or one that LORE_SERIAL_PORTS allows"
            )


def _program_faults(program: PortalProgram, place: str) -> Iterator[Fault]:
    if program.command not in COMMANDS:
        yield Fault(f"{place}.command", f"must be one of {', '.join(COMMANDS)}")
        return
    family = program.command.rstrip("3")
    for number, argument in enumerate(program.args):
        where = f"{place}.args.{number}"
        if any(unicodedata.category(letter) == "Cc" for letter in argument):
            yield Fault(where, "must not contain control characters")
        elif _CODE.match(argument) or (family in _CLUSTERS and _CLUSTERS[family].match(argument)):
            yield Fault(where, "must not carry code")
    for name in program.env:
        if not _NAME.fullmatch(name) or _ENVIRONMENT.fullmatch(name):
            yield Fault(f"{place}.env.{name}", "must not be set by a portal")


def command_portals(build: Build) -> list[Portal]:
    """Those that are run by the deploy, in order."""
    return [
        portal for portal in build.spec.portals if portal.cliConfig is not None and portal.mechanism in ("cli", "auto")
    ]


@asynccontextmanager
async def open_doors(build: Build) -> AsyncIterator[None]:
    """While it is entered, MCP portals may be opened; none outlives it."""
    try:
        yield
    finally:
        await asyncio.gather(*(door.close() for door in build.doors))


async def portal_tools(build: Build) -> list[PortalTool]:
    """Of all MCP portals, opened by the first who asks and again where one died; one that does not open is told of."""
    async with build.opening:
        if not build.doors:
            build.doors += await asyncio.to_thread(lambda: list(_doors(build)))
        closed = [door for door in build.doors if not door.is_open and door.openings < OPENINGS]
        outcomes = await asyncio.gather(*(door.open() for door in closed), return_exceptions=True)
        for door, outcome in zip(closed, outcomes, strict=True):
            if isinstance(outcome, Unavailable):
                message = f"The portal {door.title!r} could not be opened: {outcome.message}"
                await build.trouble(f"portal/{door.prefix}/closed", message)
            elif outcome is not None:
                raise outcome
        if build.doors:
            await teach(build, "portal")
    return [tool for door in build.doors if door.is_open for tool in door.tools]


def _doors(build: Build) -> Iterator[McpPortal]:
    programs, sandbox = build.tools.open_programs(), build.tools.open_sandbox()
    for number, portal in enumerate(build.spec.portals, 1):
        program = portal.mcpConfig
        if program is None or portal.mechanism not in ("mcp", "auto"):
            continue
        title = portal.name or portal.id or f"portal {number}"
        prefix = f"{re.sub('[^A-Za-z0-9-]+', '-', title).strip('-')[:20] or 'portal'}-{number}"
        start = programs.resolve((program.command, *program.args)) or ()
        yield McpPortal(title, prefix, start, program.env, build.folder.path, sandbox)


async def run_portals(build: Build, first: float, last: float) -> None:
    """One after the other, between two marks of progress; one that fails does not keep the next from running."""
    portals = command_portals(build)
    for number, portal in enumerate(portals):
        await teach(build, "portal")
        said = await _run(build, portal, number)
        progress = first + (last - first) * (number + 1) / len(portals)
        await build.tell(f"portal/{number}", DeployProgress(step=said["output"], progress=round(progress, 1)))
        if said["fault"]:
            name = portal.name or portal.id or f"portal {number + 1}"
            await build.trouble(f"portal/{number}/failed", f"The portal {name!r} failed: {said['fault']}")


async def _run(build: Build, portal: Portal, number: int) -> dict[str, str]:
    program = portal.cliConfig
    assert program is not None

    async def run() -> dict[str, str]:
        start = build.tools.open_programs().resolve((program.command, *program.args))
        if start is None:
            return {"output": f"{program.command} is not installed", "fault": f"{program.command} is not installed."}
        command = Command(
            argv=start, folder=build.folder.path, network=True, seconds=SECONDS, environment=dict(program.env)
        )
        done = await build.tools.open_sandbox().run(command)
        if done.timed_out:
            fault = f"it was ended after {SECONDS:g} seconds."
        else:
            fault = done.over_limit or (f"exit code {done.exit_code}." if done.exit_code else "")
        return {"output": done.output.strip()[:SHOWN] or "(it printed nothing)", "fault": fault}

    told: dict[str, str] = await build.run.step(f"portal/{number}", run)
    return told
