"""A scripted language model on loopback that speaks the providers' real wire formats.

`POST …/v1/messages` is Anthropic's, `POST …/chat/completions` OpenAI's; both answer streamed or whole, as asked.
Each request takes the next of the scripted turns. What was asked is kept with headers and body.
"""

import json
import socket
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal

import pytest
from tests.pace import PATIENCE

Fault = Literal["error frame", "end without stop", "stop reason without stop", "reset", "stall"]


@dataclass(frozen=True)
class Turn:
    """What the model says once: pieces of text, calls of tools as (name, arguments), or a refusal or fault."""

    pieces: tuple[str, ...] = ()
    calls: tuple[tuple[str, dict[str, Any]], ...] = ()
    stop: str = ""  # Anthropic's word; empty: end_turn, or tool_use where tools are called
    status: int = 200
    fault: Fault | None = None  # what happens after the pieces
    raw_arguments: str | None = None  # sent instead of the JSON of every call
    before: threading.Event | None = None  # awaited before anything is sent
    between: threading.Event | None = None  # awaited after the first piece

    @property
    def reason(self) -> str:
        return self.stop or ("tool_use" if self.calls else "end_turn")


def say(*pieces: str, **more: Any) -> Turn:
    return Turn(pieces=pieces, **more)


def call(*calls: tuple[str, dict[str, Any]], **more: Any) -> Turn:
    return Turn(calls=calls, **more)


def search(query: str) -> tuple[str, dict[str, Any]]:
    return ("search_sections", {"query": query})


def open_section(identity: str) -> tuple[str, dict[str, Any]]:
    return ("open_section", {"id": identity})


