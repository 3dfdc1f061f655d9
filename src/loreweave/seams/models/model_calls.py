"""What is said to a language model and what it says back, in the words of the house. Free of any provider."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Purpose = Literal["digest", "ask", "plan", "agent", "skill", "narrate", "teach"]
Stop = Literal["stop", "length", "tools", "refused"]


@dataclass(frozen=True, slots=True)
class OfferedTool:
    """A tool that the model may call; parameters is a JSON schema of an object."""

    name: str
    description: str
    parameters: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ToolCall:
    """The arguments are what the model wrote, read as JSON; None where that was no object."""

    id: str
    name: str
    arguments: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True)
class UserSaid:
    text: str


@dataclass(frozen=True, slots=True)
class ToolSaid:
    """The answer to one call of a tool."""

    call: ToolCall
    text: str
    failed: bool = False


@dataclass(frozen=True, slots=True)
class ModelSaid:
    text: str
    calls: tuple[ToolCall, ...] = ()


Message = UserSaid | ToolSaid | ModelSaid


@dataclass(frozen=True, slots=True)
class ModelCall:
    """One request. `schema` asks for one JSON object of that shape instead of text.

    `brief` is never sent: it says as data what the call is about, for the model that works offline.
    """

    purpose: Purpose
    system: str
    messages: tuple[Message, ...]
    tools: tuple[OfferedTool, ...] = ()
    schema: Mapping[str, Any] | None = None
    max_tokens: int = 2_048
    timeout_seconds: float = 60.0  # of silence
    retries: int = 0  # after 429, 5xx and broken connections; nothing else is ever sent twice
    session: str | None = None
    task: str | None = None
    brief: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ModelReply:
    """What a call came to. `stop` is the provider's own word for why it ended.

    Tokens read from a cache or written to one are input. The cost is 0 where no price is known.
    """

    text: str
    calls: tuple[ToolCall, ...]
    stop: Stop
    structured: Mapping[str, Any] | None = None
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float = 0.0
