"""The rows of the table as tools: what each takes and gives, to models as text and to programs as fields, and every
failure as a result that a model can read."""

import json
import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Annotated, Any

import mcp_types as types
from pydantic import BaseModel, Field, create_model

from loreweave.application import Application
from loreweave.contracts.skill_graph import Name, TokenBudget
from loreweave.contracts.wire import to_json
from loreweave.errors import InvalidInput, LoreError, NotFound, perhaps_meant, trace_of
from loreweave.faces.mcp import tell_documents, tell_graphs
from loreweave.faces.mcp.fitted_text import MAX_TOKENS, budget_of, told_record
from loreweave.faces.request_values import read_request, without_nulls
from loreweave.operations.operation import AsTool, Caller, Operation
from loreweave.operations.table import OPERATIONS
from loreweave.operations.tool_schemas import input_schema, output_schema

log = logging.getLogger("loreweave.mcp")

NOBODY = Caller()
TOOLSETS = ("graph", "memory", "ask", "route", "build")
_PACK_TOKENS = 2400
_LISTED = 50

_Tell = Callable[[Application, Any, tell_graphs.Ask], str]
# How much a model wants to read. A program gets all there is.
_BUDGET: dict[str, Any] = {"maxTokens": (TokenBudget, MAX_TOKENS)}
_PACKED: dict[str, Any] = {"tokenBudget": (TokenBudget, _PACK_TOKENS)}
_LIST: dict[str, Any] = {"limit": (Annotated[int, Field(ge=1, le=1000)], _LISTED), "cursor": (Name | None, None)}
# Understood, though the list of tools does not tell of it.
_GRAPH: dict[str, Any] = {"graphId": (Name | None, None), "graph": (Name | None, Field(default=None, exclude=True))}


@dataclass(frozen=True, slots=True)
class _Spoken:
    tell: _Tell
    takes: Mapping[str, Any] = field(default_factory=dict)


def _tell_record(_: Application, request: Any, ask: tell_graphs.Ask) -> str:
    answer = {"graphId": request.graphId, **json.loads(to_json(ask(request)))}
    return told_record(answer, budget_of(request))


_SPOKEN: Mapping[str, _Spoken] = {
    "scan": _Spoken(tell_graphs.tell_scan),
    "traverse": _Spoken(tell_graphs.tell_walk, _PACKED),
    "context": _Spoken(tell_graphs.tell_context, _PACKED),
    "read_node": _Spoken(tell_graphs.tell_note, _BUDGET),
    "validate": _Spoken(tell_graphs.tell_findings, _LIST),
    "stats": _Spoken(_tell_record),
    "list_graphs": _Spoken(tell_graphs.tell_graph_list, _LIST),
    "ingest_folder": _Spoken(tell_graphs.tell_ingest),
    "glossary_list": _Spoken(tell_documents.tell_glossary, _LIST),
    "glossary_get": _Spoken(tell_documents.tell_term, _BUDGET),
    "sections_list": _Spoken(tell_documents.tell_sections, _LIST),
    "section_get": _Spoken(tell_documents.tell_section, _BUDGET),
    "overview": _Spoken(tell_documents.tell_overview, {**_LIST, **_BUDGET}),
    "search": _Spoken(tell_documents.tell_search, _BUDGET),
    "answer": _Spoken(tell_documents.tell_answer, _BUDGET),
    "next_skill": _Spoken(_tell_record),
    "reachable_skills": _Spoken(_tell_record, _BUDGET),
    "read_skill": _Spoken(_tell_record, _BUDGET),
    "route_checkup": _Spoken(_tell_record),
}


def tool_request(operation: Operation, structured: bool) -> type[BaseModel]:
    """The request of a row as a tool takes it: a graph need not be named, and a model says how much it will read."""
    assert operation.tool is not None
    request = operation.tool.request or operation.request
    assert request is not None
    return _widened(request, None if structured else operation.tool_name)


@cache
def _widened(request: type[BaseModel], spoken: str | None) -> type[BaseModel]:
    fields = dict(_GRAPH) if {"graph", "graphId"} & set(request.model_fields) else {}
    if spoken is not None and spoken in _SPOKEN:
        fields |= _SPOKEN[spoken].takes
    return create_model(request.__name__, __base__=request, **fields) if fields else request


