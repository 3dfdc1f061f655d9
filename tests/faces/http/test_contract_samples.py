"""The samples of contract 000, shape for shape: requests as written, answers with every field and type."""

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

ROOT = Path(__file__).resolve().parents[3]
CONTRACT = (ROOT / "docs" / "contracts" / "000-skill-graph-api.md").read_text(encoding="utf-8")
DEMO = ROOT / "src" / "loreweave" / "bundled_skills" / "demo"
API = "/api/skillgraph"


def samples(heading: str) -> list[Any]:
    """The JSON blocks under a heading of the contract; the ingest request is a form, not JSON."""
    section = CONTRACT.split(f"## {heading}", 1)[1].split("\n## ", 1)[0]
    blocks = re.findall(r"```json\n(.*?)```", section, re.DOTALL)
    texts = [block.replace("{ ... }", "{}") for block in blocks if "<file upload>" not in block]
    return [json.loads(text) for text in texts]


def missing(sample: Any, answer: Any, place: str = "") -> Iterator[str]:
    """Where the answer lacks a field of the sample or has another type; figures are one type."""
    if isinstance(sample, dict) and isinstance(answer, dict):
        for name, value in sample.items():
            if place.endswith("Breakdown"):
                continue
            if name not in answer:
                yield f"{place}.{name} is missing"
            else:
                yield from missing(value, answer[name], f"{place}.{name}")
    elif isinstance(sample, list) and isinstance(answer, list):
        for number, value in enumerate(sample):
            faults = [list(missing(value, item, f"{place}[{number}]")) for item in answer]
            if not any(fault == [] for fault in faults):
                yield f"{place}[{number}] has no counterpart: {faults[:1]}"
    elif type(sample) is not type(answer) and not ({type(sample), type(answer)} <= {int, float}):
        yield f"{place} is {type(answer).__name__}, not {type(sample).__name__}"


@pytest.fixture
def therapy(client: TestClient, tmp_path: Path) -> dict[str, Any]:
    """The demo under the contract's own name, with something wrong in it; gives what ingest answered."""
    folder = tmp_path / "therapy-cbt"
    shutil.copytree(DEMO, folder)
    (folder / "worksheets.md").write_text("---\ndomain: therapy\n---\nThe [[thought-journals]] worksheet.\n")
    answer = client.app_state["application"].graphs.ingest_folder(folder)
    return json.loads(answer.model_dump_json())


@pytest.mark.holds("graph.ingest.answer-shape", "graph.ingest.broken-link-shape", "house.http.additive-only")
def test_ingest_answers_like_its_sample(therapy: dict[str, Any]) -> None:
    (sample,) = samples("POST /api/skillgraph/ingest")
    assert list(missing(sample, therapy)) == []
    assert (therapy["graphId"], therapy["kind"]) == ("therapy-cbt", "skill")


@pytest.mark.holds(
    "house.http.additive-only",
    "graph.scan.answer-shape",
    "graph.walk.answer-shape",
    "graph.walk.context-shape",
    "graph.quality.validate-shape",
)
@pytest.mark.parametrize("name", ["scan", "traverse", "context", "validate"])
def test_a_sample_request_gets_an_answer_like_its_sample(
    client: TestClient, therapy: dict[str, Any], name: str
) -> None:  # fmt: skip
    request, sample = samples(f"POST /api/skillgraph/{name}")
    answer = client.post(f"{API}/{name}", json=request)
    assert answer.status_code == 200, answer.text
    assert list(missing(sample, answer.json())) == []


@pytest.mark.holds("house.http.additive-only")
def test_stats_answer_like_their_sample(client: TestClient, therapy: dict[str, Any]) -> None:
    (sample,) = samples("GET /api/skillgraph/stats")
    answer = client.get(f"{API}/stats", params={"graphId": "therapy-cbt"})
    assert list(missing(sample, answer.json())) == []


@pytest.mark.holds("graph.scan.never-content")
def test_a_scan_never_holds_content(client: TestClient, therapy: dict[str, Any]) -> None:
    answer = client.post(f"{API}/scan", json={"graphId": "therapy-cbt", "query": "thought", "limit": 100})
    for result in answer.json()["results"]:
        assert not {"content", "sections", "full"} & set(result)


@pytest.mark.holds("house.http.list-graphs", "house.http.delete-graph", "house.http.node")
def test_graphs_are_listed_read_and_deleted(client: TestClient, therapy: dict[str, Any]) -> None:
    (listed,) = client.get(f"{API}/graphs").json()["graphs"]
    assert list(listed) == [
        "graphId",
        "revision",
        "kind",
        "nodeCount",
        "edgeCount",
        "score",
        "contentHash",
        "ingestedAt",
    ]
    node = client.get(f"{API}/node", params={"graphId": "therapy-cbt", "id": "cognitive-distortions"}).json()
    assert (node["id"], node["level"]) == ("skill:cognitive-distortions", 1)
    assert client.delete(f"{API}/graphs/therapy-cbt").json() == {"graphId": "therapy-cbt", "deleted": True}
    assert client.get(f"{API}/graphs").json() == {"graphs": []}
    assert client.delete(f"{API}/graphs/therapy-cbt").status_code == 404
