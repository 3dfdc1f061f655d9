"""Does what a call of a tool asks for, once it is judged. Everything that comes back is boxed: it is data."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import asdict, dataclass
from typing import Any

from loreweave.errors import Forbidden, InvalidInput, LoreError, Unavailable, trace_of
from loreweave.language.strange_text import boxed
from loreweave.seams.host.confined_folder import ConfinedFolder
from loreweave.seams.models.language_model import ToolCall
from loreweave.work.agents.agent_tools import AgentTools
from loreweave.work.agents.named_paths import place_path
from loreweave.work.agents.permission_gate import judge
from loreweave.work.agents.permission_policy import Verdict
from loreweave.work.agents.run_agent_command import run_agent_command
from loreweave.work.agents.tool_requests import CommandCall, FileCall, LookUpCall, PortalCall, ToolRequest, read_request

LOOKED_UP = 65_536  # characters
_LOG = logging.getLogger("loreweave.agents")
READ_BYTES = 65_536  # shown of a file, of a list, of what was found
_FILE_BYTES = 1024 * 1024


@dataclass(frozen=True, slots=True)
class ToolOutcome:
    """What the model is told, and how the call was judged."""

    text: str
    failed: bool = False
    decision: Verdict | None = None

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @staticmethod
    def from_json(value: dict[str, Any]) -> ToolOutcome:
        decision = value["decision"]
        return ToolOutcome(value["text"], value["failed"], Verdict(**decision) if decision else None)


async def use_tool(tools: AgentTools, call: ToolCall, task: str, *, allowed: bool = False) -> ToolOutcome:
    """`allowed`: a person said so, which opens what was denied or asked, but nothing that is denied for good."""
    decision = None
    try:
        request = read_request(call)
        _refuse_unoffered(tools, request)
        decision = await asyncio.to_thread(judge, tools, request, task)
        if decision is not None and not _may(decision, allowed):
            return ToolOutcome(f"Denied: {decision.reason}", decision=decision)
        return ToolOutcome(await _done(tools, request), decision=decision)
    except _MetALink:
        assert decision is not None
        met = Verdict("denied_for_good", decision.permission_type, "The path leaves the workspace through a link.")
        return ToolOutcome(f"Denied: {met.reason}", decision=met)
    except LoreError as trouble:
        return ToolOutcome(trouble.message.rstrip(".") + ".", failed=True, decision=decision)
    except Exception as trouble:
        _LOG.error("the tool %s failed unexpectedly\n%s", call.name, trace_of(trouble))
        return ToolOutcome("The tool failed.", failed=True, decision=decision)


class _MetALink(Exception):
    """A link was put there after the look; the folder follows none."""


def _may(decision: Verdict, allowed: bool) -> bool:
    return decision.kind == "approved" or (allowed and decision.kind != "denied_for_good")


def _refuse_unoffered(tools: AgentTools, request: ToolRequest) -> None:
    if isinstance(request, PortalCall):
        known = not tools.reading_only and request.name in tools.portals
    elif isinstance(request, LookUpCall):
        known = tools.lookups.named(request.name) is not None
    else:
        known = not tools.reading_only or (isinstance(request, FileCall) and not request.writes)
    if not known:
        raise Unavailable("There is no such tool")


async def _done(tools: AgentTools, request: ToolRequest) -> str:
    if isinstance(request, CommandCall):
        return await run_agent_command(tools, request.argv)
    if isinstance(request, FileCall):
        try:
            return await asyncio.to_thread(_use_file, tools, request)
        except Forbidden:
            raise _MetALink from None
    if isinstance(request, PortalCall):
        tool = tools.portals[request.name]
        return await tool.portal.call(tool.name, request.arguments)
    look_up = tools.lookups.named(request.name)
    assert look_up is not None
    return boxed("found", (await asyncio.to_thread(look_up, request.text))[:LOOKED_UP])


def _use_file(tools: AgentTools, request: FileCall) -> str:
    folder = tools.folder
    # The real path, free of links: the folder itself follows none, should one be put there now.
    placed = place_path(folder.path, request.path)
    if placed.place != "inside":
        raise Forbidden("The path lies outside the workspace")
    path = placed.relative
    if request.name == "read_file":
        return _read(folder, path)
    if request.name == "list_files":
        return _listed(folder.list_files(path))
    if request.name == "search_files":
        found = folder.search(request.texts["pattern"])
        return _listed([f"{line.path}:{line.line}: {line.text}" for line in found])
    written = request.texts.get("content") or request.texts.get("new", "")
    folder.refuse_overfull(len(written.encode(errors="replace")), tools.limits)
    if request.name == "write_file":
        folder.write_text(path, request.texts["content"])
        return "The file is written."
    return _edit(folder, path, request.texts["old"], request.texts["new"])


def _read(folder: ConfinedFolder, path: str) -> str:
    data = folder.read_bytes(path, _FILE_BYTES)
    if b"\0" in data:
        raise InvalidInput("This is not a text file", field="path")
    text = data[:READ_BYTES].decode("utf-8", "replace")
    rest = len(data) - READ_BYTES
    return boxed("file", text) + (f"\n{rest} more bytes are not shown." if rest > 0 else "")


def _edit(folder: ConfinedFolder, path: str, old: str, new: str) -> str:
    text = folder.read_text(path, _FILE_BYTES)
    times = text.count(old) if old else 0
    if times == 0 and new and new in text:
        return "The file holds the new text already."  # also when the same edit is done again after a crash
    if times != 1:
        raise InvalidInput(f"The old text occurs {times} times in the file, not once", field="old")
    folder.write_text(path, text.replace(old, new))
    return "The file is changed."


def _listed(lines: list[str]) -> str:
    if not lines:
        return "Nothing was found."
    text = "\n".join(lines)
    shown = text[:READ_BYTES]
    return boxed("list", shown) + ("\nThe list goes on." if len(shown) < len(text) else "")
