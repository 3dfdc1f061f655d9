"""pydantic-ai's answers in our words."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any

from pydantic_ai.messages import (
    ModelResponse,
    ModelResponseStreamEvent,
    PartDeltaEvent,
    PartStartEvent,
    TextPart,
    TextPartDelta,
    ToolCallPart,
)
from pydantic_ai.models import StreamedResponse

from loreweave.seams.models.model_calls import ModelCall, ModelReply, Stop, ToolCall
from loreweave.seams.models.model_fault import ModelFault
from loreweave.seams.models.provider_messages import STRUCTURED

_STOPS: dict[str, Stop] = {"stop": "stop", "length": "length", "tool_call": "tools", "content_filter": "refused"}


def reply_of(response: ModelResponse, call: ModelCall) -> ModelReply:
    """A response without the provider's own reason for its end is one that broke off."""
    if not (response.provider_details or {}).get("finish_reason") and response.finish_reason != "content_filter":
        raise ModelFault("model_interrupted")
    stop = _STOPS.get(response.finish_reason or "", "stop")
    text = "".join(part.content for part in response.parts if isinstance(part, TextPart))
    calls = tuple(_tool_call(part) for part in response.parts if isinstance(part, ToolCallPart))
    return ModelReply(
        text=text,
        calls=tuple(found for found in calls if call.schema is None or found.name != STRUCTURED),
        stop=stop,
        structured=None if call.schema is None else _structured(text, calls, stop),
        input_tokens=response.usage.input_tokens,
        output_tokens=response.usage.output_tokens,
        cost_usd=_cost(response),
    )


def _cost(response: ModelResponse) -> float:
    """By the price table that ships with pydantic-ai; a model that it does not know costs 0."""
    try:
        return float(response.cost().total_price)
    except (LookupError, ValueError, AssertionError):
        return 0.0


def _tool_call(part: ToolCallPart) -> ToolCall:
    return ToolCall(id=part.tool_call_id, name=part.tool_name, arguments=_object(part.args))


def _object(written: str | Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    if written is None or written == "":
        return {}
    try:
        found = json.loads(written) if isinstance(written, str) else written
    except ValueError:
        return None
    return found if isinstance(found, Mapping) else None


def _structured(text: str, calls: tuple[ToolCall, ...], stop: Stop) -> Mapping[str, Any] | None:
    """The object asked for: as the call of its tool, or as JSON in the text. A cut one is none."""
    if stop == "length":
        raise ModelFault("model_interrupted")
    for call in calls:
        if call.name == STRUCTURED:
            return call.arguments
    bare = text.strip().removeprefix("```json").removeprefix("```").removesuffix("```")
    return _object(bare) if bare.strip() else None


def text_in(event: ModelResponseStreamEvent) -> str:
    if isinstance(event, PartStartEvent) and isinstance(event.part, TextPart):
        return event.part.content
    if isinstance(event, PartDeltaEvent) and isinstance(event.delta, TextPartDelta):
        return event.delta.content_delta or ""
    return ""


class _Watched:
    """Passes a provider's events on and remembers whether its closing event was among them."""

    def __init__(self, events: Any) -> None:
        self._events = events
        self.source = events.source
        self.stopped = False

    async def __aiter__(self) -> AsyncIterator[Any]:
        async for event in self._events:
            self.stopped = self.stopped or getattr(event, "type", "") == "message_stop"
            yield event


def watch_for_stop(response: StreamedResponse) -> Callable[[], bool]:
    """Whether the provider said that it was done. pydantic-ai ends quietly when a stream merely ends."""
    if response.provider_name == "anthropic":
        watched = _Watched(response._response)  # type: ignore[attr-defined]
        response._response = watched  # type: ignore[attr-defined]
        return lambda: watched.stopped
    return lambda: bool((response.provider_details or {}).get("finish_reason")) or response.finish_reason is not None
