"""The index of a graph in the store: written where it is worth it, and gone on from by whoever opens the graph next."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from tests.pace import PATIENCE

from loreweave.application import Application
from loreweave.knowledge.asking.digest_library import DigestLibrary
from loreweave.knowledge.asking.index_digest import index_digest
from loreweave.knowledge.asking.search.index_file import dump, load
from loreweave.seams.embedding.embedder import Embedder
from loreweave.seams.embedding.openai_embedder import OpenAIEmbedder
from loreweave.seams.storage import ask_shelf

PAGES = 60


def _lay(folder: Path, number: int, more: str = "") -> None:
    folder.mkdir(exist_ok=True)
    text = f"# Page {number}\n\nWords of page {number}.\n\n## Part\n\nMore about w{number}x. {more}\n"
    (folder / f"page{number}.md").write_text(text, encoding="utf-8")


class Reader:
    """A graph of some pages; each library stands for a process of its own."""

    def __init__(self, application: Application, folder: Path) -> None:
        self.application = application
        self.folder = folder
        for number in range(PAGES):
            _lay(folder, number)
        self.ingest()

    def ingest(self) -> None:
        self.application.graphs.ingest_folder(self.folder, name="g")

    def library(self, embedder: Embedder | None = None) -> DigestLibrary:
        return DigestLibrary(self.application.store, lambda: embedder)

    def stored(self) -> bytes | None:
        with self.application.store.read() as connection:
            found = ask_shelf.find_index(connection, self.library().open("g").row.key)  # type: ignore[union-attr]
        return found[1] if found else None


@pytest.fixture
def reader(application: Application, tmp_path: Path) -> Reader:
    return Reader(application, tmp_path / "docs")


def _whole(opened: Any, embedder: Embedder | None = None) -> bytes:
    return dump(index_digest(opened.plain, embedder).index)


@pytest.mark.holds("ask.search.stored-index", "ask.search.edited-index")
def test_after_few_edits_a_new_process_brings_the_stored_index_up_to_date(reader: Reader) -> None:
    server = reader.library()
    first = dump(server.open("g").index)
    assert reader.stored() == first
    _lay(reader.folder, 7, "Unheard of.")
    reader.ingest()
    edited = server.open("g")
    assert dump(edited.index) == _whole(edited) != first
    assert reader.stored() == first  # not worth writing all of it
    again = reader.library().open("g")
    assert dump(again.index) == dump(edited.index)
    assert again.sections[again.index.search("unheard")[0].section].id == "page7#part"


@pytest.mark.holds("ask.search.stored-index", "ask.search.edited-index")
def test_after_many_edits_the_index_is_stored_anew(reader: Reader) -> None:
    server = reader.library()
    server.open("g").index.search("words")
    for number in range(0, PAGES, 4):
        _lay(reader.folder, number, "Edited.")
        reader.ingest()
        opened = server.open("g")
        assert dump(opened.index) == _whole(opened)
    stored = reader.stored()
    assert stored is not None
    assert load(stored).search("edited")


@pytest.mark.holds("ask.search.stored-index")
def test_an_index_of_another_version_is_built_anew(reader: Reader) -> None:
    opened = reader.library().open("g")
    with reader.application.store.write() as connection:
        ask_shelf.keep_index(connection, opened.row.key, "old", b"of another time")  # type: ignore[union-attr]
    assert dump(opened.index) == _whole(opened) == reader.stored()


class Provider:
    """A scripted provider of vectors: away at times, and it remembers how many texts it was sent."""

    def __init__(self) -> None:
        self.away = False
        self.asked: list[int] = []
        provider = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                texts = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["input"]
                vectors = [[float(len(text) % 7 + 1), float(text.count("a")), 1.0] for text in texts]
                data = [{"index": index, "embedding": vector} for index, vector in enumerate(vectors)]
                payload = json.dumps({"data": data}).encode()
                if not provider.away:
                    provider.asked.append(len(texts))
                self.send_response(500 if provider.away else 200)
                self.send_header("Content-Length", str(len(payload)))
                self.end_headers()
                self.wfile.write(payload)

            def log_message(self, *_: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)


@pytest.fixture
def provider(monkeypatch: pytest.MonkeyPatch) -> Iterator[Provider]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    running = Provider()
    thread = threading.Thread(target=running.server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield running
    running.server.shutdown()
    running.server.server_close()
    thread.join()


@pytest.mark.holds("ask.search.edited-index")
def test_vectors_survive_an_edit_while_the_embedder_is_away(reader: Reader, provider: Provider) -> None:
    address = f"http://127.0.0.1:{provider.server.server_port}/v1"
    embedder = OpenAIEmbedder(base_url=address, api_key="key", model="tiny", timeout_seconds=PATIENCE)
    server = reader.library(embedder)
    assert server.open("g").index.arrays.embedder == embedder.identity
    provider.asked.clear()
    provider.away = True
    _lay(reader.folder, 7, "Unheard of.")
    reader.ingest()
    assert server.open("g").index.search("unheard")
    provider.away = False
    _lay(reader.folder, 8, "Unheard of, too.")
    reader.ingest()
    opened = server.open("g")
    assert opened.index.arrays.embedder == embedder.identity
    assert provider.asked == [2]  # of the edited pages the one section that changed
    assert dump(opened.index) == _whole(opened, embedder)
