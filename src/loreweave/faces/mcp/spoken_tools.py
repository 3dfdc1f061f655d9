"""What each tool takes, and how it speaks to a model: markdown for what is read, compact JSON for records."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Annotated, Any

from pydantic import BaseModel, Field, create_model

from loreweave.application import Application
from loreweave.contracts.skill_graph import Name, TokenBudget
from loreweave.contracts.wire import to_json
from loreweave.errors import InvalidInput
from loreweave.faces.mcp import tell_documents, tell_graphs, tell_packs
from loreweave.faces.mcp.fitted_text import MAX_TOKENS, budget_of, told_record
from loreweave.operations.operation import Operation

PACK_TOKENS = 2400
LISTED = 50

Tell = Callable[[Application, Any, tell_packs.Ask], str]
# How much a model wants to read. A program gets all there is.
_BUDGET: dict[str, Any] = {"maxTokens": (TokenBudget, MAX_TOKENS)}
_PACKED: dict[str, Any] = {"tokenBudget": (TokenBudget, PACK_TOKENS)}
_LIST: dict[str, Any] = {
    "limit": (Annotated[int, Field(ge=1, le=1000)], LISTED),
    "cursor": (Name | None, None),
}
# Understood, though the list of tools does not tell of it.
_GRAPH: dict[str, Any] = {"graphId": (Name | None, None), "graph": (Name | None, Field(default=None, exclude=True))}


@dataclass(frozen=True, slots=True)
class Spoken:
    tell: Tell
    takes: Mapping[str, Any] = field(default_factory=dict)


def _tell_record(_: Application, request: Any, ask: tell_packs.Ask) -> str:
    answer = {"graphId": request.graphId, **json.loads(to_json(ask(request)))}
    return told_record(answer, budget_of(request))


SPOKEN: Mapping[str, Spoken] = {
    "scan": Spoken(tell_graphs.tell_scan),
    "traverse": Spoken(tell_packs.tell_walk, _PACKED),
    "context": Spoken(tell_packs.tell_context, _PACKED),
    "read_node": Spoken(tell_packs.tell_note, _BUDGET),
    "validate": Spoken(tell_graphs.tell_findings, _LIST),
    "stats": Spoken(tell_graphs.tell_figures),
    "list_graphs": Spoken(tell_graphs.tell_graph_list, _LIST),
    "ingest_folder": Spoken(tell_graphs.tell_ingest),
    "glossary_list": Spoken(tell_documents.tell_glossary, _LIST),
    "glossary_get": Spoken(tell_documents.tell_term, _BUDGET),
    "sections_list": Spoken(tell_documents.tell_sections, _LIST),
    "section_get": Spoken(tell_documents.tell_section, _BUDGET),
    "overview": Spoken(tell_documents.tell_overview, {**_LIST, **_BUDGET}),
    "search": Spoken(tell_documents.tell_search, _BUDGET),
    "answer": Spoken(tell_documents.tell_answer, _BUDGET),
    "next_skill": Spoken(_tell_record),
    "reachable_skills": Spoken(_tell_record, _BUDGET),
    "read_skill": Spoken(_tell_record, _BUDGET),
    "route_checkup": Spoken(_tell_record),
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
    if spoken is not None and spoken in SPOKEN:
        fields |= SPOKEN[spoken].takes
    return create_model(request.__name__, __base__=request, **fields) if fields else request


def with_graph(application: Application, toolset: str, request: Any) -> Any:
    """The request with the graph it means, under both names; documents have a default of their own."""
    if "graph" not in type(request).model_fields:
        return request
    if request.graph and request.graphId and request.graph != request.graphId:
        raise InvalidInput("graph and graphId name different graphs", field="graph")
    graph = request.graphId or request.graph
    if graph is None and toolset != "ask":
        graph = application.library.latest()
    return request.model_copy(update={"graphId": graph, "graph": graph})
