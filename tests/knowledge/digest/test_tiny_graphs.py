"""However little a library holds, every reading answers."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.examples import examples

from loreweave.application import Application, open_application
from loreweave.contracts.ask import AskRequest
from loreweave.contracts.skill_graph import ContextRequest, ScanRequest, SearchRequest, TraverseRequest
from loreweave.errors import NoMarkdown
from loreweave.settings import Settings

NOTES = st.lists(
    st.lists(
        st.sampled_from(
            [
                "# ",
                "## ",
                "\n",
                "\n\n",
                "👍",
                "a",
                "the",
                "x86",
                "猫",
                "[[n0]]",
                "[a](n1.md)",
                "`a`",
                "- ",
                "\u200d",
                "1",
            ]
        ),
        max_size=6,
    ).map("".join),
    min_size=1,
    max_size=3,
)
QUESTIONS = st.sampled_from(["👍", "a", "the", "how do I a?", '"a"', "猫", "\u200d", "zebra"])


@pytest.fixture(scope="module")
def tiny() -> Iterator[Application]:
    with tempfile.TemporaryDirectory() as place:
        opened = open_application(Settings(data_dir=Path(place)))
        yield opened
        opened.close()


@pytest.mark.holds("ask.search.tiny-graphs")
@settings(max_examples=examples(100))
@example(notes=["# 👍\n"], question="👍")
@example(notes=["# 👍\n\n👍 👍"], question="a")
@example(notes=["a", "a"], question="a")
@given(notes=NOTES, question=QUESTIONS)
def test_every_reading_of_a_tiny_graph_answers(tiny: Application, notes: list[str], question: str) -> None:
    with tempfile.TemporaryDirectory() as place:
        for number, text in enumerate(notes):
            Path(place, f"n{number}.md").write_text(text, encoding="utf-8")
        try:
            graph = tiny.graphs.ingest_folder(Path(place), name="tiny").graphId
        except NoMarkdown:
            return  # nothing but white space: there is no graph to read
    tiny.asking.search(AskRequest(query=question), graph)
    tiny.asking.glossary(graph)
    tiny.asking.overview(graph)
    assert tiny.asking.sections(graph=graph).sections is not None
    assert tiny.retrieval.scan(ScanRequest(graphId=graph, query=question)).total <= len(notes)
    assert tiny.retrieval.search(SearchRequest(graphId=graph, query=question)).total <= len(notes)
    assert tiny.retrieval.traverse(TraverseRequest(graphId=graph, query=question)).telemetry.nodesVisited <= len(notes)
    assert tiny.retrieval.context(ContextRequest(graphId=graph, query=question)).telemetry.nodesVisited <= len(notes)
