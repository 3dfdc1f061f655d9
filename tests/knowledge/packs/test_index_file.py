"""An index as bytes."""

import os
import subprocess
import sys

import pytest
from tests.indexed_sections import indexed

from loreweave.index.build_index import build_index
from loreweave.index.index_arrays import dump, load
from loreweave.knowledge.packs.section_index import SectionIndex
from loreweave.seams.embedding.open_embedder import open_embedder

SCRIPT = """
import hashlib
from loreweave.entities.digest import SearchedSection
from loreweave.index.build_index import build_index
from loreweave.index.index_arrays import dump
from loreweave.knowledge.packs.section_index import SectionIndex
sections = [SearchedSection(f"p{n}", f"p{n}", "Title", None, (), ("--flag", "MAX_SIZE"), f"word{n} shared " * n, "")
            for n in range(40)]
arrays = build_index(sections, None)
print(hashlib.sha256(dump(arrays)).hexdigest(), SectionIndex(arrays, None).search("shared wrod7"))
"""


@pytest.mark.holds("ask.search.stored-index")
@pytest.mark.parametrize("kind", ["static", "none"])
def test_an_index_read_back_answers_alike(section, kind) -> None:
    embedder = open_embedder(kind)
    sections = [section("a", "Die Brücke 数据 --no-cache", heading="Überblick"), section("b", "The WAL grows.")]
    names = [("Write Ahead Log", "WAL")]
    index = indexed(sections, embedder, names)
    again = SectionIndex(load(memoryview(dump(index.arrays))), embedder, names)
    assert dump(again.arrays) == dump(index.arrays)
    for query in ("brucke", "数据", "--no-cache", "write ahead log", "grws", "gro"):
        assert again.search(query) == index.search(query)


@pytest.mark.holds("ask.search.stored-index")
def test_an_empty_index_is_stored_too(section) -> None:
    index = load(dump(indexed([], open_embedder("static")).arrays))
    assert SectionIndex(index, None).search("anything") == []
    filled = SectionIndex(load(dump(indexed([section("a")]).arrays)), None)
    assert filled.search("guide")[0].snippet == "Guide"


@pytest.mark.holds("ask.search.stored-index")
def test_bytes_of_another_version_are_refused() -> None:
    with pytest.raises(ValueError):
        load(b"lore-sections-0\n" + bytes(100))


@pytest.mark.holds("ask.search.results")
def test_the_order_is_the_same_in_every_process() -> None:
    answers = set()
    for seed in ("0", "1", "77"):
        done = subprocess.run(
            [sys.executable, "-c", SCRIPT],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            text=True,
        )
        answers.add(done.stdout)
    assert len(answers) == 1
    assert "SectionHit" in answers.pop()


@pytest.mark.holds("ask.search.stored-index")
def test_an_index_of_other_arrays_is_refused() -> None:
    data = dump(build_index([], None))
    assert b'"keys"' in data
    with pytest.raises(ValueError):
        load(data.replace(b'"keys"', b'"yeks"', 1))
