"""An index that several processes had a hand in is the index that one process makes, to the byte."""

from collections.abc import Callable, Iterable
from contextlib import closing
from random import Random
from typing import Any

from loreweave.entities.digest import SearchedSection
from loreweave.index.build_index import build_index
from loreweave.index.bulk_work import NoteReaders
from loreweave.index.index_arrays import dump
from loreweave.index.nearness import PART_CHARACTERS
from loreweave.knowledge.packs.section_index import SectionIndex
from loreweave.seams.embedding.open_embedder import open_embedder

WORDS = ["install", "cache", "--no-cache", "maxRetries", "数据库", "café", "server", "latency", "of", "the"]
LENGTH = 20_000  # characters of a section


def large_site() -> list[SearchedSection]:
    """More than two parts of text, and a section without any."""
    random = Random(5)
    texts = [" ".join(random.choices(WORDS, k=LENGTH // 5)) for _ in range(2 * PART_CHARACTERS // LENGTH + 3)]
    return [
        SearchedSection(f"p#s{number}", "p", "", f"Part {number}" if text else "", (), (), text, "")
        for number, text in enumerate([*texts, ""])
    ]


def test_a_large_index_is_the_same_whoever_made_its_vectors() -> None:
    sections, embedder = large_site(), open_embedder("static")
    shared = []

    with closing(NoteReaders("fork")) as readers:

        def run(work: Callable[[Any], Any], parts: Iterable[Any]) -> Iterable[Any]:
            shared.extend(parts)
            return readers.run(work, parts, len)

        index = build_index(sections, embedder, run=run)
    assert len(shared) > 2
    assert dump(index.arrays) == dump(build_index(sections, embedder).arrays)


def test_a_small_index_asks_nobody_for_help() -> None:
    def refuse(work: Callable[[Any], Any], parts: Iterable[Any]) -> Iterable[Any]:
        raise AssertionError("there is too little to share")

    index = build_index(large_site()[-3:], open_embedder("static"), run=refuse)
    assert SectionIndex(index.arrays, None).search("latency")
