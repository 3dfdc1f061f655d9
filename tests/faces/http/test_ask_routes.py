"""Contract 002 over HTTP: what each address answers, and every case the contract leaves open."""

from pathlib import Path
from urllib.parse import quote

import pytest
from starlette.testclient import TestClient
from tests.faces.asked_documents import DOCUMENTS, write_documents


@pytest.fixture
def documents(client: TestClient, tmp_path: Path) -> TestClient:
    client.app_state["application"].graphs.ingest_folder(write_documents(tmp_path / "docs"), name="docs")
    return client


@pytest.mark.holds("ask.http.reads")
def test_reads_need_no_key(documents: TestClient) -> None:
    sections = documents.get("/api/ask/sections").json()["sections"]
    assert [section["id"] for section in sections] == [
        "api/reference#c-and-c", "guide/cli", "guide/cli#flags", "guide/cli#exit-codes",
        "guide/storage", "guide/storage#backups", "index",
    ]  # fmt: skip
    assert sections[1]["heading"] is None
    assert sections[-1] == {
        "id": "index", "title": "Toolbox", "heading": None, "group": None, "url": "/docs",
    }  # fmt: skip
    node = documents.get(f"/api/ask/sections/{quote('guide/cli#flags', safe='')}").json()
    assert (node["kind"], node["url"], node["heading"]) == ("section", "/docs/guide/cli#flags", "Flags")
    assert ("flag", "--no-cache") in {(fact["kind"], fact["literal"]) for fact in node["facts"]}
    source = DOCUMENTS["guide/cli.md"].encode()
    for fact in node["facts"]:
        assert source[fact["start"] : fact["end"]].decode() == fact["literal"]
        assert fact["chunkId"] == node["id"]
    overview = documents.get("/api/ask/overview").json()
    for section in sections:
        assert overview["overview"].count(f"`{section['id']}`") == 1
    assert "7 sections" in overview["context"]


@pytest.mark.holds("ask.http.greedy-path")
def test_ids_may_hold_slashes(documents: TestClient) -> None:
    whole = documents.get("/api/ask/sections/guide%2Fcli%23flags")
    half = documents.get("/api/ask/sections/guide/cli%23flags")
    assert whole.json() == half.json()
    assert documents.get("/api/ask/sections/Guide/cli").status_code == 404


@pytest.mark.holds("ask.http.glossary-term")
def test_a_term_is_found_by_name_or_alias_in_any_case(documents: TestClient) -> None:
    terms = documents.get("/api/ask/glossary").json()["terms"]
    assert [term["term"] for term in terms] == ["Write Ahead Log"]
    assert documents.get("/api/ask/glossary/").json() == {"terms": terms}
    for name in ("wal", "WAL", "write%20ahead%20LOG", "%20WAL%20"):
        assert documents.get(f"/api/ask/glossary/{name}").json() == terms[0]
    refused = documents.get("/api/ask/glossary/nothing")
    assert (refused.status_code, refused.json()["code"]) == (404, "not_found")


@pytest.mark.holds("ask.http.group")
def test_sections_of_a_group(documents: TestClient) -> None:
    def ids(group: str) -> list[str]:
        return [section["id"] for section in documents.get(f"/api/ask/sections?group={group}").json()["sections"]]

    assert ids("%20CONCEPTS%20") == ["guide/storage", "guide/storage#backups"]
    assert ids("Concept") == []
    assert len(ids("")) == 7


@pytest.mark.holds("ask.http.trailing-slash")
def test_a_slash_at_the_end_asks_for_the_same(documents: TestClient) -> None:
    for path in ("", "/glossary", "/sections", "/overview", "/sections/guide/cli%23flags", "/glossary/wal", "/gaps"):
        plain, slashed = documents.get(f"/api/ask{path}"), documents.get(f"/api/ask{path}/", follow_redirects=False)
        assert (slashed.status_code, slashed.content) == (200, plain.content)


