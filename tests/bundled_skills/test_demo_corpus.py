"""The demo is what a stranger sees first: a healthy graph of the size the contract's samples speak of."""

from collections.abc import Iterator
from importlib.resources import as_file, files
from pathlib import Path

import pytest

from loreweave.application import open_application
from loreweave.contracts.graph_reports import IngestAnswer, ValidateAnswer
from loreweave.contracts.skill_graph import GraphRequest
from loreweave.settings import load_settings

NOTES = files("loreweave.bundled_skills") / "demo"


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[IngestAnswer, ValidateAnswer]]:
    data = tmp_path_factory.mktemp("data")
    application = open_application(load_settings({}, data_dir=data, embedder="none"))
    with as_file(NOTES) as folder:
        ingested = application.graphs.ingest_folder(folder, name="demo")
    yield ingested, application.graphs.validate(GraphRequest(graphId="demo"))
    application.close()


@pytest.mark.holds("house.docs.demo-corpus")
def test_the_demo_has_two_dozen_notes_of_every_type(reports: tuple[IngestAnswer, ValidateAnswer]) -> None:
    metrics = reports[0].metrics
    assert metrics.typeBreakdown == {"claim": 4, "exploration": 2, "framework": 3, "moc": 3, "technique": 12}
    assert metrics.nodeCount == 24
    assert metrics.edgeCount == 157
    assert metrics.domains == ["therapy"]


@pytest.mark.holds("house.docs.demo-corpus")
def test_the_demo_is_healthy(reports: tuple[IngestAnswer, ValidateAnswer]) -> None:
    ingested, validated = reports
    assert ingested.warnings == []
    assert validated.score == 100
    assert not any(dict(validated.issues).values())
    assert dict(validated.bonuses) == {"mocCoverage": 10, "linkDensityHealth": 10}


def test_every_note_is_short_enough_to_read_at_once() -> None:
    lengths = {Path(note.name).stem: len(note.read_text(encoding="utf-8").split()) for note in NOTES.iterdir()}
    assert [name for name, words in lengths.items() if not 150 <= words <= 450] == []


def test_the_demo_says_that_it_is_no_medical_advice() -> None:
    assert "not medical advice" in (NOTES / "index.md").read_text(encoding="utf-8")
