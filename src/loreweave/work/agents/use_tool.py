"""Does what a call of a tool asks for, once it is judged. Everything that comes back is boxed: it is data."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import asdict, dataclass
from typing import Any

from loreweave.errors import Forbidden, LoreError, Unavailable
from loreweave.language.boxed_text import boxed
from loreweave.seams.models.model_calls import ToolCall
from loreweave.work.agents.agent_tools import AgentTools
from loreweave.work.agents.file_tools import use_file
from loreweave.work.agents.permission_gate import judge
from loreweave.work.agents.permission_policy import Decision
from loreweave.work.agents.run_agent_command import run_agent_command
from loreweave.work.agents.tool_requests import CommandCall, FileCall, LookUpCall, ToolRequest, read_request

LOOKED_UP = 65_536  # characters
_LOG = logging.getLogger("loreweave.agents")


@dataclass(frozen=True, slots=True)
class ToolOutcome:
    """What the model is told, and how the call was judged."""

    text: str
    failed: bool = False
    decision: Decision | None = None

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @staticmethod
    def from_json(value: dict[str, Any]) -> ToolOutcome:
        decision = value["decision"]
        return ToolOutcome(value["text"], value["failed"], Decision(**decision) if decision else None)


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
        met = Decision("denied_for_good", decision.permission_type, "The path leaves the workspace through a link.")
        return ToolOutcome(f"Denied: {met.reason}", decision=met)
    except LoreError as trouble:
        return ToolOutcome(trouble.message.rstrip(".") + ".", failed=True, decision=decision)
    except Exception:
        _LOG.exception("the tool %s failed unexpectedly", call.name)
        return ToolOutcome("The tool failed.", failed=True, decision=decision)


class _MetALink(Exception):
    """A link was put there after the look; the folder follows none."""


def _may(decision: Decision, allowed: bool) -> bool:
    return decision.kind == "approved" or (allowed and decision.kind != "denied_for_good")


def _refuse_unoffered(tools: AgentTools, request: ToolRequest) -> None:
    if isinstance(request, LookUpCall):
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
            return await asyncio.to_thread(use_file, tools.folder, request)
        except Forbidden:
            raise _MetALink from None
    look_up = tools.lookups.named(request.name)
    assert look_up is not None
    return boxed("found", (await asyncio.to_thread(look_up, request.text))[:LOOKED_UP])
