"""What is kept beside a graph: where it was read, and where its notes stand on the map."""

import io
import zipfile
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from loreweave.application import Application, open_application
from loreweave.contracts.skill_graph import GraphRequest, KeepPlacesRequest, ZipIngestFields
from loreweave.errors import NotFound
from loreweave.faces.one_port import one_port_app
from loreweave.settings import Settings

PLACES = {"skill:soil": [1.5, -2.0], "skill:compost": [30, 4, 1, 2]}


@pytest.fixture
def garden(tmp_path: Path) -> Path:
    folder = tmp_path / "garden"
    folder.mkdir()
    (folder / "soil.md").write_text("# Soil\n\nFed by [[compost]] and [[gone]].\n", encoding="utf-8")
    (folder / "compost.md").write_text("# Compost\n", encoding="utf-8")
    return folder


def _places(application: Application) -> dict[str, list[float]]:
    return application.library.places(GraphRequest(graphId="garden")).places


@pytest.mark.holds("page.library.places-kept")
def test_places_stay_with_a_graph_through_ingests_and_a_backup_and_go_with_it(
    application: Application, garden: Path, tmp_path: Path
) -> None:
    application.graphs.ingest_folder(garden)
    assert _places(application) == {}
    application.library.keep_places(KeepPlacesRequest(graphId="garden", places=PLACES))
    (garden / "new.md").write_text("# New\n", encoding="utf-8")
    application.graphs.ingest_folder(garden)
    assert _places(application) == PLACES
    application.library.backup(tmp_path / "kept.db")
    application.graphs.delete("garden")
    with pytest.raises(NotFound):
        _places(application)
    application.graphs.ingest_folder(garden)
    assert _places(application) == {}
    other = open_application(Settings(data_dir=tmp_path / "other", embedder="none"))
    other.library.restore(tmp_path / "kept.db", replace=False)
    assert _places(other) == PLACES
    other.close()


@pytest.mark.holds("page.library.places-kept")
def test_places_that_are_none_are_refused_and_nothing_is_lost(application: Application, garden: Path) -> None:
    application.graphs.ingest_folder(garden)
    client = TestClient(one_port_app(application), base_url="http://127.0.0.1")
    kept = {"graphId": "garden", "places": PLACES}
    assert client.post("/api/skillgraph/places", json=kept).json()["places"] == PLACES
    for wrong in ([1], [1, 2, 0, 4, 5], ["1", 2], [None, 1]):
        answer = client.post("/api/skillgraph/places", json={**kept, "places": {"skill:soil": wrong}})
        assert (answer.status_code, answer.json()["code"]) == (400, "invalid_input")
    many = {f"n{number}": [0, 0] for number in range(20_001)}
    assert client.post("/api/skillgraph/places", json={**kept, "places": many}).status_code == 400
    assert client.get("/api/skillgraph/places", params={"graphId": "garden"}).json()["places"] == PLACES


@pytest.mark.holds("page.library.read-again")
def test_a_folder_is_read_again_from_where_it_was_and_files_that_were_sent_are_not(
    application: Application, garden: Path
) -> None:
    client = TestClient(one_port_app(application), base_url="http://127.0.0.1")

    def read_again(**asked: str) -> dict:
        return client.post("/api/skillgraph/reread", json={"graphId": "garden", **asked}).json()

    application.graphs.ingest_folder(garden)
    (garden / "new.md").write_text("# New\n", encoding="utf-8")
    again = read_again()
    assert (again["graphId"], again["revision"], again["changes"]["added"]) == ("garden", 2, 1)
    assert read_again(basePath="/en/")["revision"] == 3
    assert read_again()["unchanged"]
    token = {"Authorization": f"Bearer {application.access.create_token('mira').secret}"}
    far = client.post("/api/skillgraph/reread", json={"graphId": "garden"}, headers=token)
    assert (far.status_code, far.json()["code"]) == (403, "forbidden")
    sent = io.BytesIO()
    with zipfile.ZipFile(sent, "w") as archive:
        archive.writestr("a.md", "# A\n")
    application.graphs.ingest_zip(sent.getvalue(), ZipIngestFields(sourceType="zip"), "sent.zip")
    refused = read_again(graphId="sent")
    assert (refused["code"], refused["field"]) == ("invalid_input", "graphId")


@pytest.mark.holds("page.library.cards")
def test_a_card_tells_the_source_what_costs_the_score_and_a_picture(application: Application, garden: Path) -> None:
    application.graphs.ingest_folder(garden)
    application.library.keep_places(KeepPlacesRequest(graphId="garden", places=PLACES))
    [card] = application.library.cards().cards
    assert card.source is not None
    assert (card.source.kind, card.source.where) == ("folder", garden.name)
    assert card.deductions == application.graphs.validate(GraphRequest(graphId="garden")).deductions
    assert card.picture == [[1.5, -2.0], [30, 4, 2]]
