"""POST demo: the notes that come with the product, loaded by one call under the rules of every ingest."""

import pytest
from starlette.testclient import TestClient

URL = "/api/skillgraph/demo"


@pytest.mark.holds("graph.ingest.demo")
def test_the_demo_is_read_like_any_other_source(client: TestClient) -> None:
    answer = client.post(URL, json={})
    assert answer.status_code == 200
    told = answer.json()
    assert (told["graphId"], told["kind"], told["revision"], told["unchanged"]) == ("demo", "skill", 1, False)
    assert told["metrics"]["nodeCount"] == told["changes"]["added"] > 10
    [listed] = client.get("/api/skillgraph/graphs").json()["graphs"]
    assert (listed["graphId"], listed["nodeCount"]) == ("demo", told["metrics"]["nodeCount"])
    again = client.post(URL, json={}).json()
    assert (again["revision"], again["unchanged"]) == (1, True)


@pytest.mark.holds("graph.ingest.demo")
def test_what_is_wrong_is_refused_in_the_shape_of_every_error(client: TestClient) -> None:
    refused = {
        "unknown": client.post(URL, json={"name": "mine"}),
        "no object": client.post(URL, json=[]),
        "query": client.post(URL, params={"name": "mine"}, json={}),
        "no JSON": client.post(URL, content=b"{}", headers={"Content-Type": "text/plain"}),
        "method": client.get(URL),
    }
    assert {why: answer.status_code for why, answer in refused.items()} == {
        "unknown": 400, "no object": 400, "query": 400, "no JSON": 415, "method": 405,
    }  # fmt: skip
    assert all({"error", "code"} <= set(answer.json()) for answer in refused.values())
    assert client.get("/api/skillgraph/graphs").json()["graphs"] == []


@pytest.mark.holds("graph.ingest.demo", "graph.rate.retry-after")
def test_the_demo_counts_in_the_hour(make_client) -> None:
    client = make_client(ingests_per_hour=1)
    assert client.post(URL, json={"name": "mine"}).status_code == 400  # not sound: does not count
    assert client.post(URL, json={}).status_code == 200
    refused = client.post(URL, json={})
    assert refused.status_code == 429
    assert refused.json()["code"] == "rate_limited"
    assert int(refused.headers["retry-after"]) > 0
    assert client.post("/api/skillgraph/ingest", json={"sourceType": "github"}).status_code == 429


@pytest.mark.holds("graph.ingest.demo")
def test_a_server_that_demands_tokens_demands_one_for_the_demo(make_client) -> None:
    client = make_client(auth="required")
    assert client.post(URL, json={}).status_code == 401
    secret = client.app_state["application"].access.create_token("mira").secret
    assert client.post(URL, json={}, headers={"Authorization": f"Bearer {secret}"}).status_code == 200


def test_the_document_tells_of_the_demo(client: TestClient) -> None:
    document = client.get("/api/openapi.json").json()
    assert document["paths"][URL]["post"]["summary"].startswith("Read the notes that come with the product")
