"""Watching a session: every watcher sees the whole log, once and in order, whatever the others do."""

import json
import socket
import struct
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from hypothesis import given
from hypothesis import settings as law
from hypothesis import strategies as some
from tests.examples import examples
from tests.faces.loopback import Loopback, frames, numbers, on_loopback
from tests.pace import PATIENCE, slowness
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from loreweave.application import open_application
from loreweave.contracts.session_events import SessionComplete
from loreweave.faces.http.serving import GOODBYE_SECONDS
from loreweave.settings import Settings

MANY = 5_000
HANDSHAKE = (
    "GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
EVENTS = 40  # of the log that the law is tried on


@pytest.fixture(scope="module")
def loopback(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Loopback]:
    settings = Settings(data_dir=tmp_path_factory.mktemp("data"), embedder="none")
    with closing(open_application(settings, start_method="forkserver")) as application, on_loopback(application) as it:
        yield it


@pytest.fixture(scope="module")
def told(loopback: Loopback) -> str:
    """A session of 40 events."""
    session_id = loopback.new_log()
    loopback.say(session_id, 2, EVENTS - 1)
    return session_id


def refusal(loopback: Loopback, path: str, **options: object) -> tuple[int, dict]:
    """How the server turns a WebSocket away."""
    with pytest.raises(InvalidStatus) as refused, connect(loopback.address.replace("http", "ws", 1) + path, **options):
        pass
    answer = refused.value.response
    assert answer.headers["content-type"] == "application/json"
    return answer.status_code, json.loads(answer.body)


@pytest.mark.holds("session.ws.since")
def test_without_a_number_a_watcher_sees_the_whole_log_and_then_what_comes(loopback: Loopback) -> None:
    session_id = loopback.new_log()
    loopback.say(session_id, 2, 9)
    with loopback.watch(session_id) as watcher:
        first = frames(watcher, 10)
        assert json.loads(first[0])["type"] == "session_started"
        loopback.say(session_id, 11, 5)
        assert numbers(first + frames(watcher, 5)) == list(range(1, 16))


@pytest.mark.holds("session.ws.since")
@law(max_examples=examples(40))
@given(since=some.integers(0, EVENTS + 5))
def test_since_gives_exactly_the_events_after_that_number(loopback: Loopback, told: str, since: int) -> None:
    address = f"{loopback.address}/api/sessions/{told}/events"
    whole = httpx.get(address).json()["events"]
    expected = whole[since:]
    with loopback.watch(told, since) as watcher:
        seen = [json.loads(frame) for frame in frames(watcher, len(expected))]
        assert seen == expected
        with pytest.raises(TimeoutError):
            watcher.recv(timeout=0)
    assert httpx.get(address, params={"since": since}).json() == {"events": expected, "last_seq": EVENTS}


@pytest.mark.holds("session.ws.equal-frames")
def test_late_and_double_watchers_get_frames_equal_to_the_byte(loopback: Loopback) -> None:
    session_id = loopback.new_log()
    with loopback.watch(session_id) as early, loopback.watch(session_id) as twin:
        loopback.say(session_id, 2, 99)
        with loopback.watch(session_id) as late:
            seen = [frames(watcher, 100) for watcher in (early, twin, late)]
    assert seen[0] == seen[1] == seen[2]
    assert numbers(seen[0]) == list(range(1, 101))


@pytest.mark.holds("session.ws.dropped")
def test_a_dropped_watcher_comes_back_with_its_last_number_and_misses_nothing(loopback: Loopback) -> None:
    session_id = loopback.new_log()
    loopback.say(session_id, 2, 49)
    seen: list[int] = []
    for part in range(5):
        with loopback.watch(session_id, seen[-1] if seen else 0) as watcher:
            seen += numbers(frames(watcher, 7))
            watcher.socket.shutdown(socket.SHUT_RDWR)  # the line breaks; nobody says goodbye
        loopback.say(session_id, 100 + part * 10, 10)
    with loopback.watch(session_id, seen[-1]) as watcher:
        seen += numbers(frames(watcher, 100 - len(seen)))
    assert seen == list(range(1, 101))


@pytest.mark.holds("session.ws.slow")
def test_a_watcher_that_does_not_read_delays_nobody_and_loses_nothing(loopback: Loopback) -> None:
    session_id = loopback.new_log()
    with loopback.watch_without_reading(session_id) as stuck, loopback.watch(session_id) as reading:
        seen: list[str] = []
        reader = threading.Thread(target=lambda: seen.extend(frames(reading, MANY + 1)))
        reader.start()
        loopback.say(session_id, 2, MANY, size=2_000)
        reader.join(PATIENCE)
        assert numbers(seen) == list(range(1, MANY + 2))
        held = [each.transport.get_write_buffer_size() for each in loopback.server.server_state.connections]
        assert max(held) > 0, "somebody is stuck"
        assert max(held) < 256 * 1024
        assert httpx.get(f"{loopback.address}/api/sessions/{session_id}").json()["last_seq"] == MANY + 1
        assert frames(stuck, MANY + 1) == seen


@pytest.mark.holds("session.ws.dropped")
def test_watchers_that_leave_in_the_middle_of_anything_trouble_nobody(
    loopback: Loopback, told: str, caplog: pytest.LogCaptureFixture
) -> None:
    port = urlsplit(loopback.address).port
    for path in (f"/ws/session/{told}", "/ws/session/nope", f"/ws/session/{told}?since=-1") * 15:
        with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as line:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # closing resets
            line.sendall(HANDSHAKE.format(path=path).encode())
    with loopback.watch(told, EVENTS - 1) as watcher:
        assert numbers(frames(watcher, 1)) == [EVENTS]
    assert caplog.text == ""


@pytest.mark.holds("session.ws.ignored")
def test_what_watchers_send_is_ignored(loopback: Loopback, told: str) -> None:
    before = httpx.get(f"{loopback.address}/api/sessions/{told}").json()
    with loopback.watch(told) as watcher:
        for message in ("{}", '{"type": "stop"}', "", b"\x00\xff", "x" * 60_000, '{"approved": true}'):
            watcher.send(message)
        assert numbers(frames(watcher, EVENTS)) == list(range(1, EVENTS + 1))
        watcher.ping().wait(PATIENCE)
    assert httpx.get(f"{loopback.address}/api/sessions/{told}").json() == before


@pytest.mark.holds("session.ws.ignored")
def test_a_watcher_that_sends_too_much_at_once_is_shown_out(loopback: Loopback, told: str) -> None:
    with loopback.watch(told) as watcher:
        frames(watcher, EVENTS)
        watcher.send("x" * 1_000_000)
        with pytest.raises(ConnectionClosed) as closed:
            watcher.recv(timeout=PATIENCE)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1009


@pytest.mark.holds("session.ws.stays-open")
def test_the_socket_stays_open_after_the_end_and_closes_when_the_session_is_deleted(loopback: Loopback) -> None:
    session_id = loopback.new_log()
    loopback.record(session_id, "end", SessionComplete(summary="Done", outcome="success"))
    with loopback.watch(session_id) as watcher:
        assert json.loads(frames(watcher, 2)[1])["type"] == "session_complete"
        watcher.ping().wait(PATIENCE)  # it still answers
        assert httpx.delete(f"{loopback.address}/api/sessions/{session_id}").status_code == 200
        with pytest.raises(ConnectionClosed) as closed:
            watcher.recv(timeout=PATIENCE)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1000
    assert refusal(loopback, f"/ws/session/{session_id}")[0] == 404


@pytest.mark.holds("session.ws.unknown")
@pytest.mark.parametrize(
    "session_id",
    ["nope", "00000000-0000-0000-0000-000000000000", "a" * 10_000, "%00", "..", "%2e%2e%2f", "%ff", "a%20b", "a/b", ""],
)
def test_an_unknown_session_is_404_before_the_upgrade(loopback: Loopback, session_id: str) -> None:
    status, shape = refusal(loopback, f"/ws/session/{session_id}")
    assert (status, shape["code"]) == (404, "not_found")
    assert len(shape["error"]) < 300


@pytest.mark.holds("session.ws.bad-since")
@pytest.mark.parametrize("since", ["-1", "1.0", "", "x", "1e3", "+1", "%201", "0x1", "%D9%A1", "null", "1&since=2"])
def test_a_since_that_is_no_whole_number_is_400(loopback: Loopback, told: str, since: str) -> None:
    status, shape = refusal(loopback, f"/ws/session/{told}?since={since}")
    assert (status, shape["code"], shape["field"]) == (400, "invalid_input", "since")
    answer = httpx.get(f"{loopback.address}/api/sessions/{told}/events?since={since}")
    assert (answer.status_code, answer.json()["field"]) == (400, "since")


@pytest.mark.holds("session.ws.bad-since")
def test_a_number_beyond_the_log_waits_for_it(loopback: Loopback) -> None:
    session_id = loopback.new_log()
    with loopback.watch(session_id, "9" * 4000) as never, loopback.watch(session_id, 3) as later:
        loopback.say(session_id, 2, 3)
        assert numbers(frames(later, 1)) == [4]
        with pytest.raises(TimeoutError):
            never.recv(timeout=0)


@pytest.mark.holds("session.ws.origin")
def test_foreign_origins_and_hosts_are_403(loopback: Loopback, told: str) -> None:
    path = f"/ws/session/{told}"
    for origin in ("http://evil.example", "null", loopback.address + ".evil.example", "http://127.0.0.1:1"):
        status, shape = refusal(loopback, path, origin=origin)
        assert (status, shape["code"], shape["field"]) == (403, "forbidden", "Origin")
    with loopback.watch(told, EVENTS - 1, origin=loopback.address) as own:
        assert numbers(frames(own, 1)) == [EVENTS]
    status, answer = shake_hands(loopback, path, host="evil.example")
    assert (status, answer["field"]) == (403, "Host")


@pytest.mark.holds("session.ws.refusals")
def test_other_addresses_and_half_handshakes_are_refused_in_the_one_shape(
    loopback: Loopback, told: str, caplog: pytest.LogCaptureFixture
) -> None:
    for path in ("/ws/other", "/api/health", "/", "/ws/session/" + told + "/more"):
        assert refusal(loopback, path) == (404, {"error": "There is nothing at this address", "code": "not_found"})
    assert refusal(loopback, f"/ws/session/{told}?token=secret")[1]["field"] == "token"
    path = f"/ws/session/{told}"
    for wrong in ({"key": "short"}, {"version": "8"}, {"method": "POST"}):
        status, shape = shake_hands(loopback, path, **wrong)
        assert status == (405 if "method" in wrong else 400)
        assert set(shape) >= {"error", "code"}
    assert httpx.get(loopback.address + path).json()["field"] == "Upgrade"
    assert caplog.text == ""


def shake_hands(
    loopback: Loopback,
    path: str,
    host: str = "127.0.0.1",
    key: str = "dGhlIHNhbXBsZSBub25jZQ==",
    version: str = "13",
    method: str = "GET",
) -> tuple[int, dict]:
    """A handshake by hand, with what no library would send."""
    headers = {"Host": host, "Connection": "Upgrade", "Upgrade": "websocket"}
    headers |= {"Sec-WebSocket-Key": key, "Sec-WebSocket-Version": version}
    answer = httpx.request(method, loopback.address + path, headers=headers, timeout=PATIENCE)
    return answer.status_code, answer.json()


@pytest.mark.holds("session.ws.tokens")
def test_a_token_is_asked_for_where_tokens_are_required(tmp_path: Path) -> None:
    page = "https://docs.example"
    settings = Settings(data_dir=tmp_path / "data", embedder="none", auth="required", cors_origins=(page,))
    with closing(open_application(settings, start_method="forkserver")) as application, on_loopback(application) as it:
        session_id = it.new_log()
        path = f"/ws/session/{session_id}"
        secret = application.access.create_token("mira").secret
        assert refusal(it, path)[0] == 401
        assert refusal(it, path + f"?token={secret}")[0] == 401
        for wrong in ("lore_x_y", secret[:-1]):
            assert refusal(it, path, additional_headers={"Authorization": f"Bearer {wrong}"})[0] == 401
            assert refusal(it, path, subprotocols=["loreweave", f"bearer.{wrong}"])[0] == 401
        with it.watch(session_id, additional_headers={"Authorization": f"Bearer {secret}"}) as watcher:
            assert numbers(frames(watcher, 1)) == [1]
        with it.watch(session_id, subprotocols=["loreweave", f"bearer.{secret}"], origin=page) as watcher:
            assert numbers(frames(watcher, 1)) == [1]
            assert watcher.subprotocol == "loreweave"  # the token is not sent back


@pytest.mark.holds("session.ws.shutdown")
def test_a_server_that_stops_says_so_and_waits_for_no_watcher(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path / "data", embedder="none")
    with closing(open_application(settings, start_method="forkserver")) as application, ExitStack() as watchers:
        with on_loopback(application) as it:
            session_id = it.new_log()
            watchers.enter_context(it.watch_without_reading(session_id))
            polite = watchers.enter_context(it.watch(session_id))
            it.say(session_id, 2, MANY, size=2_000)
            frames(polite, MANY + 1)
            began = time.monotonic()
        taken = time.monotonic() - began
        with pytest.raises(ConnectionClosed) as closed:
            polite.recv(timeout=PATIENCE)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1001
    assert taken < GOODBYE_SECONDS * slowness(time.monotonic)


@pytest.mark.holds("session.ws.slow")
def test_a_watcher_that_answers_no_ping_is_let_go_and_one_that_does_is_kept(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path / "data", embedder="none")
    with closing(open_application(settings, start_method="forkserver")) as application, on_loopback(application) as it:
        it.server.config.ws_ping_interval = it.server.config.ws_ping_timeout = 0.5 * slowness()
        session_id = it.new_log()
        it.say(session_id, 2, MANY, size=2_000)
        with it.watch(session_id, since=MANY + 1) as lively, it.watch_without_reading(session_id):
            deadline = time.monotonic() + PATIENCE
            while len(it.server.server_state.connections) > 1 and time.monotonic() < deadline:
                time.sleep(0.01)  # nothing tells the test that the server has let go
            assert len(it.server.server_state.connections) == 1
            it.say(session_id, 10_000, 1)
            assert numbers(frames(lively, 1)) == [MANY + 2]
