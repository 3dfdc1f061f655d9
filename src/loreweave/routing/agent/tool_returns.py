"""Messages of an agent as what a graph is told: the words of the user and the results of tools."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from pydantic_ai.messages import ModelMessage, ModelRequest, ModelResponse, ToolReturnPart, UserPromptPart

from loreweave.routing.route_values import ToolResult

_STATUSES = {"success": "success", "failed": "failure", "denied": "denied"}


def read_prompt(prompt: Any, messages: Sequence[ModelMessage]) -> str:
    """The words of this turn; where no prompt came along, the last ones in the history."""
    if prompt is not None:
        return _words(prompt)
    for message in reversed(messages):
        if isinstance(message, ModelRequest):
            for part in reversed(message.parts):
                if isinstance(part, UserPromptPart):
                    return _words(part.content)
    return ""


def _words(content: Any) -> str:
    if isinstance(content, str):
        return content
    pieces = (item if isinstance(item, str) else getattr(item, "content", None) for item in content)
    return "\n".join(piece for piece in pieces if isinstance(piece, str))


def is_mid_turn(messages: Sequence[ModelMessage]) -> bool:
    """Whether the model spoke last by calling tools, answered or not: its turn is not over."""
    spoken = next((message for message in reversed(messages) if isinstance(message, ModelResponse)), None)
    return spoken is not None and bool(spoken.tool_calls)


def read_results(
    messages: Sequence[ModelMessage], names: Collection[str], called: Mapping[str, str]
) -> list[ToolResult]:
    """What the last calls returned, in the order of the calls.

    Only tools in `names` count; `called` has their names by the id of the call, where messages name them otherwise.
    """
    parts: list[ToolReturnPart] = []
    for message in reversed(messages):
        if isinstance(message, ModelResponse):
            order = {call.tool_call_id: place for place, call in enumerate(message.tool_calls)}
            parts.sort(key=lambda part: order.get(part.tool_call_id, len(order)))
            break
        parts[:0] = [part for part in message.parts if isinstance(part, ToolReturnPart)]
    return list(_results(parts, names, called))


def _results(
    parts: Sequence[ToolReturnPart], names: Collection[str], called: Mapping[str, str]
) -> Iterator[ToolResult]:
    for part in parts:
        name = part.tool_name if part.tool_name in names else called.get(part.tool_call_id)
        status = _status(part)
        if name is not None and status is not None:
            yield ToolResult(name, part.model_response_str(wrap_if_error=False), status, part.tool_call_id)


def _status(part: ToolReturnPart) -> str | None:
    """None for a call that never reached its tool: hidden, unknown, or with arguments that are none of its."""
    if part.outcome == "retried":
        return "failure" if part.retry is None or part.retry.cause == "model_retry" else None
    return _STATUSES.get(part.outcome)
