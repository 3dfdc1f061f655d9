"""Our words of a call as pydantic-ai's."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic_ai.messages import (
    InstructionPart,
    ModelMessage,
    ModelRequest,
    ModelRequestPart,
    ModelResponse,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.settings import ModelSettings
from pydantic_ai.tools import ToolDefinition

from loreweave.seams.models.model_calls import Message, ModelCall, ModelSaid, ToolSaid

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
        name=STRUCTURED,
        description="The whole answer.",
        parameters_json_schema=dict(call.schema),
        kind="output",
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
        max_tokens=call.max_tokens,
        extra_headers={name: value for name, value in headers.items() if value},
    )