@pytest.mark.holds("ask.http.refusals")
def test_refusals_have_the_one_shape(documents: TestClient) -> None:
    wrong = documents.put("/api/ask")
    assert (wrong.status_code, wrong.headers["allow"]) == (405, "GET, HEAD, POST")
    assert documents.post("/api/ask/glossary").status_code == 405
    for path in ("/api/ask/nothing", "/api/ask?graph=nothing", "/api/ask/sections?graph=nothing"):
        refused = documents.get(path)
        assert refused.status_code == 404
        assert set(refused.json()) >= {"error", "code"}


@pytest.mark.holds("ask.http.bad-bodies")
@pytest.mark.parametrize(
    ("body", "field"),
    [
        (b"[]", None), (b"{", None), (b"{}", "query"), (b'{"query": 1}', "query"), (b'{"query": null}', "query"),
        (b'{"query": "\\ud800"}', None), (b'{"query": "' + b"a" * 2001 + b'"}', "query"),
        (b'{"query": "x", "mode": "magic"}', "mode"), (b'{"query": "x", "limit": 0}', "limit"),
        (b'{"query": "x", "limit": 51}', "limit"),
    ],
)  # fmt: skip
def test_a_bad_body_is_refused_by_field(documents: TestClient, body: bytes, field: str | None) -> None:
    refused = documents.post("/api/ask", content=body, headers={"Content-Type": "application/json"})
    assert refused.status_code == 400
    assert refused.json().get("field") == field
    if field == "mode":
        assert "keyword" in refused.json()["error"]
        assert "agentic" in refused.json()["error"]


@pytest.mark.holds("ask.http.bad-bodies")
def test_a_large_body_is_refused(documents: TestClient) -> None:
    body = b'{"query": "x", "pad": "' + b"a" * 65_536 + b'"}'
    assert documents.post("/api/ask", content=body, headers={"Content-Type": "application/json"}).status_code == 413


@pytest.mark.holds("ask.http.keyword-shape", "ask.http.mode-omitted")
def test_keyword_results_leave_out_what_is_not_there(documents: TestClient) -> None:
    answer = documents.post("/api/ask", json={"query": "--no-cache"}).json()
    assert (answer["mode"], answer["model"], answer["query"]) == ("keyword", "none", "--no-cache")
    assert "warning" not in answer
    best = answer["results"][0]
    assert (best["id"], best["url"], best["heading"]) == ("guide/cli#flags", "/docs/guide/cli#flags", "Flags")
    marked = {best["snippet"][start:end] for start, end in best["highlights"]}
    assert any("no-cache" in text for text in marked)
    page = documents.post("/api/ask", json={"query": "toolbox for tests"}).json()["results"][0]
    assert page["id"] == "index"
    assert "heading" not in page
    assert "group" not in page


@pytest.mark.holds("ask.http.blank-query", "ask.http.echo")
def test_blank_and_odd_queries(documents: TestClient) -> None:
    assert documents.post("/api/ask", json={"query": " \n"}).json() == {
        "results": [], "query": "", "model": "none", "mode": "keyword",
    }  # fmt: skip
    odd = " back\u0000ups  <b> "
    assert documents.post("/api/ask", json={"query": odd}).json()["query"] == odd
    assert documents.post("/api/ask", json={"query": "zyxwvut qqqq"}).json()["results"] == []


@pytest.mark.holds("ask.http.no-model")
def test_agentic_without_a_model_is_keyword_with_a_warning(documents: TestClient) -> None:
    answer = documents.post("/api/ask", json={"query": "backups", "mode": "agentic"}).json()
    assert answer["mode"] == "keyword"
    assert answer["results"][0]["id"] == "guide/storage#backups"
    assert "model" in answer["warning"]


@pytest.mark.holds("ask.http.no-graph")
def test_without_a_graph_reads_are_empty(client: TestClient) -> None:
    assert client.get("/api/ask").json() == {"suggestions": [], "model": "none"}
    assert client.get("/api/ask/glossary").json() == {"terms": []}
    assert client.get("/api/ask/sections").json() == {"sections": []}
    assert client.get("/api/ask/overview").json() == {"overview": "", "context": ""}
    assert client.get("/api/ask/gaps").json() == {"gaps": []}
    answer = client.post("/api/ask", json={"query": "x"})
    assert (answer.status_code, answer.json()["results"], "warning" in answer.json()) == (200, [], False)


