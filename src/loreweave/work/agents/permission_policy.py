"""Decides every request of an agent before it has an effect. Pure: what was asked and what is known, nothing else."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from typing import Literal

from loreweave.contracts.project_spec import Permissions
from loreweave.contracts.session_events import PermissionType
from loreweave.work.agents.command_rules import CommandClass, class_of, risky_option

DecisionKind = Literal["approved", "denied", "asked", "denied_for_good"]
PathPlace = Literal["inside", "outside", "link", "guarded"]

CODE = "running code without a sandbox"
WRITING = "writing files of the workspace"
PORTAL = "all tools of the portal"
NAMED_GRANTS = (CODE, WRITING)  # and those of portals; every other grant is for one command, as it was shown
_OPEN = "Without a sandbox it would reach this computer's own network too, this server included."
_GONE = {
    "outside": "The path lies outside the workspace.",
    "link": "The path leaves the workspace through a link.",
    "guarded": "The folders .git and .lore belong to the product.",
}


@dataclass(frozen=True, slots=True)
class FileRequest:
    permission_type: Literal["file_read", "file_write"]
    place: PathPlace


@dataclass(frozen=True, slots=True)
class CommandRequest:
    """`places` are those of every path that the arguments name; `folder` is where it would run."""

    argv: tuple[str, ...]
    places: frozenset[PathPlace] = frozenset()
    folder: str = ""

    @property
    def grant(self) -> str:
        """Stands for this command in this folder and no other."""
        return hashlib.sha256(json.dumps([self.folder, *self.argv]).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class PortalRequest:
    """A tool of a program outside, which has a network of its own."""

    portal: str

    @property
    def grant(self) -> str:
        return f"{PORTAL} {self.portal}"


PermissionRequest = FileRequest | CommandRequest | PortalRequest


@dataclass(frozen=True, slots=True)
class PermissionState:
    """`contained`: commands run behind walls, or are the demo's own. `denials`: plain ones of this task so far."""

    permissions: Permissions = field(default_factory=Permissions)
    contained: bool = True
    granted: frozenset[str] = frozenset()
    refused: frozenset[str] = frozenset()
    denials: int = 0


@dataclass(frozen=True, slots=True)
class Verdict:
    """`grant` is what "Allow for this session" would allow."""

    kind: DecisionKind
    permission_type: PermissionType
    reason: str
    grant: str = ""


def decide(request: PermissionRequest, state: PermissionState) -> Verdict:
    """The one place where it is decided."""
    if isinstance(request, FileRequest):
        return _decide_file(request, state)
    if isinstance(request, PortalRequest):
        if state.permissions.allow_network:
            return Verdict("approved", "network", "This session may use the network.")
        return _asked("network", "The portal is a program outside that may use the network.", request.grant, state)
    for place, reason in _GONE.items():
        if place in request.places:
            return Verdict("denied_for_good", "command", reason)
    name = request.argv[0][:60]
    if risk := risky_option(request.argv):
        return _denied("command", f"{name} may not be used with {risk[:60]}.", request.grant, state)
    return _decide_command(class_of(request.argv), name, request.grant, state)


def _decide_file(request: FileRequest, state: PermissionState) -> Verdict:
    if request.place != "inside":
        return Verdict("denied_for_good", request.permission_type, _GONE[request.place])
    if request.permission_type == "file_read" or state.permissions.auto_approve_workspace_writes:
        return Verdict("approved", request.permission_type, "The path lies inside the workspace.")
    return _asked("file_write", "Writing files is asked about in this session.", WRITING, state)


def _decide_command(found: CommandClass, name: str, grant: str, state: PermissionState) -> Verdict:
    if found == "reading":
        return Verdict("approved", "command", f"{name} only reads.")
    if found == "working" or (found == "git" and state.contained):
        return Verdict("approved", "command", f"{name} works inside the workspace.")
    if found in ("code", "git"):
        if state.contained:
            return Verdict("approved", "command", f"{name} runs inside the sandbox.")
        return _asked("command", f"{name} would run without a sandbox on this computer.", CODE, state)
    if found == "installing":
        code = "" if state.contained else f" Their code would run without a sandbox. {_OPEN}"
        return _asked("command", f"{name} installs packages.{code}", grant, state)
    if found == "network":
        if not state.permissions.allow_network:
            reason = "This session may not use the network."
            return _denied("network", reason if state.contained else f"{reason} {_OPEN}", grant, state)
        if state.contained:
            return Verdict("approved", "network", "This session may use the network.")
        return _asked("network", _OPEN, grant, state)
    return _denied("command", f"{name} is not among the commands that agents may use.", grant, state)


def _asked(permission_type: PermissionType, reason: str, grant: str, state: PermissionState) -> Verdict:
    if grant in state.granted:
        return _granted(permission_type, grant)
    if grant in state.refused:
        return Verdict("denied", permission_type, "A person refused this for the whole session.", grant)
    return Verdict("asked", permission_type, reason, grant)


def _denied(permission_type: PermissionType, reason: str, grant: str, state: PermissionState) -> Verdict:
    """A plain denial, unless a person allowed it before or so many came that one should be asked."""
    if grant in state.granted:
        return _granted(permission_type, grant)
    if state.denials + 1 >= state.permissions.escalation_threshold:
        return Verdict("asked", permission_type, reason, grant)
    return Verdict("denied", permission_type, reason, grant)


def _granted(permission_type: PermissionType, grant: str) -> Verdict:
    return Verdict("approved", permission_type, "A person allowed this for the session.", grant)
