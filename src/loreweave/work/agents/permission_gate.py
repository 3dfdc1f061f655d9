"""Applies the policy to one call: looks where its paths lie, and tells and asks what follows from the decision."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from loreweave.contracts.session_events import (
    PermissionAutoResolved,
    PermissionDecision,
    QuestionOption,
    QuestionPayload,
)
from loreweave.work.agents.agent_tools import AgentTools, SessionGrants
from loreweave.work.agents.named_paths import PlacedPath, paths_of_command, place_path
from loreweave.work.agents.permission_policy import (
    CODE,
    NAMED_GRANTS,
    PORTAL,
    CommandRequest,
    DecisionKind,
    FileRequest,
    PermissionState,
    PortalRequest,
    Verdict,
    decide,
)
from loreweave.work.agents.tool_requests import CommandCall, FileCall, LookUpCall, PortalCall, ToolRequest

HEADER = "Permission"
ONCE = "Allow once"
SESSION = "Allow for this session"
DENY = "Deny"
DENIALS_FOR_GOOD = 10  # of one attempt
LONGEST_SHOWN = 10_000  # characters of a command; nobody is asked about a longer one
_PLAIN = re.compile(r"[\w@%+=:,./-]+", re.ASCII)
_REASON = 500
_DECISIONS: Mapping[DecisionKind, PermissionDecision] = {
    "approved": "approved",
    "denied": "denied",
    "denied_for_good": "denied",
    "asked": "escalated",
}


def judge(tools: AgentTools, request: ToolRequest, task: str) -> Verdict | None:
    """None for what touches nothing of this computer."""
    if isinstance(request, LookUpCall):
        return None
    state = PermissionState(
        permissions=tools.permissions,
        contained=tools.demo or tools.sandbox.kind == "bubblewrap",
        granted=frozenset(tools.grants.granted),
        refused=frozenset(tools.grants.refused),
        denials=tools.grants.denials.get(task, 0),
    )
    root = tools.folder.path
    if isinstance(request, PortalCall):
        return _shown_whole(decide(PortalRequest(tools.portals[request.name].portal.title), state), request)
    if isinstance(request, FileCall):
        kind = "file_write" if request.writes else "file_read"
        return decide(FileRequest(kind, place_path(root, request.path).place), state)  # type: ignore[arg-type]
    seen_as = {} if tools.sandbox.kind == "bubblewrap" else {"seen_as": None}
    placed = {place_path(root, path, **seen_as) for path in paths_of_command(request.argv)}
    places = {found.place for found in placed}
    if request.argv[0] == "rm" and PlacedPath("inside") in placed:
        places.add("guarded")  # the workspace as a whole holds .git
    return _shown_whole(
        decide(CommandRequest(request.argv, frozenset(places), tools.grants.folder or str(root)), state), request
    )


def _shown_whole(verdict: Verdict, request: ToolRequest) -> Verdict:
    """Nobody is asked about what they could not see."""
    if verdict.kind == "asked" and len(_wish(request)) > LONGEST_SHOWN:
        return replace(verdict, kind="denied", reason="The command is too long to be shown whole to a person.")
    return verdict


def is_told(decision: Verdict) -> bool:
    """Every write, command and refusal is; that a file was read is not."""
    return decision.kind != "approved" or decision.permission_type != "file_read"


def told(decision: Verdict, task: str) -> PermissionAutoResolved:
    return PermissionAutoResolved(
        task_id=task,
        permission_type=decision.permission_type,
        decision=_DECISIONS[decision.kind],
        reason=_printable(decision.reason),
        grant=decision.grant if decision.kind == "asked" else None,
    )


def count_denial(tools: AgentTools, task: str, decision: Verdict) -> None:
    """A person who was asked starts the count anew, so that not every further call asks them again."""
    if decision.kind == "denied":
        tools.grants.denials[task] = tools.grants.denials.get(task, 0) + 1
    elif decision.kind == "asked":
        tools.grants.denials[task] = 0


def permission_question(request: ToolRequest, decision: Verdict) -> QuestionPayload:
    is_named = decision.grant in NAMED_GRANTS or decision.grant.startswith(PORTAL)
    later = _printable(decision.grant) if is_named else "exactly this command in this folder"
    return QuestionPayload(
        question=f"{_wish(request)} {_printable(decision.reason)}",
        header=HEADER,
        options=[
            QuestionOption(label=ONCE, description="Only this time."),
            QuestionOption(label=SESSION, description=f"Also later: {later}."),
            QuestionOption(label=DENY, description="The agent goes on without it."),
        ],
        multiSelect=False,
    )


def _wish(request: ToolRequest) -> str:
    if isinstance(request, CommandCall):
        return f"May the agent run {shown_command(request.argv)}?"
    if isinstance(request, PortalCall):
        return f"May the agent use {request.name} with {json.dumps(request.arguments)}?"
    return f"May the agent write {shown_command((request.path,)) if isinstance(request, FileCall) else ''}?"


def shown_command(argv: tuple[str, ...]) -> str:
    """The whole of it: where an argument begins and ends can be seen, and so can every sign that prints nothing."""
    return " ".join(part if _PLAIN.fullmatch(part) else repr(part) for part in argv)


def take_answer(grants: SessionGrants, grant: str, answers: Mapping[str, Any] | None) -> bool:
    """Whether it may be done; what holds for the whole session is remembered."""
    given = (answers or {}).get(HEADER)
    if given is None and answers and len(answers) == 1:
        (given,) = answers.values()  # in a skill run the only value counts, whatever its name
    if isinstance(given, list):
        given = given[0] if given else None
    said = given.strip().casefold() if isinstance(given, str) else ""
    if said == SESSION.casefold():
        grants.granted.add(grant)
    elif said != ONCE.casefold() and answers is not None and grant == CODE:
        grants.refused.add(CODE)  # asked once a session
    return said in (ONCE.casefold(), SESSION.casefold())


def _printable(text: str) -> str:
    shown = "".join(letter if letter.isprintable() else "?" for letter in text[:_REASON])
    return shown + ("…" if len(text) > _REASON else "")
