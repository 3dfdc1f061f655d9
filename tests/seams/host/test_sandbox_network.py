"""A command that may use the network reaches the world by a proxy, and neither this computer nor its neighbours."""

import json
import os
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.pace import PATIENCE
from tests.seams.host.command_runs import python, survivors

from loreweave.seams.host.guard_network import is_public
from loreweave.seams.host.sandbox import Sandbox

# Asks the proxy as programs do; what comes back is printed.
ASK = """
import os, socket, sys
host, _, port = os.environ["http_proxy"].removeprefix("http://").partition(":")
for request in sys.argv[1:]:
    with socket.create_connection((host, int(port))) as line:
        line.sendall(request.encode().replace(b"|", b"\\r\\n"))
        line.shutdown(socket.SHUT_WR)
        with line.makefile("rb") as answer:
            print(answer.read().split(b"\\r\\n")[0].decode())
"""


class Told(BaseHTTPRequestHandler):
    """Tells who asked for what."""

    asked: list[str]

    def do_GET(self) -> None:
        self.asked.append(self.path)
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"the open server")

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def open_server() -> Iterator[tuple[int, list[str]]]:
    """Like the product's own, it answers whoever is on this computer."""
    told = type("Told", (Told,), {"asked": []})
    with ThreadingHTTPServer(("127.0.0.1", 0), told) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server.server_address[1], told.asked
        server.shutdown()
        thread.join()


