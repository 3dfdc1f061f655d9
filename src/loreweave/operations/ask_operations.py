"""Contract 002: documents asked, by words or with a model that answers; over HTTP and as tools. And conversations."""

import asyncio
from typing import TYPE_CHECKING, Any, Literal

from loreweave.contracts import ask
from loreweave.operations.operation import ADDS, ENDS, SETTLES, Address, AsTool, Caller, Document, Operation

if TYPE_CHECKING:
    from loreweave.application import Application


def _get(path: str) -> Address:
    return Address(method="GET", path=f"/api/ask{path}", tag="ask", cached=True, loose=True, slash=True)


def _post(path: str, **options: Any) -> Address:
    return Address(method="POST", path=f"/api/ask{path}", tag="ask", loose=True, slash=True, **options)


def _search(application: "Application", request: ask.SectionSearchRequest, _: Caller) -> ask.KeywordResponse:
    return application.asking.search(ask.AskRequest(query=request.query, limit=request.limit), request.graph)


def _answer(
    application: "Application", request: ask.AnswerRequest, _: Caller
) -> ask.AnswerReport | ask.KeywordResponse:
    question = ask.AskRequest(query=request.query, mode="agentic", history=request.history or [])
    return asyncio.run(application.answers.report(question, request.graph))


def _thread(method: Literal["GET", "POST", "DELETE"], path: str) -> Address:
    return Address(method=method, path=f"/api/chat/threads{path}", tag="chat")


def _delete_thread(application: "Application", request: ask.ThreadRequest, _: Caller) -> ask.DeletedThread:
    application.threads.delete(request.thread_id)
    return ask.DeletedThread()


ASK_OPERATIONS = (
    Operation(
        name="suggestions",
        summary="Questions to begin with, and the model that answers",
        request=ask.AskedGraph,
        answer=ask.SuggestionsResponse,
        call=lambda application, request, _: application.asking.suggestions(request.graph),
        http=_get(""),
    ),
    Operation(
        name="ask",
        summary="Search sections, or stream an answer with checked citations",
        request=ask.AskRequest,
        answer=ask.KeywordResponse,
        hints=ADDS,  # what was asked is kept, to show what the documents lack
        http=_post("", answers=("text/event-stream",)),
    ),
    Operation(
        name="chat",
        summary="One turn of a conversation over notes, documents, memories and skills, as a stream of events",
        request=ask.ChatRequest,
        http=Address(method="POST", path="/api/chat", tag="chat", answers=("text/event-stream",)),
    ),
    Operation(
        name="threads",
        summary="The conversations that were kept, newest first",
        answer=ask.ThreadList,
        call=lambda application, _, __: application.threads.list(),
        http=_thread("GET", ""),
    ),
    Operation(
        name="thread",
        summary="One conversation: its questions, answers and what was read for them",
        request=ask.ThreadRequest,
        answer=ask.Thread,
        call=lambda application, request, _: application.threads.read(request.thread_id),
        http=_thread("GET", "/{thread_id}"),
    ),
    Operation(
        name="keep_turn",
        summary="Keep a question and its answer",
        request=ask.KeepTurnRequest,
        answer=ask.Thread,
        call=lambda application, request, _: application.threads.keep(request),
        hints=SETTLES,
        http=_thread("POST", "/{thread_id}"),
    ),
    Operation(
        name="delete_thread",
        summary="Delete a conversation",
        request=ask.ThreadRequest,
        answer=ask.DeletedThread,
        call=_delete_thread,
        hints=ENDS,
        http=_thread("DELETE", "/{thread_id}"),
    ),
    Operation(
        name="glossary",
        summary="Every term that the documents define",
        request=ask.AskedGraph,
        answer=ask.GlossaryList,
        call=lambda application, request, _: application.asking.glossary(request.graph),
        http=_get("/glossary"),
        tool=AsTool(
            toolset="ask",
            name="glossary_list",
            title="List the glossary",
            description="Every term that the documents define.",
        ),
    ),
    Operation(
        name="term",
        summary="One glossary entry, by term or alias",
        request=ask.TermRequest,
        answer=ask.GlossaryEntry,
        call=lambda application, request, _: application.asking.glossary_term(request.term, request.graph),
        http=_get("/glossary/{term:path}"),
        tool=AsTool(
            toolset="ask",
            name="glossary_get",
            title="Get a term",
            description="The definition of a term, by its name or an alias.",
        ),
    ),
    Operation(
        name="sections",
        summary="Every section, or those of a group",
        request=ask.SectionsRequest,
        answer=ask.SectionList,
        call=lambda application, request, _: application.asking.sections(request.group, request.graph),
        http=_get("/sections"),
        tool=AsTool(
            toolset="ask",
            name="sections_list",
            title="List sections",
            description="The ids and headings of all sections, or of a group's.",
        ),
    ),
    Operation(
        name="section",
        summary="One section: summary, verbatim facts, deep link",
        request=ask.SectionRequest,
        answer=ask.KnowledgeNode,
        call=lambda application, request, _: application.asking.section(request.id, request.graph),
        http=_get("/sections/{id:path}"),
        tool=AsTool(
            toolset="ask", name="section_get", title="Get a section", description="The text of one section, by its id."
        ),
    ),
    Operation(
        name="overview",
        summary="The map of all sections and what the documents are about",
        request=ask.AskedGraph,
        answer=ask.OverviewAnswer,
        call=lambda application, request, _: application.asking.overview(request.graph),
        http=_get("/overview"),
        tool=AsTool(
            toolset="ask",
            title="Get bearings",
            description="Bearings: groups, counts, the most linked pages, then every page.",
        ),
    ),
    Operation(
        name="search_sections",
        summary="Search the sections",
        request=ask.SectionSearchRequest,
        answer=ask.KeywordResponse,
        call=_search,
        tool=AsTool(
            toolset="ask",
            name="search",
            title="Search sections",
            description="Search the sections by words, identifiers and meaning; snippets with ids and links.",
        ),
    ),
    Operation(
        name="answer",
        summary="Answer a question with checked citations",
        request=ask.AnswerRequest,
        answer=ask.AnswerReport | ask.KeywordResponse,
        call=_answer,
        tool=AsTool(
            toolset="ask",
            title="Answer a question",
            description="Answer a question from the documents with checked citations; without a language model, search "
            "results.",
        ),
    ),
    Operation(
        name="gaps",
        summary="What was asked and not answered, most frequent first",
        request=ask.AskedGraph,
        answer=ask.GapList,
        call=lambda application, request, _: application.asking.gaps(request.graph),
        http=_get("/gaps"),
    ),
    Operation(
        name="digest",
        summary="The digest as a file to commit",
        request=ask.AskedGraph,
        answer_schema={"type": "object"},
        call=lambda application, request, _: Document(application.asking.digest(request.graph)),
        http=_get("/digest"),
    ),
    Operation(
        name="feedback",
        summary="Say whether an answer helped",
        request=ask.FeedbackRequest,
        answer=ask.FeedbackAnswer,
        call=lambda application, request, _: application.asking.feedback(request),
        hints=ADDS,
        http=_post("/feedback"),
    ),
)
