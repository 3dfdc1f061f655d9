"""Between our words and those of a provider: what is sent to it, what comes back, and what its failures are called."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from pydantic_ai import exceptions
from pydantic_ai.messages import (
    InstructionPart,
    ModelMessage,
    ModelRequest,
    ModelRequestPart,
    ModelResponse,
    ModelResponseStreamEvent,
    PartDeltaEvent,
    PartStartEvent,
    TextPart,
    TextPartDelta,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models import ModelRequestParameters, StreamedResponse
from pydantic_ai.settings import ModelSettings
from pydantic_ai.tools import ToolDefinition

from loreweave.seams.models.language_model import (
    Message,
    ModelCall,
    ModelFault,
    ModelReply,
    ModelSaid,
    Stop,
    ToolCall,
    ToolSaid,
)

STRUCTURED = "final_result"


def messages_of(call: ModelCall) -> list[ModelMessage]:
    """Requests and responses in turn; neighbouring parts of one side travel together."""
    found: list[ModelMessage] = []
    pending: list[ModelRequestPart] = []
    for message in call.messages:
        if isinstance(message, ModelSaid):
            found += _request(pending)
            found.append(_response(message))
            pending = []
        else:
            pending.append(_part(message))
    return [*found, *_request(pending)]


def _request(parts: list[ModelRequestPart]) -> Iterator[ModelMessage]:
    if parts:
        yield ModelRequest(parts=parts)


def _part(message: Message) -> ModelRequestPart:
    if isinstance(message, ToolSaid):
        return ToolReturnPart(
            tool_name=message.call.name,
            content=message.text,
            tool_call_id=message.call.id,
            outcome="failed" if message.failed else "success",
        )
    return UserPromptPart(content=message.text)


def _response(message: ModelSaid) -> ModelResponse:
    texts = [TextPart(content=message.text)] if message.text.strip() else []
    calls = [
        ToolCallPart(tool_name=call.name, args=dict(call.arguments or {}), tool_call_id=call.id)
        for call in message.calls
    ]
    return ModelResponse(parts=[*texts, *calls])


def parameters_of(call: ModelCall) -> ModelRequestParameters:
    tools = [
        ToolDefinition(name=tool.name, description=tool.description, parameters_json_schema=dict(tool.parameters))
        for tool in call.tools
    ]
    system = [InstructionPart(content=call.system)]
    if call.schema is None:
        return ModelRequestParameters(function_tools=tools, instruction_parts=system)
    result = ToolDefinition(
        name=STRUCTURED, description="The whole answer.", parameters_json_schema=dict(call.schema), kind="output"
    )
    return ModelRequestParameters(
        function_tools=tools,
        output_mode="tool",
        output_tools=[result],
        allow_text_output=False,
        instruction_parts=system,
    )


def settings_of(call: ModelCall) -> ModelSettings:
    headers = {"X-Lore-Purpose": call.purpose, "X-Lore-Session": call.session, "X-Lore-Task": call.task}
    return ModelSettings(
        max_tokens=call.max_tokens, extra_headers={name: value for name, value in headers.items() if value}
    )


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
        structured=None if call.schema is None or stop == "length" else _structured(text, calls),
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
    return _sendable(found) if isinstance(found, Mapping) else None


def _sendable(found: Mapping[str, Any]) -> Mapping[str, Any]:
    """What a model writes may hold half a surrogate pair, and its calls are sent back to it."""
    sent = json.dumps(found, ensure_ascii=False)
    return found if sent.isprintable() else dict(json.loads(sent.encode("utf-8", "replace")))


def _structured(text: str, calls: tuple[ToolCall, ...]) -> Mapping[str, Any] | None:
    """The object asked for: as the call of its tool, or as JSON in the text, among whatever else it says."""
    for call in calls:
        if call.name == STRUCTURED:
            return call.arguments
    bare = text[text.find("{") : text.rfind("}") + 1]
    return _object(bare) if bare else None


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


_LOG = logging.getLogger("loreweave.models")
_KEY_LIKE = re.compile(r"\b(?:sk|key|Bearer)[-_ ][\w.*…-]{6,}", re.IGNORECASE)
_CODES: tuple[tuple[type[BaseException], str], ...] = (
    (exceptions.ModelAuthenticationError, "model_key_refused"),
    (exceptions.ModelQuotaExceededError, "model_key_refused"),
    (exceptions.ModelNotFoundError, "model_unknown"),
    (exceptions.ModelContextWindowExceededError, "model_too_long"),
    (exceptions.ModelRateLimitError, "model_overloaded"),
    (exceptions.ModelUnavailableError, "model_overloaded"),
    (exceptions.ModelRequestTimeout, "model_silent"),
    (exceptions.ModelTimeoutError, "model_unreachable"),
    (exceptions.ModelRequestRejectedError, "model_refused"),
    (exceptions.ModelServerError, "model_failed"),
)


@contextmanager
def named_faults(key: str) -> Iterator[None]:
    try:
        yield
    except ModelFault:
        raise
    except Exception as trouble:
        code = _code(trouble)
        _LOG.warning("model call failed (%s): %s", code, _without_keys(f"{type(trouble).__name__}: {trouble}", key))
        fault = ModelFault(code)
        fault.passing = _passes(trouble)
        fault.wait = getattr(trouble, "retry_after", None)
        raise fault from None


def _passes(trouble: Exception) -> bool:
    """Whether the provider asked to slow down, failed by itself, or the connection broke."""
    if isinstance(trouble, exceptions.ModelHTTPError):
        return trouble.status_code == 429 or trouble.status_code >= 500
    return isinstance(trouble, exceptions.ModelConnectionError)


def _code(trouble: Exception) -> str:
    if isinstance(trouble, exceptions.ModelConnectionError):
        # A connection that broke while the answer was being read is another thing than one never made.
        return "model_interrupted" if trouble.phase == "read" else "model_unreachable"
    for kind, code in _CODES:
        if isinstance(trouble, kind):
            return code
    ended_early = type(trouble) is exceptions.ModelAPIError and not trouble.in_stream
    if ended_early or isinstance(trouble, exceptions.UnexpectedModelBehavior):
        return "model_interrupted"
    return "model_failed"


def _without_keys(text: str, key: str) -> str:
    if key and key != "none":
        text = text.replace(key, "[key]")
    return _KEY_LIKE.sub("[key]", text)[:2_000]
