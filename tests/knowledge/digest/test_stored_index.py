"""The index of a graph in its file: made at ingest, mapped by whoever asks next, made anew where it is gone."""

import json
import random
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from tests.pace import PATIENCE

from loreweave.application import Application
from loreweave.contracts.ask import AskRequest
from loreweave.contracts.skill_graph import ContextRequest, SearchRequest
from loreweave.index.index_arrays import dump
from loreweave.knowledge.digest.digest_library import DigestLibrary
from loreweave.knowledge.packs.index_library import IndexLibrary
from loreweave.seams.embedding.embedder import Embedder
from loreweave.seams.embedding.openai_embedder import OpenAIEmbedder

PAGES = 30


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

    def library(
        self, embedder: Embedder | None = None, place: str = "indexes", tick: Callable[[], float] = lambda: 0.0
    ) -> DigestLibrary:
        indexes, store = self.application.settings.data_dir / place, self.application.store
        return DigestLibrary(store, IndexLibrary(store, indexes, lambda: embedder, tick=tick))

    def files(self, place: str = "indexes") -> list[Path]:
        return sorted((self.application.settings.data_dir / place).glob("*"))


@pytest.fixture
def reader(application: Application, tmp_path: Path) -> Reader:
    return Reader(application, tmp_path / "docs")


@pytest.mark.holds("retrieval.index.spoilt")
@pytest.mark.parametrize("place", [0, 0.3, 0.5, 0.7, 0.9, 1], ids=str)
def test_a_file_that_is_not_as_it_was_written_is_made_anew(reader: Reader, place: float) -> None:
    """One byte of it: by what a disk spoils, searches would find something else or nothing, or fail for ever."""
    [made] = reader.files()
    whole = made.read_bytes()
    spoilt = bytearray(whole)
    spoilt[int(place * (len(whole) - 1))] ^= 0x40
    made.write_bytes(spoilt)
    opened = reader.library(reader.application.embedder).open("g")
    assert opened.searcher.search("w7x", 1)[0].id == "page7#part"
    assert made.read_bytes() == whole


@pytest.mark.holds("retrieval.index.spoilt")
def test_no_later_revision_is_built_on_a_spoilt_file(reader: Reader) -> None:
    [made] = reader.files()
    made.write_bytes(made.read_bytes().replace(b"More about w20x", b"More about w2\0x"))
    _lay(reader.folder, 3, "Newer.")
    reader.ingest()
    [edited] = reader.files()
    reader.library(reader.application.embedder, "anew").open("g")
    [fresh] = reader.files("anew")
    assert edited.read_bytes() == fresh.read_bytes()


@pytest.mark.holds("retrieval.index.at-ingest", "ask.search.stored-index")
def test_an_ingest_leaves_one_file_that_the_next_process_maps(reader: Reader) -> None:
    [made] = reader.files()
    assert made.stat().st_mode & 0o077 == 0
    before = made.stat().st_mtime_ns
    opened = reader.library(reader.application.embedder).open("g")
    assert opened.searcher.search("w7x", 1)[0].id == "page7#part"
    assert reader.files() == [made]
    assert made.stat().st_mtime_ns == before


@pytest.mark.holds("retrieval.index.at-ingest", "ask.search.stored-index", "ask.search.edited-index")
def test_an_edit_gives_the_index_that_is_made_at_once_and_takes_the_old_file_along(reader: Reader) -> None:
    [first] = reader.files()
    for number in (7, 8):
        _lay(reader.folder, number, "Unheard of.")
        reader.ingest()
        [second] = reader.files()
        assert second != first
        first = second
        opened = reader.library(reader.application.embedder).open("g")
        anew = reader.library(reader.application.embedder, f"anew{number}").open("g")
        assert dump(opened.searcher.index.arrays) == dump(anew.searcher.index.arrays)
        assert len(opened.searcher.search("unheard", 6)) == number - 6


@pytest.mark.holds("retrieval.index.at-ingest", "ask.search.stored-index")
@pytest.mark.parametrize("damage", [b"", b"of another time", None])
def test_an_index_that_is_gone_or_of_another_version_is_made_anew(reader: Reader, damage: bytes | None) -> None:
    [made] = reader.files()
    whole = made.read_bytes()
    if damage is None:
        made.unlink()
    else:
        made.write_bytes(damage)
    assert reader.library(reader.application.embedder).open("g").searcher.search("w7x", 6)
    assert made.read_bytes() == whole


@pytest.mark.holds("retrieval.index.at-ingest")
def test_what_was_erased_leaves_the_files(reader: Reader) -> None:
    _lay(reader.folder, 3, "Zanzibar.")
    reader.ingest()
    assert any(b"zanzibar" in file.read_bytes() for file in reader.files())
    _lay(reader.folder, 3)
    reader.ingest()
    assert not any(b"zanzibar" in file.read_bytes() for file in reader.files())
    reader.application.graphs.delete("g")
    assert reader.files() == []


