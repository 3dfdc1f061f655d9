"""Clients that owe something: half a head, half a body, the reading of an answer. They give way to others."""

import json
import os
import re
import resource
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from tests import forked
from tests.faces.loopback import Loopback, on_loopback
from tests.pace import PATIENCE

from loreweave.application import open_application
from loreweave.faces.http.connections import Patience
from loreweave.settings import Settings

HALF_A_HEAD = b"GET /api/health HTTP/1.1\r\nHost: localhost\r\nX-Slow: "
UPLOAD = (
    b"POST /api/skillgraph/ingest HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9000000\r\n"
    b"Content-Type: multipart/form-data; boundary=b\r\n\r\n"
    b'--b\r\nContent-Disposition: form-data; name="file"; filename="n.zip"\r\n\r\n'
)
Serve = Callable[..., Loopback]


@pytest.fixture
def serve_with(tmp_path: Path) -> Iterator[Serve]:
    """The app on a real port with a patience of the test's own."""
    with ExitStack() as opened:

        def serve(**patience: float) -> Loopback:
            settings = Settings(data_dir=tmp_path / "data", embedder="none", ingests_per_hour=0)
            application = opened.enter_context(closing(open_application(settings, start_method="forkserver")))
            limits = {"most_connections": 50, "most_bodies": 50, **patience}
            return opened.enter_context(on_loopback(application, Patience(**limits)))

        yield serve


def connect(address: str, sent: bytes = b"") -> socket.socket:
    parts = urlsplit(address)
    connection = socket.create_connection((parts.hostname, parts.port), timeout=PATIENCE)
    connection.sendall(sent)
    return connection


def all_of(connection: socket.socket) -> bytes:
    """What comes until the server hangs up."""
    received = b""
    with connection:
        while True:
            try:
                piece = connection.recv(65536)
            except ConnectionResetError:
                return received
            if not piece:
                return received
            received += piece


def told(received: bytes) -> tuple[int, str]:
    head, _, body = received.partition(b"\r\n\r\n")
    return int(head.split()[1]), json.loads(body)["code"]


@pytest.mark.holds("house.serving.slow-clients")
@pytest.mark.parametrize("sent", [HALF_A_HEAD, b"G", UPLOAD + b"PK"])
def test_half_a_request_is_ended_and_told_so(serve_with: Serve, sent: bytes) -> None:
    server = serve_with(head_seconds=0.2, body_seconds=0.2)
    assert told(all_of(connect(server.address, sent))) == (408, "too_slow")
    assert all_of(connect(server.address)) == b""  # who asks for nothing is told nothing


@pytest.mark.holds("house.serving.slow-clients")
@pytest.mark.parametrize("sent", [HALF_A_HEAD, UPLOAD])
def test_a_byte_now_and_then_is_not_enough(serve_with: Serve, sent: bytes) -> None:
    server = serve_with(head_seconds=0.3, body_seconds=0.3)
    connection = connect(server.address, sent)
    connection.settimeout(0.02)
    deadline = time.monotonic() + PATIENCE
    received = b""
    while not received:
        assert time.monotonic() < deadline, "the server never hung up on a dripping client"
        connection.send(b"x")
        try:
            received = connection.recv(65536)
        except TimeoutError:
            continue
    connection.close()
    assert told(received) == (408, "too_slow")


@pytest.mark.holds("house.serving.slow-clients")
def test_a_refused_upload_that_goes_on_for_ever_is_cut_off(serve_with: Serve) -> None:
    server = serve_with(head_seconds=0.3)
    refused = UPLOAD.replace(b"9000000", b"99000000000").replace(b"--b", b"")
    connection = connect(server.address, refused)
    assert connection.recv(65536).startswith(b"HTTP/1.1 413")
    with connection, pytest.raises((BrokenPipeError, ConnectionResetError)):
        drip(connection)


def drip(connection: socket.socket) -> None:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        connection.sendall(b"x")


@pytest.mark.holds("house.serving.slow-clients")
def test_an_answer_that_nobody_reads_is_not_kept(serve_with: Serve) -> None:
    server = serve_with(head_seconds=0.2, reading_seconds=0.2)
    reader = socket.socket()
    reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    reader.connect(("127.0.0.1", urlsplit(server.address).port))
    with reader:
        reader.sendall(b"GET /api/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n" * 30)
        deadline = time.monotonic() + PATIENCE
        while not server.server.server_state.connections:
            assert time.monotonic() < deadline, "the connection was never taken in"
        while server.server.server_state.connections:
            assert time.monotonic() < deadline, "the connection was kept for a client that does not read"
            time.sleep(0.01)


