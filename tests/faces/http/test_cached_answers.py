"""Reads of a graph carry an ETag and answer 304."""

from pathlib import Path

import pytest
from starlette.testclient import TestClient

from loreweave.faces.http.sent_answers import matches

API = "/api/skillgraph"
TAG = '"abc"'


@pytest.mark.holds("house.http.etag")
@pytest.mark.parametrize("path", ["stats", "changes", "node?id=index&level=4", "export", "export?format=dot", "graphs"])
def test_a_read_is_not_sent_twice(client: TestClient, graph: str, path: str) -> None:
    joined = "" if path == "graphs" else ("&" if "?" in path else "?") + f"graphId={graph}"
    first = client.get(f"{API}/{path}{joined}")
    assert first.status_code == 200, first.text
    again = client.get(f"{API}/{path}{joined}", headers={"If-None-Match": first.headers["etag"]})
    assert again.status_code == 304
    assert again.content == b""
    assert again.headers["etag"] == first.headers["etag"]
    assert again.headers["cache-control"] == first.headers["cache-control"] == "private, no-cache"


@pytest.mark.holds("house.http.etag")
def test_a_new_revision_has_a_new_tag(client: TestClient, graph: str, vault: Path) -> None:
    before = client.get(f"{API}/stats", params={"graphId": graph}).headers["etag"]
    (vault / "new.md").write_text("# New\n", encoding="utf-8")
    client.app_state["application"].graphs.ingest_folder(vault, name=graph)
    after = client.get(f"{API}/stats", params={"graphId": graph}, headers={"If-None-Match": before})
    assert after.status_code == 200
    assert after.headers["etag"] != before
    assert after.json()["revision"] == 2


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ([TAG], True),
        (["*"], True),
        (['W/"abc"'], True),
        (['"x", "abc" , W/"y"'], True),
        (['"x"', '"abc"'], True),
        (['"x"'], False),
        (["abc"], False),
        ([], False),
        ([""], False),
    ],
)
def test_conditions_are_lists_compared_weakly(lines: list[str], expected: bool) -> None:
    assert matches(lines, TAG) is expected


def test_an_error_carries_no_tag(client: TestClient) -> None:
    answer = client.get(f"{API}/stats?graphId=none", headers={"If-None-Match": "*"})
    assert answer.status_code == 404
    assert "etag" not in answer.headers
