"""What an agent may work with, what it is told about it, and what its turn is given."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from loreweave.clock import Clock
from loreweave.contracts.project_spec import Permissions
from loreweave.contracts.session_events import QuestionPayload, SessionEvent
from loreweave.errors import LoreError
from loreweave.seams.host.confined_folder import ConfinedFolder
from loreweave.seams.host.programs import Programs
from loreweave.seams.host.sandbox import CommandLimits, Sandbox
from loreweave.seams.models.language_model import LanguageModel, OfferedTool
from loreweave.work.agents.agent_voice import AgentVoice
from loreweave.work.agents.mcp_portal import PortalTool

LookUp = Callable[[str], str]
QuestionEvent = Callable[[str, list[QuestionPayload]], SessionEvent]
NO_MODEL = "No model is set: set LORE_MODEL, for example LORE_MODEL=demo, which needs no key"


@dataclass(frozen=True, slots=True)
class Lookups:
    """What the rest of the house knows; what is None is not offered."""

    read_skill: LookUp | None = None
    search_docs: LookUp | None = None
    recall: LookUp | None = None

    def named(self, name: str) -> LookUp | None:
        found: LookUp | None = getattr(self, name) if name in ("read_skill", "search_docs", "recall") else None
        return found


@dataclass
class SessionGrants:
    """What people allowed or refused in this session, and how often each task was denied something.

    It is filled again in the same way when a session is resumed, because answers and denials are recorded. `folder`:
    what a command is allowed in, where that is more than the one that it runs in: the trees of a build are one.
    """

    folder: str = ""
    granted: set[str] = field(default_factory=set)
    refused: set[str] = field(default_factory=set)
    denials: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class AgentTools:
    """One workspace and the rules for it. `demo`: the product's own model works, whose code needs no leave."""

    folder: ConfinedFolder
    sandbox: Sandbox
    programs: Programs
    permissions: Permissions = field(default_factory=Permissions)
    grants: SessionGrants = field(default_factory=SessionGrants)
    lookups: Lookups = field(default_factory=Lookups)
    demo: bool = False
    reading_only: bool = False
    portals: Mapping[str, PortalTool] = field(default_factory=dict)  # tools of programs outside, by their offered names
    limits: CommandLimits = field(default_factory=CommandLimits)  # of what its workspace may hold


class TurnFailed(LoreError):
    """The agent's work came to nothing; the code `budget` says that no tokens are left."""

    code = "turn_failed"


@dataclass(frozen=True, slots=True)
class TurnLimits:
    rounds: int = 25
    seconds: float = 300.0  # of work; waiting for people is not counted
    token_budget: int = 500_000  # of the whole session


@dataclass(frozen=True)
class AgentHouse:
    """What agents of all sessions work with. What costs time to open is opened by the first that needs it."""

    open_model: Callable[[], LanguageModel | None]
    open_sandbox: Callable[[], Sandbox]
    open_programs: Callable[[], Programs]
    lookups_for: Callable[[str, str, int], Lookups]  # of a session, a task or step, and an attempt
    limits: TurnLimits
    ask_seconds: float  # that a question waits for an answer; 0: for ever
    clock: Clock

    async def model(self) -> LanguageModel:
        """The one that is set. A name that is none and a key that is missing are faults of a setting, and told."""
        try:
            model = await asyncio.to_thread(self.open_model)
        except LoreError as trouble:
            raise TurnFailed(trouble.message) from None
        if model is None:
            raise TurnFailed(f"{NO_MODEL}.")
        return model


@dataclass(frozen=True)
class TurnOrder:
    """One agent's work. `key` is its path in the session: unique there, and the same on every replay.

    `question_event` makes the event of a question from its id and what is asked: it differs by kind of session.
    """

    purpose: Literal["skill", "agent"]
    session_id: str
    task: str | None
    agent_name: str
    system: str
    prompt: str
    tools: AgentTools
    key: str
    question_event: QuestionEvent
    brief: Mapping[str, Any] = field(default_factory=dict)
    voice: AgentVoice | None = None  # where people may watch what the agent says
    told_as: str | None = None  # the task that events name, where people know of no such task


class Purse(Protocol):
    """Where what a request told and cost is recorded."""

    async def record(self, key: str, *events: SessionEvent) -> None: ...

    def spent(self) -> int:
        """Tokens recorded so far in the session."""

    def cost(self) -> float:
        """Dollars recorded so far in the session."""


class TurnHands(Purse, Protocol):
    """What a turn may do to its session; keys and names are those of the whole session."""

    async def ask(
        self, key: str, event: Callable[[str], SessionEvent], *, place: str, headers: Sequence[str]
    ) -> dict[str, Any] | None:
        """What was answered; None where nobody did in time."""

    async def step(self, name: str, work: Callable[[], Awaitable[Any]]) -> Any: ...


def _tool(name: str, description: str, **parameters: Mapping[str, Any]) -> OfferedTool:
    schema = {"type": "object", "properties": parameters, "required": list(parameters), "additionalProperties": False}
    return OfferedTool(name, description, schema)


def _text(description: str) -> dict[str, Any]:
    return {"type": "string", "description": description}


_PATH = _text("Relative to the workspace.")
_OPTION = {
    "type": "object",
    "properties": {"label": {"type": "string"}, "description": {"type": "string"}},
    "required": ["label"],
}
_QUESTION = {
    "type": "object",
    "properties": {
        "question": {"type": "string"},
        "header": _text("A short name; each question has its own."),
        "options": {"type": "array", "items": _OPTION},
        "multiSelect": {"type": "boolean"},
    },
    "required": ["question", "header"],
}
READING_TOOLS = (
    _tool("read_file", "Gives the text of one file.", path=_PATH),
    _tool("list_files", "Lists the files below a folder; '.' is the workspace.", path=_PATH),
    _tool("search_files", "Finds lines that hold this text, in all files.", pattern=_text("Plain text, as it stands.")),
)
WORKING_TOOLS = (
    _tool("write_file", "Writes a whole file; folders are made.", path=_PATH, content=_text("The whole text.")),
    _tool(
        "edit_file",
        "Replaces a text that occurs exactly once in a file.",
        path=_PATH,
        old=_text("The text to replace, as it stands."),
        new=_text("What takes its place."),
    ),
    _tool(
        "run_command",
        "Runs one program in the workspace, without a shell: no pipes, no wildcards, no redirection.",
        argv={"type": "array", "items": {"type": "string"}, "description": "The program and its arguments."},
    ),
    _tool(
        "ask_user",
        "Asks the person something that only they can decide, and waits.",
        questions={"type": "array", "items": _QUESTION, "minItems": 1},
    ),
)
LOOKUP_TOOLS = (
    _tool("read_skill", "Opens a skill by its id.", id=_text("The id of a skill.")),
    _tool("search_docs", "Searches the documentation.", query=_text("A few telling words.")),
    _tool("recall", "Searches what was remembered from earlier work.", query=_text("A few telling words.")),
)


def offered_tools(tools: AgentTools) -> tuple[OfferedTool, ...]:
    lookups = [tool for tool in LOOKUP_TOOLS if tools.lookups.named(tool.name) is not None]
    outside = [tool.offered for tool in tools.portals.values()]
    return (*READING_TOOLS, *(() if tools.reading_only else (*WORKING_TOOLS, *outside)), *lookups)
