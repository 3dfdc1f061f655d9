"""The page's files, its policy, and the health check."""

import time
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from tests.model_server import ModelServer
from tests.pace import PATIENCE, within

from loreweave import __version__
from loreweave.application import Application
from loreweave.faces.http.app import create_app

HTML = {"Accept": "text/html,*/*"}
KEY = "sk-ant-very-secret-0123"


@pytest.fixture
def page(tmp_path: Path) -> Path:
    folder = tmp_path / "static"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<!doctype html><title>Loreweave</title>")
    (folder / "assets" / "main-1a2b.js").write_text("export {}")
    (tmp_path / "secret.txt").write_text("secret")
    (folder / "way-out").symlink_to(tmp_path / "secret.txt")
    return folder


@pytest.fixture
def browser(sqlite_application: Application, page: Path) -> TestClient:
    return TestClient(create_app(sqlite_application, page_folder=page), base_url="http://127.0.0.1")


@pytest.mark.holds("graph.page.content-security-policy")
def test_the_page_allows_scripts_from_itself_alone(browser: TestClient) -> None:
    for path in ("/", "/studio/plan/new"):
        answer = browser.get(path, headers=HTML)
        assert answer.status_code == 200
        assert answer.headers["content-type"] == "text/html; charset=utf-8"
        policy = dict(part.strip().split(" ", 1) for part in answer.headers["content-security-policy"].split(";"))
        assert policy["script-src"] == "'self'"
        assert policy["default-src"] == "'self'"
        assert policy["frame-ancestors"] == "'none'"
        assert policy["frame-src"] == "http://127.0.0.1:*"


def test_hashed_files_are_kept_and_the_page_is_asked_for_again(browser: TestClient) -> None:
    script = browser.get("/assets/main-1a2b.js")
    assert script.headers["content-type"].startswith("text/javascript")
    assert "immutable" in script.headers["cache-control"]
    index = browser.get("/", headers=HTML)
    assert index.headers["cache-control"] == "no-cache"
    assert browser.get("/", headers={**HTML, "If-None-Match": index.headers["etag"]}).status_code == 304
    assert browser.head("/").status_code == 200


@pytest.mark.parametrize(
    "path",
    ["/../secret.txt", "/%2e%2e/secret.txt", "/assets/..%2f..%2fsecret.txt", "/way-out", "/assets",
     "/missing.js", "/%00", "/..%5csecret.txt", "/" + "a" * 5000],
)  # fmt: skip
def test_nothing_outside_the_folder_is_served(browser: TestClient, path: str) -> None:
    answer = browser.get(path)
    assert answer.status_code == 404
    assert answer.json()["code"] == "not_found"


@pytest.mark.holds("page.shell.nowhere")
def test_an_unknown_address_is_a_page_for_who_looks_and_an_error_for_who_calls(browser: TestClient) -> None:
    looked = browser.get("/nowhere", headers=HTML)
    assert looked.status_code == 404
    assert "<title>Loreweave</title>" in looked.text
    assert looked.headers["cache-control"] == "no-store"
    assert "script-src 'self'" in looked.headers["content-security-policy"]
    called = browser.get("/nowhere")
    assert called.status_code == 404
    assert called.json()["code"] == "not_found"
    assert browser.post("/nowhere", headers=HTML).json()["code"] == "not_found"


THREAD = "0a1b2c3d-0a1b-0a1b-0a1b-0a1b2c3d4e5f"
NOT_THERE = [
    "/g/gone", "/g/gone/map", "/g/demo/nowhere", "/g/demo/map/more", "/g", "/ask/gone", "/ask/{thread}/more",
    "/routes/gone", "/studio/run/gone", "/studio/plan/gone", "/studio/gone", "/memory/gone",
    "/sessions/gone", "/memory/all/more",
]  # fmt: skip
THERE = [
    "/g/demo", "/g/demo/map", "/g/demo/read/any/page", "/ask", "/ask/{thread}", "/ask/{thread}/", "/routes",
    "/routes/demo", "/routes/~refund-desk", "/studio", "/studio/run/{run}", "/studio/plan", "/studio/plan/new",
    "/studio/plan/kept", "/memory", "/memory/trash", "/memory/inbox", "/sessions/{run}",
]  # fmt: skip


def hold_something(client: TestClient, archive: bytes) -> str:
    """A graph, a thread and a design by the names above, and a session, whose id is answered."""
    fields = {"sourceType": "zip", "name": "demo"}
    assert client.post("/api/skillgraph/ingest", data=fields, files={"file": ("a.zip", archive)}).status_code == 200
    design = {"workspace_path": "designs/kept", "workspace_json": {"kind": "plan", "document": {}}}
    assert client.post("/api/workspace/save", json=design).status_code == 200
    turn = {"query": "why", "answer": "", "mode": "stopped", "model": "", "sources": [], "unverified": []}
    assert client.post(f"/api/chat/threads/{THREAD}", json={"number": 0, "turn": turn}).status_code == 200
    return client.post("/api/sessions").json()["session_id"]


@pytest.mark.holds("page.shell.nowhere")
def test_an_address_of_the_page_is_there_where_what_it_names_is(make_client, archive: bytes, page: Path) -> None:
    application = make_client().app_state["application"]
    client = TestClient(create_app(application, page_folder=page), base_url="http://127.0.0.1")
    run = hold_something(client, archive)
    for path in THERE:
        assert client.get(path.format(run=run, thread=THREAD), headers=HTML).status_code == 200, path
    for path in NOT_THERE:
        answer = client.get(path.format(thread=THREAD), headers=HTML)
        assert (answer.status_code, "<title>Loreweave</title>" in answer.text) == (404, True), path
        assert client.get(path).json()["code"] == "not_found"


