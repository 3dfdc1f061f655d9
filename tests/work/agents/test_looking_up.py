"""What an agent finds in the documents and memories of the house."""

import pytest

from loreweave.application import Application
from loreweave.contracts.memory_requests import StoreRequest
from loreweave.errors import InvalidInput
from loreweave.work.agents.agent_tools import LookUp
from loreweave.work.grounding.task_knowledge import NOTHING, TaskKnowledge

pytestmark = pytest.mark.holds("session.agent.lookups")
SESSION = "7f7b0a52-3f0f-4f6b-9a55-0d6a4c6f9a01"


def tools(application: Application) -> tuple[LookUp, LookUp]:
    offered = TaskKnowledge(application.knowledge, SESSION, "step", 1).lookups()
    assert offered.search_docs is not None
    assert offered.recall is not None
    return offered.search_docs, offered.recall


def test_documents_are_found_word_for_word_under_their_ids(sqlite_application: Application) -> None:
    sqlite_application.graphs.ingest_demo()
    search_docs, _ = tools(sqlite_application)
    found = search_docs("working alliance")
    assert "(`skill:working-alliance`)" in found
    files = sqlite_application.graphs.source_files("demo")
    (path,) = [path for path in files if path.endswith("working-alliance.md")]
    said = [line for line in found.splitlines() if len(line) > 60]
    assert any(line in files[path] for line in said)


def test_where_nothing_is_found_that_is_said(sqlite_application: Application) -> None:
    search_docs, recall = tools(sqlite_application)
    assert search_docs("working alliance") == NOTHING  # there is no graph yet
    sqlite_application.graphs.ingest_demo()
    assert search_docs("zyxwvutsrq") == NOTHING
    assert recall("anything") == NOTHING


def test_memories_are_recalled_by_their_words_with_their_ids(sqlite_application: Application) -> None:
    told = StoreRequest(content="The valve opens to the left.", name="Valve")
    stored = sqlite_application.memory.store(told, "person")
    _, recall = tools(sqlite_application)
    assert recall("which way does the valve open") == f"Valve (memory {stored.node_id})\nThe valve opens to the left."


@pytest.mark.parametrize("query", ["x" * 100_000, "{{x}} \ud800", "a\0b", "%_'\"*"])
def test_odd_questions_are_questions_too(sqlite_application: Application, query: str) -> None:
    sqlite_application.graphs.ingest_demo()
    search_docs, recall = tools(sqlite_application)
    assert search_docs(query) == NOTHING
    assert recall(query) == NOTHING


@pytest.mark.parametrize("query", ["", "   ", "\0"])
def test_a_question_without_words_is_refused(sqlite_application: Application, query: str) -> None:
    for look_up in tools(sqlite_application):
        with pytest.raises(InvalidInput, match="query"):
            look_up(query)
