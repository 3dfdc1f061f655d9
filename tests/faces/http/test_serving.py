"""The listening socket and what a real client meets on it."""

import json
import os
import socket
import sys
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from tests import forked
from tests.pace import PATIENCE

from loreweave.errors import InvalidInput, Unavailable
from loreweave.faces.http.serving import address_of, bound_socket


def test_small_answers_are_sent_at_once() -> None:
    """A socket that does not say it is TCP keeps the system's habit of waiting 40 ms for more to send."""
    with bound_socket("127.0.0.1", 0) as listening:
        assert listening.proto == socket.IPPROTO_TCP
        assert address_of(listening).startswith("http://127.0.0.1:")


def test_a_taken_port_and_a_strange_host_are_told_apart() -> None:
    with bound_socket("127.0.0.1", 0) as taken:
        taken.listen()
        with pytest.raises(Unavailable):
            bound_socket("127.0.0.1", taken.getsockname()[1])
    with pytest.raises(InvalidInput):
        bound_socket("no such host", 0)


def raw(address: str, request: bytes) -> bytes:
    """What comes back to these bytes until the server closes or has answered."""
    parts = urlsplit(address)
    with socket.create_connection((parts.hostname, parts.port), timeout=PATIENCE) as connection:
        connection.sendall(request)
        received = b""
        while b"\r\n\r\n" not in received or not received.endswith(b"}\n"):
            piece = connection.recv(65536)
            if not piece:
                break
            received += piece
    return received


@pytest.mark.holds(
    "house.errors.no-framework-shape", "graph.sources.length-header-first", "graph.ingest.zip-size-limit"
)
def test_a_real_client_gets_our_refusals(serve, tmp_path: Path) -> None:
    with serve(tmp_path / "data", LORE_EMBEDDER="none") as address:
        head, _, body = raw(address, b"GARBAGE\r\n\r\n").partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 400")
        assert json.loads(body)["code"] == "invalid_input"

        announced = (
            b"POST /api/skillgraph/ingest HTTP/1.1\r\nHost: localhost\r\n"
            b"Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 5000000000\r\n\r\n"
        )
        assert raw(address, announced).startswith(b"HTTP/1.1 413")

        upload = {"file": ("big.zip", os.urandom(11 * 1024 * 1024))}
        with httpx.Client(base_url=address, timeout=PATIENCE) as client:
            answer = client.post("/api/skillgraph/ingest", files=upload, data={"sourceType": "zip"})
            assert answer.status_code == 413
            assert answer.json()["limit"] == 10 * 1024 * 1024
            assert client.get("/api/health").status_code == 200


@pytest.mark.holds("house.access.no-proxy-headers", "graph.rate.no-forwarding-headers")
def test_the_server_believes_no_forwarding_header(serve, tmp_path: Path, archive: bytes) -> None:
    with serve(tmp_path / "data", LORE_EMBEDDER="none", LORE_INGESTS_PER_HOUR="1") as address:
        statuses = [
            httpx.post(
                f"{address}/api/skillgraph/ingest",
                files={"file": ("n.zip", archive)},
                data={"sourceType": "zip"},
                headers={"X-Forwarded-For": f"10.0.0.{number}", "X-Forwarded-Proto": "https"},
                timeout=PATIENCE,
            ).status_code
            for number in range(3)
        ]
    assert statuses == [200, 429, 429]


@pytest.mark.holds("house.access.tokens-beyond-loopback", "house.commands.token")
def test_a_server_on_another_address_lets_in_who_has_a_token(serve, tmp_path: Path) -> None:
    create = [sys.executable, "-m", "loreweave.faces.cli.lore", "token", "create", "mira", "--data"]
    made = forked.run([*create, str(tmp_path / "data")], capture_output=True, check=True, timeout=PATIENCE)
    token = json.loads(made.stdout)["token"]
    with serve(tmp_path / "data", "--host", "0.0.0.0", LORE_EMBEDDER="none") as address:
        url = address.replace("0.0.0.0", "127.0.0.1") + "/api/skillgraph/graphs"
        assert httpx.get(url).status_code == 401
        assert httpx.get(url, headers={"Authorization": f"Bearer {token}"}).status_code == 200
