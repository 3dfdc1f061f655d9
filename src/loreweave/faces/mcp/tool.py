"""One tool: what it takes, what it gives, what it does to the world."""

import json
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import mcp_types as types
from pydantic import BaseModel, TypeAdapter

from loreweave.contracts.wire import to_json
from loreweave.errors import LoreError, trace_of
from loreweave.faces.request_values import read_request

log = logging.getLogger("loreweave.mcp")


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks: the user where there is one, and the name that the client gives itself."""

    user: str | None = None
    client: str = "mcp"


NOBODY = Caller()


@dataclass(frozen=True, slots=True)
class Tool:
    name: str
    title: str
    description: str
    request: type[BaseModel]
    answer: Any  # a wire value, or a union of them
    call: Callable[[Any, Caller], BaseModel]
    read_only: bool
    destructive: bool
    idempotent: bool
    read: Callable[[Mapping[str, Any]], Any] | None = None  # where arguments are read in a way of their own
    input_schema: dict[str, Any] | None = None
    output_schema: dict[str, Any] | None = None

    def described(self) -> types.Tool:
        """What the list of tools says; schemas come from the wire values themselves."""
        return types.Tool(
            name=self.name,
            title=self.title,
            description=self.description,
            input_schema=self.input_schema or self.request.model_json_schema(),
            output_schema=self.output_schema
            or {"type": "object", **TypeAdapter(self.answer).json_schema(mode="serialization")},
            annotations=types.ToolAnnotations(
                title=self.title,
                read_only_hint=self.read_only,
                destructive_hint=self.destructive,
                idempotent_hint=self.idempotent,
                open_world_hint=False,
            ),
        )

    def run(self, arguments: Mapping[str, Any], caller: Caller = NOBODY) -> types.CallToolResult:
        """Checks the arguments, calls, and turns every failure into a result."""
        read = self.read or partial(read_request, self.request)
        try:
            answer = self.call(read(arguments), caller)
        except LoreError as refusal:
            return failed(refusal.shape())
        except Exception as trouble:
            log.error("the tool %s failed unexpectedly\n%s", self.name, trace_of(trouble))
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