@cache
def described(operation: Operation, structured: bool) -> types.Tool:
    """What the list of tools says; schemas come from the wire values themselves.

    A model pays for every word of the list: it is told no titles, and nothing of the shape of answers.
    """
    assert operation.tool is not None
    title = operation.tool.title if structured else None
    hints = operation.hints
    return types.Tool(
        name=operation.tool_name,
        title=title,
        description=operation.tool.description,
        input_schema=input_schema(operation, tool_request(operation, structured), structured),
        output_schema=output_schema(operation) if structured else None,
        annotations=types.ToolAnnotations(
            title=title,
            read_only_hint=hints.read_only,
            destructive_hint=hints.destructive,
            idempotent_hint=hints.idempotent,
            open_world_hint=False if structured else None,
        ),
    )


def _with_graph(application: Application, toolset: str, request: Any) -> Any:
    """The request with the graph it means, under both names; documents have a default of their own."""
    if "graph" not in type(request).model_fields:
        return request
    if request.graph and request.graphId and request.graph != request.graphId:
        raise InvalidInput("graph and graphId name different graphs", field="graph")
    graph = request.graphId or request.graph
    if graph is None and toolset != "ask":
        graph = application.graph_library.latest()
    return request.model_copy(update={"graphId": graph, "graph": graph})


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

    async def await_news(self, arguments: Mapping[str, Any]) -> None:
        """Where the call is to tell of something that has yet to happen. What is wrong is for the call to say."""
        if self.words.news is not None:
            with suppress(LoreError):
                await self.words.news(self.application, self.read_arguments(arguments, structured=True))

    def run(self, arguments: Mapping[str, Any], caller: Caller, structured: bool) -> types.CallToolResult:
        """Checks the arguments, calls, and turns every failure into a result."""
        call = self.words.call or self.operation.call
        assert call is not None
        caller = replace(caller, reads_folders=self.folders)
        spoken = None if structured else _SPOKEN.get(self.name)
        try:
            request = self.read_arguments(arguments, structured)
            if spoken is not None:
                text = spoken.tell(self.application, request, lambda asked: call(self.application, asked, caller))
                return types.CallToolResult(content=[types.TextContent(type="text", text=text)])
            answer = call(self.application, request, caller)
        except LoreError as refusal:
            return failed(refusal.shape(), None if structured else self._said(refusal))
        except Exception as trouble:
            log.error("the tool %s failed unexpectedly\n%s", self.name, trace_of(trouble))
            return failed({"error": "Something went wrong inside the server", "code": "internal_error"})
        body = to_json(answer).rstrip(b"\n")
        return types.CallToolResult(
            content=[types.TextContent(type="text", text=body.decode())],
            structured_content=json.loads(body) if structured else None,
        )

    def _said(self, refusal: LoreError) -> str:
        """A model is shown the text alone; where sentences are fixed, what may be meant follows them."""
        if self.read is None:
            return perhaps_meant(refusal.message, refusal.facts) if isinstance(refusal, NotFound) else refusal.message
        known = ", ".join(refusal.facts.get("known", ()))
        return f"{refusal.message}; known: {known}" if known else refusal.message

    def read_arguments(self, arguments: Mapping[str, Any], structured: bool) -> Any:
        if self.read is not None:
            return self._read_its_way(self.read, arguments)
        takes = tool_request(self.operation, structured)
        request = read_request(takes, without_nulls(takes, arguments))
        return _with_graph(self.application, self.words.toolset, request)

    def _read_its_way(self, read: Callable[[Mapping[str, Any]], Any], arguments: Mapping[str, Any]) -> Any:
        """Its sentences are fixed: which fields there are is told beside them."""
        try:
            return read(arguments)
        except LoreError as refusal:
            known = list(self.operation.request.model_fields) if self.operation.request else []
            if refusal.facts.get("field") in arguments.keys() - known:
                refusal.facts["known"] = known
            raise


def failed(shape: dict[str, Any], sentence: str | None = None) -> types.CallToolResult:
    """The sentence as text, the shape beside it; or another `sentence`."""
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=sentence or str(shape["error"]))],
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
