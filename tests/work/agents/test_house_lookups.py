"""What an agent finds in the documents and memories of the house."""

import pytest

from loreweave.application import Application
from loreweave.contracts.memory_requests import StoreRequest
from loreweave.errors import InvalidInput
from loreweave.work.agents.house_lookups import NOTHING, recall, search_docs

pytestmark = pytest.mark.holds("session.agent.lookups")


def test_documents_are_found_with_their_addresses(sqlite_application: Application) -> None:
    sqlite_application.graphs.ingest_demo()
    found = search_docs(sqlite_application.asking, "working alliance")
    assert "(/docs/working-alliance" in found


def test_where_nothing_is_found_that_is_said(sqlite_application: Application) -> None:
    sqlite_application.graphs.ingest_demo()
    assert search_docs(sqlite_application.asking, "zyxwvutsrq") == NOTHING
    assert recall(sqlite_application.memory, "anything") == NOTHING


def test_memories_are_recalled_by_their_words(sqlite_application: Application) -> None:
    told = StoreRequest(content="The valve opens to the left.", name="Valve")
    sqlite_application.memory.store(told, "person")
    assert recall(sqlite_application.memory, "which way does the valve open") == "Valve\nThe valve opens to the left."


@pytest.mark.parametrize("query", ["x" * 100_000, "{{x}} \ud800", "a\0b", "%_'\"*"])
def test_odd_questions_are_questions_too(sqlite_application: Application, query: str) -> None:
    sqlite_application.graphs.ingest_demo()
    assert search_docs(sqlite_application.asking, query) == NOTHING
    assert recall(sqlite_application.memory, query) == NOTHING


@pytest.mark.parametrize("query", ["", "   ", "\0"])
def test_a_question_without_words_is_refused(sqlite_application: Application, query: str) -> None:
    for look_up in (
        lambda: search_docs(sqlite_application.asking, query),
        lambda: recall(sqlite_application.memory, query),
    ):
        with pytest.raises(InvalidInput, match="query"):
            look_up()