@pytest.mark.holds("ask.http.setting-names-no-graph")
def test_a_setting_that_names_no_graph_heals_when_it_is_ingested(make_client, tmp_path: Path) -> None:
    client = make_client(ask_graph="later")
    assert client.get("/api/ask/sections").json() == {"sections": []}
    refused = client.post("/api/ask", json={"query": "backups"})
    assert (refused.status_code, refused.json()["code"]) == (500, "index_unavailable")
    application = client.app_state["application"]
    application.graphs.ingest_folder(write_documents(tmp_path / "docs"), name="later")
    application.graphs.ingest_folder(write_documents(tmp_path / "other"), name="newest")
    assert len(client.get("/api/ask/sections").json()["sections"]) == 7
    assert client.post("/api/ask", json={"query": "backups"}).json()["results"]


@pytest.mark.holds("ask.http.etag", "ask.search.follows-ingest")
def test_reads_carry_a_tag_that_changes_with_the_documents(documents: TestClient, tmp_path: Path) -> None:
    first = documents.get("/api/ask/sections")
    tag = first.headers["etag"]
    assert documents.get("/api/ask/sections", headers={"If-None-Match": tag}).status_code == 304
    (tmp_path / "docs" / "new.md").write_text("# New\n\nA zebra crossing.\n")
    documents.app_state["application"].graphs.ingest_folder(tmp_path / "docs", name="docs")
    again = documents.get("/api/ask/sections", headers={"If-None-Match": tag})
    assert again.status_code == 200
    assert again.headers["etag"] != tag
    assert documents.post("/api/ask", json={"query": "zebra"}).json()["results"][0]["id"] == "new"


@pytest.mark.holds("ask.http.docs-pages", "ask.http.mirror")
def test_documents_are_pages_and_their_source_is_beside_them(documents: TestClient) -> None:
    page = documents.get("/docs/guide/cli")
    assert page.status_code == 200
    assert page.headers["content-type"].startswith("text/html")
    assert "default-src 'none'" in page.headers["content-security-policy"]
    for anchor in ("flags", "exit-codes"):
        assert f'id="{anchor}"' in page.text
    assert documents.get("/docs/guide/cli.md").text == DOCUMENTS["guide/cli.md"]
    assert documents.get("/docs/index.md").text == DOCUMENTS["index.md"]
    root = documents.get("/docs")
    assert 'href="/docs/guide/cli#flags"' in root.text
    assert documents.get("/docs/guide/cli?graph=docs").status_code == 200
    missing = documents.get("/docs/nothing")
    assert (missing.status_code, missing.json()["code"]) == (404, "not_found")


@pytest.mark.holds("ask.http.llms")
def test_lists_for_machines(documents: TestClient) -> None:
    listed = documents.get("/llms.txt").text
    assert listed.startswith("# ")
    assert "/docs/guide/cli.md" in listed
    full = documents.get("/llms-full.txt").text
    assert "Set `TOOL_BACKUP_DIR` first." in full


@pytest.mark.holds("ask.gaps.counted", "ask.gaps.most-frequent-first")
def test_what_was_not_found_is_listed(documents: TestClient) -> None:
    for query in ("quuxify", "Quuxify ", "frobnicate"):
        documents.post("/api/ask", json={"query": query})
    gaps = documents.get("/api/ask/gaps").json()["gaps"]
    assert [(gap["query"].casefold(), gap["reason"], gap["count"]) for gap in gaps] == [
        ("quuxify", "no_results", 2), ("frobnicate", "no_results", 1),
    ]  # fmt: skip


@pytest.mark.holds("ask.gaps.can-be-off")
def test_no_list_is_kept_when_it_is_off(make_client, tmp_path: Path) -> None:
    client = make_client(ask_log="off")
    client.app_state["application"].graphs.ingest_folder(write_documents(tmp_path / "docs"), name="docs")
    client.post("/api/ask", json={"query": "quuxify"})
    assert client.get("/api/ask/gaps").json() == {"gaps": []}
