"""With the embedder that is shipped, through the real store."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.laid_tables import lay_tables

from loreweave.application import Application, open_application
from loreweave.contracts.skill_graph import ContextRequest, ScanRequest, SearchRequest, TraverseRequest
from loreweave.settings import Settings

NOTES = {
    "sleep.md": "---\nname: Night Rest\ndescription: Insomnia, tiredness.\n---\nFalling asleep at bedtime.",
    "money.md": "---\nname: Budget\ndescription: Invoices and taxes.\n---\nAccounting for the year.",
    "garden.md": "---\nname: Garden\ndescription: Soil and seeds.\n---\nPlanting vegetables in spring.",
}


@pytest.fixture(params=["none", "static"])
def hybrid(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Application]:
    folder = tmp_path / "notes"
    folder.mkdir()
    for path, text in NOTES.items():
        (folder / path).write_text(text, encoding="utf-8")
    opened = open_application(Settings(data_dir=lay_tables(tmp_path / "data"), embedder=request.param))
    opened.graphs.ingest_folder(folder, name="notes")
    yield opened
    opened.close()


@pytest.mark.holds("graph.search.method")
def test_a_search_says_whether_meaning_had_a_part(hybrid: Application) -> None:
    answer = hybrid.retrieval.search(SearchRequest(graphId="notes", query="taxes"))
    assert answer.method == {"none": "lexical", "static": "hybrid"}[hybrid.settings.embedder]
    assert answer.results[0].id == "skill:money"
    assert answer.results[0].score >= 0.625  # once in the description: 2 / 3.2


@pytest.mark.holds("graph.scan.one-lexical-hit")
def test_a_scan_never_finds_by_meaning_alone(hybrid: Application) -> None:
    hybrid.retrieval.search(SearchRequest(graphId="notes", query="sleepless"))
    assert hybrid.retrieval.scan(ScanRequest(graphId="notes", query="drowsy slumber")).total == 0


@pytest.mark.holds("graph.score.embedder-raises-only")
def test_questions_are_answered_with_and_without_meaning(hybrid: Application) -> None:
    pack = hybrid.retrieval.context(ContextRequest(graphId="notes", query="tired, cannot fall asleep at night"))
    assert pack.contextPack.nodes[0].id == "skill:sleep"
    walk = hybrid.retrieval.traverse(TraverseRequest(graphId="notes", query="asleep"))
    assert walk.entryPoint.id == "skill:sleep"
