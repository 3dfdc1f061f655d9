"""Visitors of a shown page that mean harm: strange paths and hosts, half requests, readers who do not read."""

import os
import socket
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from tests.pace import PATIENCE

from loreweave.seams.host import preview_server
from loreweave.seams.host.confined_folder import ConfinedFolder
from loreweave.seams.host.preview_server import AT_ONCE, PreviewServer

pytestmark = pytest.mark.holds("build.deploy.visitors")

SESSION = "one"
LARGE = 64 * 1024 * 1024
PAGE = b"<!doctype html><title>It</title>"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "page"
    (folder / "inner" / ".hidden").mkdir(parents=True)
    (tmp_path / "secret.txt").write_text("secret")
    (folder / "inner" / ".hidden" / "secret.txt").write_text("secret")
    (folder / "index.html").write_bytes(PAGE)
    (folder / "inner" / "up").symlink_to("../..")
    (folder / "secret").symlink_to(tmp_path / "secret.txt")
    os.mkfifo(folder / "pipe")
    return folder


@pytest.fixture
def address(folder: Path) -> Iterator[tuple[str, int]]:
    server = PreviewServer()
    url = urlsplit(server.show(SESSION, ConfinedFolder(folder), "."))
    assert url.hostname is not None
    assert url.port is not None
    yield url.hostname, url.port
    server.close()


def asked(address: tuple[str, int], target: str, host: str | None = "127.0.0.1:1", *more: str) -> tuple[int, bytes]:
    """The status and the body; 0 where nothing was answered."""
    lines = [f"GET {target} HTTP/1.1", *([f"Host: {host}"] if host is not None else []), *more, "", ""]
    with closing(socket.create_connection(address, timeout=PATIENCE)) as line:
        line.sendall("\r\n".join(lines).encode("latin-1"))
        with line.makefile("rb") as stream:
            answer = stream.read()
    head, _, body = answer.partition(b"\r\n\r\n")
    return (int(head.split()[1]), body) if head else (0, b"")


@pytest.mark.parametrize(
    "target",
    [
        *(
            "/one/../secret.txt",
            "/one/%2e%2e/secret.txt",
            "/one/%2e%2e%2fsecret.txt",
            "/one/inner/..%2f..%2fsecret.txt",
        ),
        *("/one/%252e%252e/secret.txt", "/one/inner/up/secret.txt", "/one/inner/%2ehidden/secret.txt", "/one/secret"),
        *("/one//etc/passwd", "/one/%2fetc%2fpasswd", "/one/workspace/../secret.txt", "/one/inner/", "/one/inner"),
        *("/one/pipe", "/one/a%00b", "/one/" + "x" * 300, "/one/" + "x/" * 5_000, "/one/%ff%fe", "/one/\xff"),
        *("/", "//", "/two/", "*", "http://[/", "http://evil.example/one/", "//evil.example/one/", "/one\\..\\secret"),
    ],
)
def test_no_path_leads_out_of_the_page(address: tuple[str, int], target: str) -> None:
    status, body = asked(address, target)
    assert 400 <= status < 500
    assert b"secret" not in body
    assert asked(address, "/one/") == (200, PAGE)


@pytest.mark.parametrize("host", [None, "", "evil.example", "127.0.0.1.evil.example:80", "evil.example:127.0.0.1", "0"])
def test_a_name_that_was_made_to_lead_here_is_answered_nothing(address: tuple[str, int], host: str | None) -> None:
    assert asked(address, "/one/", host) == (403, b"")


def test_headers_without_end_are_refused_and_a_range_is_answered_with_the_whole(address: tuple[str, int]) -> None:
    many = [f"X-{number}: {number}" for number in range(500)]
    assert asked(address, "/one/", "127.0.0.1", *many)[0] == 431
    assert asked(address, "/one/", "127.0.0.1", "X: " + "x" * 60_000) == (200, PAGE)
    assert asked(address, "/one/", "127.0.0.1", "Range: bytes=0-0,1-,-5") == (200, PAGE)


def test_who_sends_a_request_byte_by_byte_keeps_nobody_out(
    address: tuple[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(preview_server, "SECONDS", 1.0)
    slow = [socket.create_connection(address, timeout=PATIENCE) for _ in range(AT_ONCE)]
    over = threading.Event()

    def trickle() -> None:
        """Each byte comes well before anyone loses patience with the next."""
        while not over.wait(0.1):
            for line in slow:
                try:
                    line.send(b"G")
                except OSError:
                    continue

    sender = threading.Thread(target=trickle)
    sender.start()
    try:
        for line in slow:
            line.settimeout(20.0)
            assert _rest(line) is not None, "it is still held open"
        assert asked(address, "/one/") == (200, PAGE)
    finally:
        over.set()
        sender.join()
        for line in slow:
            line.close()


def _rest(line: socket.socket) -> bytes | None:
    """What the other side sent before it ended the connection; nothing where it does not."""
    try:
        return line.recv(65_536)
    except TimeoutError:
        return None
    except OSError:
        return b""


def test_readers_who_do_not_read_cost_no_memory(address: tuple[str, int], folder: Path) -> None:
    with open(folder / "large.bin", "wb") as large:
        large.truncate(LARGE)
    before = _memory()
    readers = []
    for _ in range(8):
        line = socket.create_connection(address, timeout=PATIENCE)
        line.sendall(b"GET /one/large.bin HTTP/1.0\r\nHost: localhost\r\n\r\n")
        assert line.recv(12) == b"HTTP/1.0 200"
        readers.append(line)
    assert _memory() - before < LARGE
    with readers[0].makefile("rb") as stream:
        assert len(stream.read().partition(b"\r\n\r\n")[2]) == LARGE
    for line in readers:
        line.close()


def _memory() -> int:
    """Bytes of this process that are in memory."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