NAMES = [
    *("127.0.0.1", "localhost", "127.1", "2130706433", "0x7f.1", "0177.0.0.1", "0.0.0.0", "0", "[::1]", "[::]"),
    *("[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "127.255.255.254", "user:pass@127.0.0.1", "localhost."),
]


@pytest.mark.holds("session.host.guarded-network")
def test_no_spelling_of_this_computer_is_reached(
    walls: Sandbox, tmp_path: Path, open_server: tuple[int, list[str]]
) -> None:
    port, asked = open_server
    requests = [f"GET http://{name}:{port}/secret HTTP/1.1|Host: x||" for name in NAMES]
    requests += [f"CONNECT {name}:{port} HTTP/1.1||GET /secret HTTP/1.1||" for name in NAMES]
    result = python(walls, tmp_path, ASK, *requests, network=True, seconds=PATIENCE)
    assert len(result.output.splitlines()) == len(requests)
    assert {line.split()[1] for line in result.output.splitlines()} <= {"403", "502"}
    assert asked == []


@pytest.mark.holds("session.host.guarded-network")
def test_an_address_of_this_computers_own_network_card_is_not_reached(walls: Sandbox, tmp_path: Path) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            pytest.skip("this computer has no network card with an address")
        own = probe.getsockname()[0]
    with socket.create_server((own, 0)) as listener:
        listener.setblocking(False)
        request = f"CONNECT {own}:{listener.getsockname()[1]} HTTP/1.1||"
        assert python(walls, tmp_path, ASK, request, network=True).output == "HTTP/1.1 403 Forbidden\n"
        with pytest.raises(BlockingIOError):
            listener.accept()


@pytest.mark.holds("session.host.guarded-network")
@pytest.mark.parametrize(
    "request_",
    ["hello||", "GET / HTTP/1.1||", "CONNECT HTTP/1.1||", "GET ftp://x/ HTTP/1.1||", "GET http://x:y/ HTTP/1.1||"],
)
def test_what_is_no_request_is_refused(walls: Sandbox, tmp_path: Path, request_: str) -> None:
    assert python(walls, tmp_path, ASK, request_, network=True).output == "HTTP/1.1 400 Bad Request\n"


@pytest.mark.holds("session.host.guarded-network")
def test_a_command_with_a_network_is_a_command_like_others(walls: Sandbox, tmp_path: Path, unguessable: str) -> None:
    code = "import json, os, sys; print(json.dumps([os.getcwd(), sys.argv[1:], os.listdir('/proc/self/fd')]))"
    result = python(walls, tmp_path, code, unguessable, "a b", network=True)
    where, arguments, descriptors = json.loads(result.output)
    assert (where, arguments) == ("/workspace", [unguessable, "a b"])
    assert len(descriptors) <= 4  # the three that all have, and the one that lists them
    assert survivors(unguessable) == []


# Runs in a network of its own, in which an address of the world leads to a server beside it.
WORLD = """
import asyncio, http.server, subprocess, sys, threading
from pathlib import Path
from tests.seams.host.test_sandbox_network import ASK, Told
from loreweave.seams.host.open_sandbox import open_sandbox
from loreweave.seams.host.sandbox import Command
for words in ("link set lo up", "route add local 93.184.215.0/24 dev lo src 127.0.0.1"):
    subprocess.run(["ip", *words.split()], check=True)
Told.asked = []
server = http.server.ThreadingHTTPServer(("93.184.215.14", 80), Told)
threading.Thread(target=server.serve_forever, daemon=True).start()
fetch = "import urllib.request; print(urllib.request.urlopen(sys.argv[1]).read())".replace("import", "import sys,", 1)
tunnel = "CONNECT 93.184.215.14:80 HTTP/1.1||GET /tunnel HTTP/1.0||"
for argv in (("-c", fetch, "http://93.184.215.14/page?a=b"), ("-c", ASK, tunnel)):
    command = Command((sys.executable, *argv), Path(sys.argv[1]), network=True)
    print(asyncio.run(open_sandbox("required").run(command)).output, end="")
print(Told.asked)
"""


@pytest.mark.holds("session.host.guarded-network")
def test_the_world_is_reached(walls: Sandbox, tmp_path: Path) -> None:
    if os.getuid() != 0 or not shutil.which("unshare") or not shutil.which("ip"):
        pytest.skip("making a network of its own needs root, unshare and ip")
    told = subprocess.run(
        ["unshare", "--net", sys.executable, "-c", WORLD, str(tmp_path)],
        capture_output=True, text=True, timeout=PATIENCE, cwd=Path(__file__).parents[3],
    )  # fmt: skip
    assert told.stdout.splitlines() == [
        "b'the open server'",
        "HTTP/1.1 200 Connection established",
        "['/page?a=b', '/tunnel']",
    ], told.stderr


PRIVATE = [
    *("127.0.0.1", "0.0.0.0", "10.1.2.3", "172.16.0.1", "172.31.255.255", "192.168.1.1", "169.254.169.254"),
    *("100.64.0.1", "224.0.0.1", "239.255.255.250", "255.255.255.255", "240.0.0.1", "192.0.2.1", "198.18.0.1"),
    *("::1", "::", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "fe80::1", "fe80::1%eth0", "fc00::1", "fd12::1", "ff02::1"),
    *("64:ff9b::7f00:1", "2002:7f00:1::1", "2001:0:7f00:1::1", "::127.0.0.1", "2001:db8::1", "100::1", "fec0::1"),
]


@pytest.mark.holds("session.host.guarded-network")
def test_which_addresses_belong_to_the_world() -> None:
    assert [address for address in PRIVATE if is_public(address)] == []
    for address in ("93.184.215.14", "1.1.1.1", "172.32.0.1", "2606:4700::1111", "::ffff:1.1.1.1"):
        assert is_public(address)


@pytest.mark.holds("session.host.guarded-network")
@given(st.ip_addresses(v=4, network="10.0.0.0/8") | st.ip_addresses(v=4, network="127.0.0.0/8"))
@example("169.254.1.1")
def test_no_wrapping_makes_a_private_address_public(address: object) -> None:
    parts = [int(part) for part in str(address).split(".")]
    wrapped = "{:02x}{:02x}:{:02x}{:02x}".format(*parts)
    for spelling in ("{a}", "::ffff:{a}", "::ffff:{w}", "::{w}", "64:ff9b::{w}", "2002:{w}::1", "2001:0:{w}::"):
        assert not is_public(spelling.format(a=address, w=wrapped))
