"""One tool: what it takes, what it gives, what it does to the world."""

import json
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import mcp_types as types
from pydantic import BaseModel, TypeAdapter

from loreweave.contracts.wire import to_json
from loreweave.errors import LoreError
from loreweave.faces.request_values import read_request

log = logging.getLogger("loreweave.mcp")


@dataclass(frozen=True, slots=True)
class Tool:
    name: str
    title: str
    description: str
    request: type[BaseModel]
    answer: Any  # a wire value, or a union of them
    call: Callable[[Any, str | None], BaseModel]  # the request, and the user where there is one
    read_only: bool
    destructive: bool
    idempotent: bool

    def described(self) -> types.Tool:
        """What the list of tools says; schemas come from the wire values themselves."""
        return types.Tool(
            name=self.name,
            title=self.title,
            description=self.description,
            input_schema=self.request.model_json_schema(),
            output_schema={"type": "object", **TypeAdapter(self.answer).json_schema(mode="serialization")},
            annotations=types.ToolAnnotations(
                title=self.title,
                read_only_hint=self.read_only,
                destructive_hint=self.destructive,
                idempotent_hint=self.idempotent,
                open_world_hint=False,
            ),
        )

    def run(self, arguments: Mapping[str, Any], user: str | None) -> types.CallToolResult:
        """Checks the arguments, calls, and turns every failure into a result."""
        try:
            answer = self.call(read_request(self.request, arguments), user)
        except LoreError as refusal:
            return failed(refusal.shape())
        except Exception:
            log.exception("the tool %s failed unexpectedly", self.name)
            return failed({"error": "Something went wrong inside the server", "code": "internal_error"})
        body = to_json(answer).rstrip(b"\n")
        return types.CallToolResult(
            content=[types.TextContent(type="text", text=body.decode())],
            structured_content=json.loads(body),
        )


def reading_tool(
    name: str, title: str, description: str, request: type[BaseModel], answer: Any, call: Callable[[Any], Any]
) -> Tool:
    """A tool that only reads, whoever asks."""
    return Tool(
        name=name,
        title=title,
        description=description,
        request=request,
        answer=answer,
        call=lambda asked_for, _: call(asked_for),
        read_only=True,
        destructive=False,
        idempotent=True,
    )


def failed(shape: dict[str, Any]) -> types.CallToolResult:
    """A failure a model can read: the sentence as text, the shape beside it."""
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=str(shape["error"]))],
        structured_content=shape,
        is_error=True,
    )