@pytest.mark.holds("retrieval.index.at-ingest")
def test_what_a_killed_writer_left_is_taken_away_by_the_next(reader: Reader) -> None:
    left = reader.application.settings.data_dir / "indexes" / "half.unfinished"
    left.write_bytes(b"zanzibar")
    _lay(reader.folder, 3, "More.")
    reader.ingest()
    assert left not in reader.files()
    assert len(reader.files()) == 1


@pytest.mark.holds("retrieval.index.at-ingest")
def test_a_folder_that_cannot_be_written_costs_no_answer(reader: Reader) -> None:
    place = reader.application.settings.data_dir / "closed"
    place.write_text("no folder", encoding="utf-8")
    assert reader.library(reader.application.embedder, "closed").open("g").searcher.search("w7x", 6)


@pytest.mark.lengthy(3)
@pytest.mark.holds("retrieval.ranking.agree")
@pytest.mark.parametrize("query", ["w7x", "words of page 12", "more about", "Page 3"])
def test_a_pack_and_a_search_have_the_same_page_first(reader: Reader, query: str) -> None:
    opened = reader.application.digest_library.open("g")
    found = opened.section(opened.searcher.search(query, 6)[0].id).path
    request = ContextRequest(graphId="g", query=query)
    first = reader.application.retrieval.context(request).contextPack.nodes[0].id
    assert first == "skill:" + found.removesuffix(".md")
    listed = reader.application.retrieval.search(SearchRequest(graphId="g", query=query)).results
    assert listed[0].id == first


@pytest.mark.holds("retrieval.ranking.agree")
def test_all_three_agree_whatever_is_asked(reader: Reader) -> None:
    chance = random.Random(3)
    words = [f"{one}{two}" for one in ("ba", "ko", "li", "mu", "re") for two in ("dar", "fin", "gol", "pex", "tun")]
    for number in range(30):
        parts = [f"## {chance.choice(words)} {chance.choice(words)}\n\n{' '.join(chance.choices(words, k=40))}.\n"]
        parts += [f"## {chance.choice(words)}\n\n{' '.join(chance.choices(words, k=25))}.\n"] * (number % 3)
        (reader.folder / f"some-{number}.md").write_text(f"# {chance.choice(words)}\n\n" + "\n".join(parts))
    reader.ingest()
    opened = reader.application.digest_library.open("g")
    for count in (1, 2, 3, 5, 8) * 6:
        query = " ".join(chance.choices(words, k=count))
        found = opened.section(opened.searcher.search(query, 6)[0].id).path
        pack = reader.application.retrieval.context(ContextRequest(graphId="g", query=query)).contextPack
        listed = reader.application.retrieval.search(SearchRequest(graphId="g", query=query)).results
        assert pack.nodes[0].id == listed[0].id == "skill:" + found.removesuffix(".md"), query


@pytest.mark.holds("retrieval.ranking.agree")
def test_an_answer_that_was_kept_is_gone_with_its_revision(reader: Reader) -> None:
    asked = AskRequest(query="quokkas")
    assert reader.application.asking.search(asked, "g") == reader.application.asking.search(asked, "g")
    assert reader.application.asking.search(asked, "g").results == []
    (reader.folder / "new.md").write_text("# New\n\nQuokkas smile.\n", encoding="utf-8")
    reader.ingest()
    assert [found.id for found in reader.application.asking.search(asked, "g").results] == ["new"]
    (reader.folder / "new.md").unlink()
    reader.ingest()
    assert reader.application.asking.search(asked, "g").results == []


@pytest.mark.holds("retrieval.ranking.agree")
def test_they_agree_where_the_best_passage_is_larger_than_the_pack(reader: Reader) -> None:
    table = "\n".join(f"| zanzibar metric {number} | a label |" for number in range(200))
    text = f"# Reference\n\nRead from top to bottom.\n\n## List\n\n| zanzibar | label |\n|---|---|\n{table}\n"
    (reader.folder / "metrics.md").write_text(text, encoding="utf-8")
    other = "# Other\n\nA zanzibar metric with a label, then more of other things that nobody asked for.\n"
    (reader.folder / "other.md").write_text(other, encoding="utf-8")
    reader.ingest()
    query = "zanzibar metric labels"
    searcher = reader.application.digest_library.open("g").searcher
    assert [found.id for found in searcher.search(query, 2)] == ["metrics#list", "other"]
    request = ContextRequest(graphId="g", query=query, tokenBudget=500)
    nodes = reader.application.retrieval.context(request).contextPack.nodes
    assert [node.id for node in nodes] == ["skill:metrics", "skill:other"]
    assert "top to bottom" in nodes[0].content
    assert "metric 7" not in nodes[0].content


