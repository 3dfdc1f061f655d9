"""The `ask` toolset: contract 002 as tools. Results are the bodies that HTTP answers."""

import asyncio
from typing import Any

from loreweave.application import Application
from loreweave.contracts import ask
from loreweave.contracts import ask_tools as asked
from loreweave.contracts.ask_events import AnswerReport
from loreweave.faces.mcp.tool import Tool, reading_tool


def ask_tools(application: Application, **_: Any) -> list[Tool]:
    service = application.asking
    return [
        reading_tool(
            "glossary_list", "List the glossary", _GLOSSARY, asked.AskedGraph, ask.GlossaryList,
            lambda request: service.glossary(request.graph),
        ),
        reading_tool(
            "glossary_get", "Get a term", _TERM, asked.TermRequest, ask.GlossaryEntry,
            lambda request: service.glossary_term(request.term, request.graph),
        ),
        reading_tool(
            "sections_list", "List sections", _SECTIONS, asked.SectionsRequest, ask.SectionList,
            lambda request: service.sections(request.group, request.graph),
        ),
        reading_tool(
            "section_get", "Get a section", _SECTION, asked.SectionRequest, ask.KnowledgeNode,
            lambda request: service.section(request.id, request.graph),
        ),
        reading_tool(
            "overview", "Get bearings", _OVERVIEW, asked.AskedGraph, ask.OverviewAnswer,
            lambda request: service.overview(request.graph),
        ),
        reading_tool(
            "search", "Search sections", _SEARCH, asked.SectionSearchRequest, ask.KeywordResponse,
            lambda request: service.search(ask.AskRequest(query=request.query, limit=request.limit), request.graph),
        ),
        reading_tool(
            "answer", "Answer a question", _ANSWER, asked.AnswerRequest, AnswerReport | ask.KeywordResponse,
            lambda request: asyncio.run(
                application.answers.report(_question(request.query, request.history or []), request.graph)
            ),
        ),
    ]  # fmt: skip


def _question(query: str, history: list[ask.Turn]) -> ask.AskRequest:
    return ask.AskRequest(query=query, mode="agentic", history=history)


_GLOSSARY = "Every term that the documents define, with aliases and a definition of one sentence."
_TERM = "One glossary entry, by its term or an alias, whatever the case."
_SECTIONS = "Every section of the documents: id, title, heading, group and link; with group only those of that group."
_SECTION = "One section by its id: summary, facts that are verbatim slices of the source, and its link."
_OVERVIEW = (
    "A map of all sections by group and a paragraph on what the documents are: the cheapest way to get bearings."
)
_SEARCH = "Search the sections by words, identifiers and meaning; answers snippets with links that open."
_ANSWER = (
    "Answer a question from the documents with citations that were checked. Without a language model, or when it "
    "fails at once, answers search results and a warning."
)