@pytest.mark.holds("page.shell.nowhere")
def test_strangers_are_not_told_what_is_there(make_client, archive: bytes, page: Path) -> None:
    application = make_client(auth="required").app_state["application"]
    client = TestClient(create_app(application, page_folder=page), base_url="http://127.0.0.1")
    token = {"Authorization": f"Bearer {application.access.create_token('mira').secret}"}
    client.headers.update(token)
    hold_something(client, archive)
    del client.headers["Authorization"]
    there, gone = (client.get(path, headers=HTML) for path in ("/g/demo/map", "/g/gone/map"))
    assert (there.status_code, there.text, there.headers) == (gone.status_code, gone.text, gone.headers)
    assert client.get("/g/gone/map", headers={**HTML, **token}).status_code == 404


def test_addresses_of_the_api_are_never_the_page(browser: TestClient) -> None:
    for path in ("/api/nowhere", "/mcp/x", "/ws/session/1", "/assets/nowhere.js"):
        assert browser.get(path, headers=HTML).json()["code"] == "not_found"
    assert browser.get("/docs/page", headers=HTML).status_code == 404


@pytest.mark.parametrize(("accepted", "status"), [("*/*", 200), ("text/html", 200), ("application/json", 404)])
def test_whoever_takes_anything_gets_the_page(browser: TestClient, accepted: str, status: int) -> None:
    for path in ("/sessions", "/studio/plan/new"):
        assert browser.get(path, headers={"Accept": accepted}).status_code == status


def test_a_page_that_is_not_built_says_so(sqlite_application: Application, tmp_path: Path) -> None:
    app = create_app(sqlite_application, page_folder=tmp_path / "nothing")
    answer = TestClient(app, base_url="http://127.0.0.1").get("/")
    assert answer.headers["content-type"].startswith("text/plain")
    assert "make install" in answer.text


@pytest.mark.holds("house.http.health", "house.commands.serve-ready", "session.health.shape", "session.health.ready")
def test_health_has_the_contracts_shape_and_more(make_client) -> None:
    client = make_client(embedder="static")
    answer = client.get("/api/health")
    assert answer.status_code == 200
    application = client.app_state["application"]
    assert answer.json() == {
        "status": "degraded",  # without a model no build can run, and all else can
        "apiKey": "missing",
        "agentSdk": "available",
        "version": __version__,
        "database": "sqlite",
        "embedder": "static",
        "model": "none",
        "sandbox": application.sandbox.kind,
        "git": application.git_version,
    }
    assert answer.json()["sandbox"] in ("bubblewrap", "limits")


@pytest.mark.holds("house.access.strangers-learn-the-status")
def test_strangers_learn_whether_it_is_ready_and_nothing_else(make_client) -> None:
    client = make_client(auth="required", model="demo")
    application = client.app_state["application"]
    token = {"Authorization": f"Bearer {application.access.create_token('mira').secret}"}
    assert client.get("/api/health").json() == {"status": "ready"}
    assert client.get("/api/health", headers={"Authorization": "Bearer lore_x_y"}).status_code == 401
    assert client.get("/api/health", headers=token).json()["version"] == __version__


@pytest.mark.holds("session.health.ready")
def test_the_demo_model_makes_it_ready_without_a_key(make_client) -> None:
    health = make_client(model="demo").get("/api/health").json()
    assert (health["status"], health["apiKey"], health["model"]) == ("ready", "missing", "demo")


@pytest.mark.holds("session.health.ready", "session.health.shape")
@pytest.mark.parametrize(
    ("status", "key", "ready"), [(200, "valid", "ready"), (401, "invalid", "degraded"), (500, "unchecked", "degraded")]
)
def test_a_key_decides_once_the_provider_has_spoken(
    make_client, model_server: ModelServer, status: int, key: str, ready: str
) -> None:
    model_server.models_status = status
    client = make_client(**keyed(model_server))
    assert client.get("/api/health").json()["apiKey"] == "unchecked"
    check = client.app_state["application"].key_check
    check._thread.join(PATIENCE)
    health = client.get("/api/health")
    assert health.status_code == 200
    assert (health.json()["apiKey"], health.json()["status"]) == (key, ready)
    assert ("apiKeyError" in health.json()) == (key == "invalid")
    assert KEY not in health.text


@pytest.mark.holds("session.health.never-waits")
def test_health_answers_while_the_provider_keeps_silent(make_client, model_server: ModelServer) -> None:
    model_server.models_status = 0
    client = make_client(**keyed(model_server))
    client.get("/api/health")
    assert model_server.looked.acquire(timeout=PATIENCE)
    health = within(0.5, lambda: client.get("/api/health"), clock=time.monotonic).json()
    assert (health["status"], health["apiKey"]) == ("degraded", "unchecked")


@pytest.mark.holds("session.health.ready")
def test_a_sandbox_that_is_demanded_and_missing_is_told(make_client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    health = make_client(model="demo", sandbox="required").get("/api/health").json()
    assert (health["status"], health["sandbox"], health["git"]) == ("degraded", "unavailable", None)


def keyed(server: ModelServer) -> dict[str, str]:
    return {"model": "anthropic:x", "anthropic_api_key": KEY, "anthropic_base_url": server.base_url}


def test_there_is_no_page_of_the_framework(client: TestClient) -> None:
    for path in ("/docs", "/redoc", "/openapi.json"):
        assert client.get(path).status_code == 404
    assert client.get("/api/openapi.json").status_code == 200
