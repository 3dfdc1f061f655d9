"""The rows of the table as tools: what each takes and gives, and every failure as a result that a model can read."""

import json
import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import mcp_types as types

from loreweave.application import Application
from loreweave.contracts.wire import to_json
from loreweave.errors import InvalidInput, LoreError, trace_of
from loreweave.faces.mcp.spoken_tools import SPOKEN, tool_request, with_graph
from loreweave.faces.request_values import read_request
from loreweave.operations.operation import AsTool, Caller, Operation
from loreweave.operations.table import OPERATIONS
from loreweave.operations.tool_schemas import input_schema, output_schema

log = logging.getLogger("loreweave.mcp")

NOBODY = Caller()
TOOLSETS = ("graph", "memory", "ask", "route", "build")


@dataclass(frozen=True, slots=True)
class Tool:
    """A row over the services. `folders`: may it read folders of this computer."""

    application: Application
    operation: Operation
    words: AsTool
    folders: bool = True

    @property
    def name(self) -> str:
        return self.operation.tool_name

    @property
    def read(self) -> Callable[[Mapping[str, Any]], Any] | None:
        """Where its arguments are read in a way of their own, with codes of their own."""
        return self.operation.read

    def described(self, structured: bool) -> types.Tool:
        """What the list of tools says; schemas come from the wire values themselves.

        A model pays for every word of the list: it is told no titles, and nothing of the shape of answers.
        """
        hints = self.operation.hints
        request = tool_request(self.operation, structured)
        return types.Tool(
            name=self.name,
            title=self.words.title if structured else None,
            description=self.words.description,
            input_schema=input_schema(self.operation, request, structured),
            output_schema=output_schema(self.operation) if structured else None,
            annotations=types.ToolAnnotations(
                title=self.words.title if structured else None,
                read_only_hint=hints.read_only,
                destructive_hint=hints.destructive,
                idempotent_hint=hints.idempotent,
                open_world_hint=False if structured else None,
            ),
        )

    async def await_news(self, arguments: Mapping[str, Any]) -> None:
        """Where the call is to tell of something that has yet to happen. What is wrong is for the call to say."""
        if self.words.news is not None:
            with suppress(LoreError):
                await self.words.news(self.application, self._read(arguments, structured=True))

    def run(self, arguments: Mapping[str, Any], caller: Caller, structured: bool) -> types.CallToolResult:
        """Checks the arguments, calls, and turns every failure into a result."""
        call = self.words.call or self.operation.call
        assert call is not None
        caller = replace(caller, reads_folders=self.folders)
        spoken = None if structured else SPOKEN.get(self.name)
        try:
            request = self._read(arguments, structured)
            if spoken is not None:
                text = spoken.tell(self.application, request, lambda asked: call(self.application, asked, caller))
                return types.CallToolResult(content=[types.TextContent(type="text", text=text)])
            answer = call(self.application, request, caller)
        except LoreError as refusal:
            return failed(refusal.shape())
        except Exception as trouble:
            log.error("the tool %s failed unexpectedly\n%s", self.name, trace_of(trouble))
            return failed({"error": "Something went wrong inside the server", "code": "internal_error"})
        body = to_json(answer).rstrip(b"\n")
        return types.CallToolResult(
            content=[types.TextContent(type="text", text=body.decode())],
            structured_content=json.loads(body) if structured else None,
        )

    def _read(self, arguments: Mapping[str, Any], structured: bool) -> Any:
        if self.read is not None:
            return self._read_its_way(self.read, arguments)
        request = read_request(tool_request(self.operation, structured), arguments)
        return with_graph(self.application, self.words.toolset, request)

    def _read_its_way(self, read: Callable[[Mapping[str, Any]], Any], arguments: Mapping[str, Any]) -> Any:
        """Its sentences are fixed: which fields there are is told beside them."""
        try:
            return read(arguments)
        except LoreError as refusal:
            known = list(self.operation.request.model_fields) if self.operation.request else []
            if refusal.facts.get("field") in arguments.keys() - known:
                refusal.facts["known"] = known
            raise


def failed(shape: dict[str, Any]) -> types.CallToolResult:
    """The sentence as text, the shape beside it."""
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=str(shape["error"]))],
        structured_content=shape,
        is_error=True,
    )


def open_toolsets(
    application: Application,
    names: Iterable[str] = TOOLSETS,
    *,
    folders: bool = True,
    operations: Sequence[Operation] = OPERATIONS,
) -> list[Tool]:
    """The tools of these toolsets, in the order given."""
    tools: list[Tool] = []
    for name in dict.fromkeys(names):
        if name not in TOOLSETS:
            known = ", ".join(TOOLSETS)
            raise InvalidInput(f"There is no toolset {name!r}; known: {known}", field="toolsets")
        if name == "memory":
            application.memory  # noqa: B018  opened before anything is served: what has expired goes first
        tools += [
            Tool(application, row, row.tool, folders) for row in operations if row.tool and row.tool.toolset == name
        ]
    return tools