@pytest.mark.holds("retrieval.ranking.agree")
def test_they_agree_where_the_best_passage_fits_without_its_headings_alone(reader: Reader) -> None:
    table = "\n".join(f"| zanzibar metric {number} | a label |" for number in range(40))
    above = "# Reference\n\nRead from top to bottom.\n\n## List of all of them"
    text = f"{above}\n\n| zanzibar | label |\n|---|---|\n{table}\n"
    (reader.folder / "metrics.md").write_text(text, encoding="utf-8")
    (reader.folder / "other.md").write_text("# Other\n\nA zanzibar metric with a label.\n", encoding="utf-8")
    reader.ingest()
    has_table = []
    for budget in range(640, 690):
        request = ContextRequest(graphId="g", query="zanzibar metric labels", tokenBudget=budget)
        nodes = reader.application.retrieval.context(request).contextPack.nodes
        assert nodes[0].id == "skill:metrics", budget
        has_table.append("metric 7" in nodes[0].content)
    assert has_table == sorted(has_table)
    assert set(has_table) == {False, True}


@pytest.mark.holds("retrieval.ranking.agree")
def test_they_agree_on_notes_that_differ_less_than_a_score_shows(reader: Reader) -> None:
    text = "zanzibar " + " ".join(f"u{number}" for number in range(8000))
    (reader.folder / "alder.md").write_text(f"# Alder\n\n## Quokkas\n\n{text} more.\n", encoding="utf-8")
    (reader.folder / "birch.md").write_text(f"# Birch\n\n## Quokkas\n\n{text}.\n", encoding="utf-8")
    reader.ingest()
    found = [section.id for section in reader.application.digest_library.open("g").searcher.search("zanzibar", 2)]
    listed = reader.application.retrieval.search(SearchRequest(graphId="g", query="zanzibar", limit=2)).results
    assert listed[0].score == listed[1].score
    assert found == ["birch#quokkas", "alder#quokkas"]
    assert [node.id for node in listed] == ["skill:birch", "skill:alder"]


@pytest.mark.holds("retrieval.index.cold-search")
def test_a_search_says_of_sections_what_their_digest_says(reader: Reader) -> None:
    pages = {
        "guide/index.md": "---\ngroup: Start here\n---\n\nHow to begin.\n\n## Words of advice\n\nMore words.\n",
        "guide.md": "# Guide to words\n\nWords.\n\n### Deep words\n\nWords below.\n",
        "page1#2.mdx": "# Words % ?\n\n## Same\n\nWords.\n\n## Same\n\nMore words.\n",
        "untitled words.markdown": "More words without a title.\n",
        "words.md": "# Words\n",
    }
    for path, text in pages.items():
        (reader.folder / path).parent.mkdir(exist_ok=True)
        (reader.folder / path).write_text(text, encoding="utf-8")
    reader.ingest()
    library = reader.library(reader.application.embedder)
    searcher = library.searcher("g")
    assert searcher is not None
    found = [result for query in ("words", "more", "same") for result in searcher.search(query, 50)]
    assert len({result.id for result in found}) > 50
    assert {result.title for result in found} > {"Guide", "Guide to words", "Words % ?", "untitled words"}
    opened = library.open("g")
    for result in found:
        section = opened.section(result.id)
        said = (section.title, section.heading, section.group, section.url)
        assert (result.title, result.heading, result.group, result.url) == said


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
    server = reader.library(embedder, "remote")
    assert server.open("g").searcher.index.arrays.embedder == embedder.identity
    provider.asked.clear()
    provider.away = True
    _lay(reader.folder, 7, "Unheard of.")
    reader.ingest()
    assert server.open("g").searcher.search("unheard", 6)
    provider.away = False
    _lay(reader.folder, 8, "Unheard of, too.")
    reader.ingest()
    opened = server.open("g")
    assert opened.searcher.index.arrays.embedder == embedder.identity
    assert provider.asked == [2]  # of the edited pages the one section that changed
    assert dump(opened.searcher.index.arrays) == dump(reader.library(embedder, "anew").open("g").searcher.index.arrays)


@pytest.mark.holds("ask.search.edited-index")
@pytest.mark.parametrize("by_digest", [False, True], ids=["search", "opened digest"])
def test_an_embedder_that_is_back_is_used_without_a_new_revision(
    reader: Reader, provider: Provider, by_digest: bool
) -> None:
    address = f"http://127.0.0.1:{provider.server.server_port}/v1"
    embedder = OpenAIEmbedder(base_url=address, api_key="key", model="tiny", timeout_seconds=PATIENCE)
    seconds = 0.0
    server = reader.library(embedder, "late", lambda: seconds)

    def has_meaning() -> bool:
        searcher = server.open("g").searcher if by_digest else server.searcher("g")
        return searcher.index.arrays.embedder != ""

    provider.away = True
    assert not has_meaning()
    seconds = 1.5
    assert not has_meaning()  # asked once more, in vain
    provider.away = False
    seconds = 3.0
    assert not has_meaning()  # the pause grew
    assert provider.asked == []
    seconds = 4.0
    assert has_meaning()
    asked = list(provider.asked)
    seconds = 1000.0
    assert has_meaning()
    assert provider.asked == asked