@dataclass
class Asked:
    """One request as it arrived; header names in lower case. `gone` is set once the client has closed it."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]
    gone: threading.Event = field(default_factory=threading.Event)

    @property
    def tools(self) -> list[str]:
        return [tool.get("name") or tool["function"]["name"] for tool in self.body.get("tools", [])]

    @property
    def text(self) -> str:
        """Everything but the system prompt, as one text."""
        return json.dumps([each for each in self.body["messages"] if each["role"] != "system"], ensure_ascii=False)


@dataclass
class ModelServer:
    """Turns are taken in order; a function is given the request and chooses. Too few turns is a 500."""

    base_url: str = ""
    turns: list[Turn | Callable[[Asked], Turn]] = field(default_factory=list)
    asked: list[Asked] = field(default_factory=list)
    arrived: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))
    closing: threading.Event = field(default_factory=threading.Event)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def script(self, *turns: Turn | Callable[[Asked], Turn]) -> None:
        self.turns = list(turns)

    @property
    def openai_url(self) -> str:
        return self.base_url + "/v1"

    def take(self, asked: Asked) -> Turn:
        with self.lock:
            self.asked.append(asked)
            turn = self.turns.pop(0) if self.turns else Turn(status=500)
        self.arrived.release()
        return turn if isinstance(turn, Turn) else turn(asked)


class ClientGone(Exception):
    """The client closed the connection."""


def _anthropic_frames(turn: Turn, model: str) -> Iterator[bytes]:
    def frame(kind: str, **data: Any) -> bytes:
        return f"event: {kind}\ndata: {json.dumps({'type': kind, **data})}\n\n".encode()

    usage = {"input_tokens": 11, "output_tokens": 1}
    message = {"id": "msg_1", "type": "message", "role": "assistant", "model": model, "content": []}
    yield frame("message_start", message={**message, "stop_reason": None, "stop_sequence": None, "usage": usage})
    yield frame("ping")
    index = 0
    if turn.pieces:
        yield frame("content_block_start", index=index, content_block={"type": "text", "text": ""})
        for piece in turn.pieces:
            yield frame("content_block_delta", index=index, delta={"type": "text_delta", "text": piece})
        if turn.fault not in (None, "stop reason without stop"):
            if turn.fault == "error frame":
                error = {"type": "overloaded_error", "message": "Overloaded: upstream-words"}
                yield frame("error", error=error)
            return
        yield frame("content_block_stop", index=index)
        index += 1
    elif turn.fault not in (None, "stop reason without stop"):
        return
    for place, (name, arguments) in enumerate(turn.calls):
        block = {"type": "tool_use", "id": f"toolu_{index}_{place}", "name": name, "input": {}}
        yield frame("content_block_start", index=index, content_block=block)
        written = turn.raw_arguments if turn.raw_arguments is not None else json.dumps(arguments)
        yield frame("content_block_delta", index=index, delta={"type": "input_json_delta", "partial_json": written})
        yield frame("content_block_stop", index=index)
        index += 1
    delta = {"stop_reason": turn.reason, "stop_sequence": None}
    yield frame("message_delta", delta=delta, usage={"output_tokens": 7})
    if turn.fault is None:
        yield frame("message_stop")


def _anthropic_whole(turn: Turn, model: str) -> dict[str, Any]:
    content: list[dict[str, Any]] = [{"type": "text", "text": "".join(turn.pieces)}] if turn.pieces else []
    for place, (name, arguments) in enumerate(turn.calls):
        content.append({"type": "tool_use", "id": f"toolu_{place}", "name": name, "input": arguments})
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": content,
        "stop_reason": turn.reason,
        "stop_sequence": None,
        "usage": {"input_tokens": 11, "output_tokens": 7},
    }


_OPENAI_REASONS = {"end_turn": "stop", "tool_use": "tool_calls", "max_tokens": "length"}


def _openai_calls(turn: Turn) -> list[dict[str, Any]]:
    return [
        {
            "id": f"call_{place}",
            "type": "function",
            "function": {"name": name, "arguments": turn.raw_arguments or json.dumps(arguments)},
        }
        for place, (name, arguments) in enumerate(turn.calls)
    ]


def _openai_frames(turn: Turn, model: str) -> Iterator[bytes]:
    def frame(delta: dict[str, Any], reason: str | None = None) -> bytes:
        choice = {"index": 0, "delta": delta, "finish_reason": reason}
        chunk = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": model, "choices": [choice]}
        return f"data: {json.dumps(chunk)}\n\n".encode()

    yield frame({"role": "assistant", "content": ""})
    for piece in turn.pieces:
        yield frame({"content": piece})
    if turn.fault == "error frame":
        yield b'data: {"error": {"message": "upstream-words", "type": "server_error", "code": "server_error"}}\n\n'
    if turn.fault is not None:
        return
    for place, found in enumerate(_openai_calls(turn)):
        yield frame({"tool_calls": [{"index": place, **found}]})
    yield frame({}, _OPENAI_REASONS.get(turn.reason, turn.reason))
    yield b"data: [DONE]\n\n"


def _openai_whole(turn: Turn, model: str) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": "".join(turn.pieces) or None}
    if turn.calls:
        message["tool_calls"] = _openai_calls(turn)
    choice = {"index": 0, "message": message, "finish_reason": _OPENAI_REASONS.get(turn.reason, turn.reason)}
    usage = {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}
    return {
        "id": "c1",
        "object": "chat.completion",
        "created": 1,
        "model": model,
        "choices": [choice],
        "usage": usage,
    }


def _error_body(status: int, key: str) -> dict[str, Any]:
    """Providers quote the key that they refuse."""
    kinds = {401: "authentication_error", 404: "not_found_error", 429: "rate_limit_error", 529: "overloaded_error"}
    kind = kinds.get(status, "api_error")
    return {"type": "error", "error": {"type": kind, "message": f"upstream-words about {key}"}}


def _handler(server: ModelServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            asked = Asked(self.path, {name.lower(): value for name, value in self.headers.items()}, body)
            turn = server.take(asked)
            try:
                self._answer(turn, asked)
            except (ClientGone, OSError):
                asked.gone.set()
                self.close_connection = True

        def _answer(self, turn: Turn, asked: Asked) -> None:
            if turn.before is not None:
                self._await(turn.before, asked)
            if turn.fault == "reset" and not turn.pieces:
                return self._reset()
            if turn.fault == "stall" and not turn.pieces:
                return self._stall(asked)
            anthropic = self.path.endswith("/v1/messages")
            if turn.status != 200:
                key = asked.headers.get("x-api-key") or asked.headers.get("authorization", "")
                return self._whole(turn.status, _error_body(turn.status, key))
            model = str(asked.body["model"])
            if asked.body.get("stream"):
                return self._stream(turn, asked, (_anthropic_frames if anthropic else _openai_frames)(turn, model))
            return self._whole(200, (_anthropic_whole if anthropic else _openai_whole)(turn, model))

        def _whole(self, status: int, answer: dict[str, Any]) -> None:
            payload = json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(payload)))
            self.end_headers()
            self.wfile.write(payload)

        def _stream(self, turn: Turn, asked: Asked, frames: Iterator[bytes]) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            waited = False
            for frame in frames:
                self.wfile.write(f"{len(frame):x}\r\n".encode() + frame + b"\r\n")
                self.wfile.flush()
                if turn.between is not None and not waited and (b"text_delta" in frame or b'"content": "' in frame):
                    waited = b'"content": ""' not in frame
                    if waited:
                        self._await(turn.between, asked)
            if turn.fault == "reset":
                return self._reset()
            if turn.fault == "stall":
                return self._stall(asked)
            self.wfile.write(b"0\r\n\r\n")
            self.wfile.flush()
            return None

        def _reset(self) -> None:
            """Closes with unsent linger zero, which the other side sees as a reset."""
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.close_connection = True
            self.connection.close()

        def _stall(self, asked: Asked) -> None:
            self._await(server.closing, asked)

        def _await(self, event: threading.Event, asked: Asked) -> None:
            """Waits for the event, and says so when the client goes away meanwhile."""
            self.connection.settimeout(0.02)
            try:
                for _ in range(int(PATIENCE / 0.02)):
                    if event.is_set() or server.closing.is_set():
                        return
                    try:
                        if self.connection.recv(1, socket.MSG_PEEK) == b"":
                            raise ClientGone
                    except TimeoutError:
                        continue
            finally:
                self.connection.settimeout(None)

        def finish(self) -> None:
            with suppress(OSError):
                super().finish()

        def log_message(self, *_: Any) -> None:
            pass

    return Handler


class _Quiet(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_: Any) -> None:
        """Clients that go away are part of the tests."""


@contextmanager
def running_model_server() -> Iterator[ModelServer]:
    """A server of one's own, for as long as the block lasts."""
    server = ModelServer()
    listening = _Quiet(("127.0.0.1", 0), _handler(server))
    server.base_url = f"http://127.0.0.1:{listening.server_port}"
    thread = threading.Thread(target=listening.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server
    finally:
        server.closing.set()
        listening.shutdown()
        listening.server_close()
        thread.join()


@pytest.fixture
def model_server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with running_model_server() as server:
        yield server


def closed_port() -> int:
    """A port on which nobody listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
