"""A document as JSON for whoever lays it out among the views of its graph."""

from pathlib import Path

import pytest
from starlette.testclient import TestClient

FILES = {
    "index.md": "# Home\n\nSee [text](guide/text.md#pages), [[text#Pages]] and [away](https://example.org/).\n",
    "guide/text.md": "---\ntype: skill\n---\n# Text\n\nBack to [[index]].\n\n## Pages\n\n<script>bad()</script>\n",
    "guide/page.mdx": "# Another\n\nOf another kind.\n",
}


@pytest.fixture
def space(client: TestClient, tmp_path: Path) -> TestClient:
    for path, text in FILES.items():
        (tmp_path / "docs" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "docs" / path).write_text(text, encoding="utf-8")
    client.app_state["application"].graphs.ingest_folder(tmp_path / "docs", name="my space")
    return client


def read(space: TestClient, **asked: str) -> dict:
    answer = space.get("/api/skillgraph/read", params={"graphId": "my-space", **asked})
    assert answer.status_code == 200, answer.text
    return answer.json()


@pytest.mark.holds("page.library.read-api")
def test_a_document_is_read_by_slug_path_note_or_as_the_first(space: TestClient) -> None:
    by_slug = read(space, slug="guide/text")
    assert by_slug == read(space, slug="guide/text.md") == read(space, id="skill:text") == read(space, id="Text")
    assert (by_slug["id"], by_slug["path"], by_slug["title"]) == ("skill:text", "guide/text.md", "Text")
    assert by_slug["headings"] == [{"level": 2, "heading": "Pages", "anchor": "pages"}]
    assert (by_slug["graphId"], by_slug["revision"]) == ("my-space", 1)
    assert read(space)["slug"] == "index"


@pytest.mark.holds("page.library.read-api")
def test_links_of_a_document_lead_on_inside_its_space_and_nothing_in_it_runs(space: TestClient) -> None:
    home = read(space, slug="index")
    assert home["html"].count('href="/g/my-space/read/guide/text#pages"') == 2
    assert 'href="https://example.org/"' in home["html"]
    assert (home["before"], home["after"]["slug"]) == (None, "guide/page")
    assert [(group["name"], group["count"]) for group in home["groups"]] == [(None, 1), ("guide", 2)]
    assert "script" not in read(space, slug="guide/text")["html"]


@pytest.mark.holds("page.library.read-api")
def test_what_is_not_there_and_what_is_asked_twice_is_refused_by_name(space: TestClient) -> None:
    def refused(**asked: str) -> tuple[int, str]:
        answer = space.get("/api/skillgraph/read", params={"graphId": "my-space", **asked})
        return answer.status_code, answer.json()["code"]

    assert refused(slug="nowhere") == (404, "not_found")
    assert refused(id="nobody") == (404, "not_found")
    assert refused(graphId="none") == (404, "not_found")
    both = space.get("/api/skillgraph/read", params={"graphId": "my-space", "slug": "index", "id": "index"})
    assert (both.status_code, both.json()["field"]) == (400, "slug")
