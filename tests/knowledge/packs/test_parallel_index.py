"""An index that several processes had a hand in, part by part, is the index that is made at once, to the byte."""

from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest

from loreweave.application import Application
from loreweave.bulk_work import NoteReaders
from loreweave.contracts.skill_graph import PageSettings
from loreweave.index.build_index import build_index, page_sections
from loreweave.index.index_arrays import dump
from loreweave.knowledge.documents.page_record import record_page
from loreweave.knowledge.graph.graph_library import require_graph
from loreweave.knowledge.packs import index_library, note_pages
from loreweave.knowledge.packs.index_library import IndexLibrary, PassageIndex

WORDS = ["install", "cache", "--no-cache", "maxRetries", "数据库", "café", "server", "latency", "of", "the", "`x`"]
PAGES = 40


def lay(folder: Path, number: int, seed: int) -> None:
    random = Random(f"{number} {seed}")
    texts = [f"## Part {part}\n\n{' '.join(random.choices(WORDS, k=60))}\n" for part in range(random.randrange(4))]
    head = "" if number % 7 else f"**Page cache{number}** (PC{number}): a term that is defined here.\n\n"
    folder.mkdir(exist_ok=True)
    text = f"# Page {number}\n\n{head}See [[page{random.randrange(PAGES)}]].\n\n" + "\n".join(texts)
    (folder / f"page{number}.md").write_text(text if number % 11 else "", encoding="utf-8")


class Made:
    """Indexes of one graph, made in folders of their own."""

    def __init__(self, application: Application, notes: Path) -> None:
        self.application = application
        self.notes = notes

    def index(self, place: str, run: Callable[..., Any] = map) -> tuple[PassageIndex, bytes]:
        self.application.graphs.ingest_folder(self.notes, name="g")
        store, folder = self.application.store, self.application.settings.data_dir / place
        library = IndexLibrary(store, folder, lambda: self.application.embedder, run)
        with store.read() as connection:
            found = library.open(connection, require_graph(connection, "g"))
        [file] = folder.glob("*")
        return found, file.read_bytes()


@pytest.fixture
def made(application: Application, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Made:
    monkeypatch.setattr(index_library, "PART_BYTES", 3000)
    for number in range(PAGES):
        lay(tmp_path / "notes", number, 0)
    return Made(application, tmp_path / "notes")


@pytest.mark.lengthy
@pytest.mark.holds("ask.search.edited-index", "retrieval.index.bounded")
def test_an_index_is_the_same_whoever_made_its_parts(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    shared = []
    with closing(NoteReaders("fork")) as readers:

        def run(work: Callable[[Any], Any], parts: Iterable[Any]) -> Iterable[Any]:
            shared.append(work)
            return readers.run(work, parts, lambda part: 1_000_000)

        index, data = made.index("shared", run)
    assert note_pages.index_pages in shared
    monkeypatch.setattr(index_library, "PART_BYTES", 1_000_000)
    assert made.index("alone")[1] == data
    assert index.named
    assert index.bare
    sources = made.application.graphs.source_files("g")
    sections = []
    for path in sorted(sources):
        links = [line.removesuffix(".") + "." for line in sources[path].splitlines() if line.startswith("See")]
        sections += page_sections(path, record_page(path, sources[path], PageSettings()), tuple(links))
    whole = build_index(sections, made.application.embedder)
    assert dump(index.arrays) == dump(whole)


@pytest.mark.lengthy(2)
@pytest.mark.holds("ask.search.edited-index", "retrieval.index.bounded")
@pytest.mark.parametrize("edit", ["changed", "gone", "new", "all"])
def test_an_edited_index_of_parts_is_the_one_that_is_made_at_once(made: Made, edit: str) -> None:
    made.index("edited")
    if edit == "changed":
        for number in (0, 7, 8, 39):
            lay(made.notes, number, 1)
    elif edit == "gone":
        for number in (0, 11, 12, 39):
            (made.notes / f"page{number}.md").unlink()
    elif edit == "new":
        for number in (40, 41, 400):
            lay(made.notes, number, 1)
    else:
        for number in range(PAGES):
            lay(made.notes, number, 1)
    edited, data = made.index("edited")
    anew, whole = made.index("anew")
    assert data == whole
    assert edited.stamps == anew.stamps
