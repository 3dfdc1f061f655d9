import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import numpy
import pytest

from loreweave.errors import Unavailable
from loreweave.seams.embedding.openai_embedder import OpenAIEmbedder

KEY = "sk-very-secret-0123456789"


def vector_of(text: str) -> list[float]:
    return [float(len(text)), 1.0, 0.0]


def well_formed(body: dict[str, Any]) -> tuple[int, Any]:
    data = [
        {"object": "embedding", "index": index, "embedding": vector_of(text)}
        for index, text in enumerate(body["input"])
    ]
    usage = {"prompt_tokens": 1, "total_tokens": 1}
    return 200, {"object": "list", "data": data[::-1], "model": body["model"], "usage": usage}


class Provider:
    """A scripted server that speaks the provider's wire format and remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, dict[str, str], dict[str, Any]]] = []
        self.script: Callable[[dict[str, Any]], tuple[int, Any]] = well_formed
        self.silent = threading.Event()
        provider = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                provider.asked.append((self.path, dict(self.headers), body))
                status, answer = provider.script(body)
                payload = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(payload)))
                self.end_headers()
                self.wfile.write(payload)

            def log_message(self, *_: Any) -> None:
                pass

        class Server(ThreadingHTTPServer):
            def handle_error(self, *_: Any) -> None:
                """A client that went away is part of the timeout test."""

        self.server = Server(("127.0.0.1", 0), Handler)
        self.base_url = f"http://127.0.0.1:{self.server.server_port}/v1"

    def embedder(self, timeout_seconds: float = 20.0) -> OpenAIEmbedder:
        return OpenAIEmbedder(base_url=self.base_url + "/", api_key=KEY, model="tiny", timeout_seconds=timeout_seconds)


@pytest.fixture
def provider(monkeypatch: pytest.MonkeyPatch) -> Iterator[Provider]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    running = Provider()
    thread = threading.Thread(target=running.server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield running
    running.silent.set()
    running.server.shutdown()
    running.server.server_close()
    thread.join()


@pytest.mark.holds("house.embedding.openai")
def test_the_request_is_the_providers_own(provider: Provider) -> None:
    rows = provider.embedder().embed(["abc", "de"])
    [(path, headers, body)] = provider.asked
    assert path == "/v1/embeddings"
    assert headers["Authorization"] == f"Bearer {KEY}"
    assert headers["Content-Type"] == "application/json"
    assert body == {"model": "tiny", "input": ["abc", "de"], "encoding_format": "float"}
    expected = numpy.array([[3, 1, 0], [2, 1, 0]]) / numpy.sqrt([[10], [5]])
    assert rows.dtype == numpy.float32
    assert numpy.allclose(rows, expected)


def test_many_texts_are_sent_in_batches_and_come_back_in_order(provider: Provider) -> None:
    texts = ["x" * (1 + index % 50) for index in range(300)]
    rows = provider.embedder().embed(texts)
    assert [len(body["input"]) for _, _, body in provider.asked] == [128, 128, 44]
    expected = numpy.array([vector_of(text) for text in texts])
    assert numpy.allclose(rows, expected / numpy.linalg.norm(expected, axis=1, keepdims=True))


def test_a_blank_text_is_a_zero_row_and_is_not_sent(provider: Provider) -> None:
    rows = provider.embedder().embed(["", "abc", " \n"])
    assert provider.asked[0][2]["input"] == ["abc"]
    assert rows.any(axis=1).tolist() == [False, True, False]


def test_a_text_beyond_the_providers_limit_is_shortened(provider: Provider) -> None:
    provider.embedder().embed(["x" * 50_000])
    assert len(provider.asked[0][2]["input"][0]) == 8_000


def test_dimensions_are_asked_for_once(provider: Provider) -> None:
    embedder = provider.embedder()
    assert (embedder.dimensions, embedder.dimensions) == (3, 3)
    assert len(provider.asked) == 1


def test_pieces_of_all_texts_travel_together(provider: Provider) -> None:
    rows, offsets = provider.embedder().embed_pieces(["a " * 130, "", "b"])
    assert offsets.tolist() == [0, 3, 3, 4]
    assert rows.shape == (4, 3)
    assert len(provider.asked) == 1


def answering(status: int, answer: Any) -> Callable[[dict[str, Any]], tuple[int, Any]]:
    return lambda body: (status, answer)


ECHO = {"error": {"message": f"Incorrect API key provided: {KEY}"}}
FAULTS = {
    "401": (answering(401, ECHO), "refused the key"),
    "404": (answering(404, ECHO), "no such model"),
    "429": (answering(429, ECHO), "slow down"),
    "500": (answering(500, b"<html>" + KEY.encode()), "status 500"),
    "redirect": (answering(302, b""), "status 302"),
    "not json": (answering(200, b"<html>" + KEY.encode()), "unknown shape"),
    "not an object": (answering(200, [KEY]), "unknown shape"),
    "no data": (answering(200, {"data": []}), "unknown shape"),
    "data is null": (answering(200, {"data": None}), "unknown shape"),
    "too few": (answering(200, {"data": [{"index": 0, "embedding": [1, 2]}]}), "unknown shape"),
    "ragged": (
        answering(200, {"data": [{"index": 0, "embedding": [1, 2]}, {"index": 1, "embedding": [1]}]}),
        "unknown shape",
    ),
    "words": (
        answering(200, {"data": [{"index": 0, "embedding": ["a"]}, {"index": 1, "embedding": ["b"]}]}),
        "unknown shape",
    ),
    "not finite": (
        answering(200, b'{"data":[{"index":0,"embedding":[NaN]},{"index":1,"embedding":[1]}]}'),
        "unknown shape",
    ),
    "empty vectors": (
        answering(200, {"data": [{"index": 0, "embedding": []}, {"index": 1, "embedding": []}]}),
        "unknown shape",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_unavailable_and_never_shows_the_key(provider: Provider, fault: str) -> None:
    provider.script, expected = FAULTS[fault]
    embedder = provider.embedder()
    with pytest.raises(Unavailable, match=expected) as failure:
        embedder.embed(["abc", "de"])
    shown = repr(failure.value) + str(failure.value.shape()) + repr(failure.value.__cause__) + repr(embedder)
    assert KEY not in shown
    assert failure.value.facts["setting"] == "LORE_EMBEDDER"


def test_a_provider_that_does_not_answer_in_time_is_unavailable(provider: Provider) -> None:
    def wait(body: dict[str, Any]) -> tuple[int, Any]:
        provider.silent.wait(20)
        return well_formed(body)

    provider.script = wait
    with pytest.raises(Unavailable, match="did not answer within"):
        provider.embedder(timeout_seconds=0.2).embed(["abc"])


def test_a_provider_that_is_not_there_is_unavailable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    embedder = OpenAIEmbedder(base_url="http://127.0.0.1:1/v1", api_key=KEY, model="tiny")
    with pytest.raises(Unavailable, match="could not be reached"):
        embedder.embed(["abc"])


@pytest.mark.parametrize("key", ["line\nbreak", "\x00"])
def test_a_key_no_header_can_carry_is_not_shown_either(provider: Provider, key: str) -> None:
    embedder = OpenAIEmbedder(base_url=provider.base_url, api_key=key, model="tiny")
    with pytest.raises(Unavailable) as failure:
        embedder.embed(["abc"])
    assert key not in str(failure.value.shape())


def test_vectors_of_changing_length_are_refused(provider: Provider) -> None:
    embedder = provider.embedder()
    embedder.embed(["abc"])
    provider.script = answering(200, {"data": [{"index": 0, "embedding": [1, 2]}]})
    with pytest.raises(Unavailable, match="changing length"):
        embedder.embed(["abc"])
