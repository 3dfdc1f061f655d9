"""Where tokens are needed, every address asks for one but the files of the page and the health check."""

import re
from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient, WebSocketDenialResponse

OPEN = {("GET", "/api/health"), ("HEAD", "/api/health")}
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")


def addresses(routes: Iterable[Any], prefix: str = "") -> Iterator[str]:
    """Every path of the app and its mounts, each parameter filled in."""
    for route in routes:
        path = prefix + re.sub(r"{[^}]*}", "x", route.path)
        yield path
        yield from addresses(getattr(route, "routes", None) or (), path)


@pytest.fixture
def locked(make_client) -> TestClient:
    return make_client(auth="required")


@pytest.mark.holds("house.access.guarded-by-default")
def test_every_route_socket_and_mount_asks_for_a_token(locked: TestClient) -> None:
    found = set(addresses(locked.app.routes))
    assert {"/mcp", "/llms.txt", "/llms-full.txt", "/docs/x", "/ws/session/x", "/api/openapi.json"} <= found
    assert len(found) > 30
    for path in sorted(found):
        for method in METHODS:
            answer = locked.request(method, path)
            if (method, path) in OPEN:
                continue
            assert answer.status_code == 401, (method, path)
            assert answer.headers["www-authenticate"].startswith("Bearer")
        with pytest.raises(WebSocketDenialResponse) as denied, locked.websocket_connect(f"ws://127.0.0.1{path}"):
            pass
        assert denied.value.status_code == 401, path


@pytest.mark.holds("house.access.guarded-by-default")
@pytest.mark.parametrize(
    "path",
    ["/nowhere", "//llms.txt", "/llms.txt/", "/%6clms.txt", "/api/health/", "/api//health", "//", "/static/index.html",
     "/assets/../llms.txt", "/index.html/../llms.txt", "/mcp/", "/redoc", "/openapi.json"],
)  # fmt: skip
def test_another_way_of_writing_an_address_is_no_way_in(locked: TestClient, path: str) -> None:
    answer = locked.get(f"http://127.0.0.1{path}", headers={"Accept": "text/html"})
    assert answer.status_code == 401
    assert "default-src 'none'" in answer.headers["content-security-policy"]


@pytest.mark.holds("house.access.guarded-by-default")
def test_strangers_may_open_the_page_and_nothing_but_read_it(locked: TestClient) -> None:
    for path in ("/", "/sessions", "/sessions/some-id"):
        assert locked.get(path, headers={"Accept": "text/html"}).status_code in (200, 404)  # 404: it is not built
        assert locked.post(path).status_code == 401