@pytest.mark.holds("house.serving.full-house")
def test_in_a_full_house_the_slowest_give_way_and_an_honest_client_is_served(serve_with: Serve) -> None:
    server = serve_with(most_connections=20)
    with ExitStack() as opened:
        slow = [opened.enter_context(connect(server.address, HALF_A_HEAD)) for _ in range(60)]
        for _ in range(5):
            assert httpx.get(f"{server.address}/api/health", timeout=PATIENCE).status_code == 200
        all_of(slow[0])  # comes to an end: it was hung up on
        assert len(server.server.server_state.connections) <= 20


@pytest.mark.holds("house.serving.full-house")
def test_watchers_keep_their_places_and_whoever_comes_then_is_told(serve_with: Serve) -> None:
    server = serve_with(most_connections=3)
    session_id = server.new_log()
    with ExitStack() as opened:
        watchers = [opened.enter_context(server.watch(session_id)) for _ in range(3)]
        received = all_of(connect(server.address, HALF_A_HEAD))
        assert told(received) == (503, "unavailable")
        assert b"retry-after" in received.lower()
        server.say(session_id, 1, 1)
        assert all("1" in str(watcher.recv(timeout=PATIENCE)) for watcher in watchers)


@pytest.mark.holds("house.serving.full-house")
def test_of_bodies_that_are_still_coming_the_oldest_gives_way(serve_with: Serve) -> None:
    server = serve_with(most_bodies=2)
    with ExitStack() as opened:
        first, *_ = [opened.enter_context(connect(server.address, UPLOAD)) for _ in range(3)]
        assert told(all_of(first)) == (408, "too_slow")


@pytest.mark.holds("house.serving.uploads-on-disk")
def test_an_upload_waits_on_disk_and_leaves_nothing_there(serve_with: Serve, tmp_path: Path) -> None:
    server = serve_with()
    before = open_files(tmp_path / "data")
    with connect(server.address, UPLOAD + b"PK" * 1_000_000):
        deadline = time.monotonic() + PATIENCE
        while not sum(size for _, size in open_files(tmp_path / "data") - before) > 1_900_000:
            assert time.monotonic() < deadline, "the upload never came to the disk"
            time.sleep(0.01)
        assert not [path for path in (tmp_path / "data").iterdir() if path.name.startswith("tmp")]
    while {name for name, _ in open_files(tmp_path / "data") - before if "deleted" in name}:
        assert time.monotonic() < deadline, "the file of a broken upload was kept"
        time.sleep(0.01)


def open_files(folder: Path) -> set[tuple[str, int]]:
    """Names and sizes of what this process holds open below a folder."""
    found = set()
    for entry in Path("/proc/self/fd").iterdir():
        try:
            if str(folder) in os.readlink(entry):
                found.add((os.readlink(entry), entry.stat().st_size))
        except OSError:
            continue
    return found


@pytest.mark.holds("house.serving.full-house", "house.serving.quiet-log")
def test_a_server_with_few_descriptors_outlives_more_half_requests_than_it_has(tmp_path: Path) -> None:
    """A real process with 128 descriptors, and 300 clients that never finish their request."""
    process = forked.Popen(
        [sys.executable, "-m", "loreweave.faces.cli.lore", "serve", "--port", "0", "--data", str(tmp_path)],
        stderr=subprocess.PIPE,
        env={**os.environ, "LORE_EMBEDDER": "none"},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (128, 128)),
        text=True,
    )
    assert process.stderr is not None
    with process, ExitStack() as opened:
        found = re.search(r"http://\S+", process.stderr.readline())
        assert found
        for _ in range(300):
            opened.enter_context(connect(found[0], HALF_A_HEAD))
        for _ in range(50):
            assert told(all_of(connect(found[0], b"GARBAGE\r\n\r\n"))) == (400, "invalid_input")
        for _ in range(5):
            assert httpx.get(f"{found[0]}/api/skillgraph/graphs", timeout=PATIENCE).status_code == 200
        process.send_signal(signal.SIGTERM)
        assert len(process.stderr.read()) < 1000
        assert process.wait(PATIENCE) == 0


@pytest.mark.holds("house.serving.quiet-log")
def test_running_out_of_descriptors_is_one_line_and_passes(serve_with: Serve, caplog) -> None:
    server = serve_with()
    own = len(os.listdir("/proc/self/fd"))
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    waiting = [socket.socket() for _ in range(20)]
    resource.setrlimit(resource.RLIMIT_NOFILE, (own + 21, limits[1]))
    try:
        for client in waiting:
            client.connect(("127.0.0.1", urlsplit(server.address).port))
        deadline = time.monotonic() + PATIENCE
        while not caplog.records:
            assert time.monotonic() < deadline, "nothing was said about the missing descriptors"
            time.sleep(0.01)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)
        for client in waiting:
            client.close()
    assert httpx.get(f"{server.address}/api/health", timeout=PATIENCE).status_code == 200
    assert [record.name for record in caplog.records] == ["loreweave.http"]
    assert caplog.records[0].exc_info is None
