"""Pages of documents over HTTP: what a browser and what a program gets."""

import re
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from tests.faces.asked_documents import write_documents

from loreweave.knowledge.digest import page_service

BROWSER = {"Accept": "text/html,application/xhtml+xml"}


@pytest.fixture
def documents(client: TestClient, tmp_path: Path) -> TestClient:
    client.app_state["application"].graphs.ingest_folder(write_documents(tmp_path / "docs"), name="docs")
    return client


@pytest.mark.holds("ask.pages.empty")
def test_a_browser_gets_a_page_where_a_program_gets_the_error_shape(client: TestClient) -> None:
    shown = client.get("/docs", headers=BROWSER)
    assert (shown.status_code, shown.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert "Nothing here yet" in shown.text
    told = client.get("/docs")
    assert (told.status_code, told.json()["code"]) == (404, "not_found")
    assert "Accept" in shown.headers["vary"]


@pytest.mark.holds("ask.pages.empty")
@pytest.mark.parametrize("path", ["/docs/<b>nothing</b>", "/docs?graph=unknown", "/docs/guide/cli?graph=unknown"])
def test_a_missing_page_is_a_page_that_says_so(documents: TestClient, path: str) -> None:
    shown = documents.get(path, headers=BROWSER)
    assert shown.status_code == 404
    assert 'href="/docs"' in shown.text
    assert "<b>" not in shown.text
    assert "script-src 'self'" in shown.headers["content-security-policy"]
    assert documents.get(path).json()["code"] == "not_found"


@pytest.mark.holds("ask.pages.locked")
@pytest.mark.parametrize("path", ["/docs", "/docs/guide/cli", "/docs/nowhere?graph=docs"])
def test_a_browser_without_a_token_is_told_what_to_do(make_client, path: str) -> None:
    client = make_client(auth="required")
    shown = client.get(path, headers=BROWSER)
    assert (shown.status_code, shown.headers["content-type"]) == (401, "text/html; charset=utf-8")
    assert shown.headers["www-authenticate"].startswith("Bearer")
    assert "script-src 'self'" in shown.headers["content-security-policy"]
    assert "Accept" in shown.headers["vary"]
    assert 'href="/docs.css"' in shown.text
    assert 'href="/"' in shown.text
    assert "lore token create" in shown.text
    assert "<script" not in shown.text
    assert "`" not in shown.text
    refused = client.get(path, headers={**BROWSER, "Authorization": "Bearer lore_x_y"})
    assert (refused.status_code, "revoked" in refused.text) == (401, True)
    told = client.get(path)
    assert (told.status_code, told.json()["code"]) == (401, "unauthorized")
    assert client.get("/api/ask/glossary", headers=BROWSER).json()["code"] == "unauthorized"


@pytest.mark.holds("ask.pages.policy")
def test_not_modified_repeats_the_policy(documents: TestClient) -> None:
    first = documents.get("/docs/guide/cli", headers=BROWSER)
    again = documents.get("/docs/guide/cli", headers={**BROWSER, "If-None-Match": first.headers["etag"]})
    assert again.status_code == 304
    assert again.headers["content-security-policy"] == first.headers["content-security-policy"]


@pytest.mark.holds("ask.overlay.gaps")
def test_a_question_still_being_typed_is_no_gap(documents: TestClient) -> None:
    for query, typing in (("zebr", True), ("zebra", False)):
        asked = {"query": query, "typing": typing}
        assert documents.post("/api/ask", json=asked).json()["results"] == []
    assert [gap["query"] for gap in documents.get("/api/ask/gaps").json()["gaps"]] == ["zebra"]


@pytest.mark.holds("ask.pages.looks")
def test_a_very_long_list_is_cut_around_the_page_that_is_shown(client: TestClient, tmp_path: Path) -> None:
    for number in range(250):
        page = tmp_path / "docs" / "many" / f"page-{number:03}.md"
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(f"# Page {number}\n\nText.\n", encoding="utf-8")
    client.app_state["application"].graphs.ingest_folder(tmp_path / "docs", name="docs")
    for shown, ends in ((0, (0, 199)), (125, (25, 224)), (249, (50, 249))):
        html = client.get(f"/docs/many/page-{shown:03}").text
        listed = html[html.index('<nav class="pages"') :]
        assert f'href="/docs/many/page-{shown:03}" aria-current="page"' in listed
        assert [number for number in range(250) if f'"/docs/many/page-{number:03}"' in listed] == list(
            range(ends[0], ends[1] + 1)
        )
        assert "50 more" in listed


@pytest.mark.holds("ask.pages.ceiling")
def test_a_page_that_would_take_seconds_to_lay_out_is_shown_as_it_was_written(
    client: TestClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_service, "MOST_WEIGHT", 600)  # a hundredth, so that reading it in takes no time either
    folder = tmp_path / "long"
    folder.mkdir()
    (folder / "lines.md").write_text("=\n" * 601 + "<script>\n")
    (folder / "words.md").write_text("# Words\n\n" + "An ordinary line of an ordinary page.\n" * 300)
    client.app_state["application"].graphs.ingest_folder(folder, name="long")
    lines = client.get("/docs/lines", headers=BROWSER)
    assert lines.status_code == 200
    assert "too long to be laid out" in lines.text
    assert "<script>\n" not in lines.text
    assert re.sub("<span[^>]*></span>", "", lines.text).count("<pre>=\n=\n") == 1
    assert client.get("/docs/lines.md").text.startswith("=\n=\n")
    (folder / "long.md").write_text(
        "# Long <i>\n\n" + "*a*\n" * 601 + "\n## Half & half\n\nText.\n\n##### Deep\n\n## More\n"
    )
    client.app_state["application"].graphs.ingest_folder(folder, name="long")
    long = client.get("/docs/long", headers=BROWSER).text
    assert '<span id="half--half"></span><span id="deep"></span>## Half &amp; half\n' in long
    assert '<a href="#half--half">Half &amp; half</a>' in long
    assert 'id="words"' in client.get("/docs/words", headers=BROWSER).text
    (folder / "bare.md").write_text("# Bare\n" + "-\n" * 601)  # a heading, and nothing that could be found
    client.app_state["application"].graphs.ingest_folder(folder, name="long")
    assert '<span id="bare"></span># Bare\n' in client.get("/docs/bare", headers=BROWSER).text


@pytest.mark.holds("graph.reading.folder-pages")
def test_the_address_of_a_folder_is_that_of_its_page(client: TestClient, tmp_path: Path) -> None:
    folder = tmp_path / "folders"
    for name in ("index", "_index", "README", "SKILL"):
        (folder / f"a {name}" / "deep").mkdir(parents=True)
        (folder / f"a {name}" / f"{name}.md").write_text(f"# Page {name}\n\nText.\n")
        (folder / f"a {name}" / "deep" / "README.md").write_text("# Deep\n\nText.\n")
    client.app_state["application"].graphs.ingest_folder(folder, name="folders")
    for name in ("index", "_index", "README", "SKILL"):
        for address in (f"/docs/a {name}/", f"/docs/a {name}"):
            assert f"Page {name}</h1>" in client.get(address, headers=BROWSER).text
    assert client.get("/docs/deep/").status_code == 404
    assert client.get("/docs/a README/deep/").status_code == 200
