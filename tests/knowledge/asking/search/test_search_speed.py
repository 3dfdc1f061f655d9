"""Search stays quick where there is much to search."""

from itertools import pairwise
from random import Random

import pytest
from tests.pace import within

from loreweave.entities.searched_section import SearchedSection
from loreweave.knowledge.asking.search.build_index import build_index
from loreweave.knowledge.asking.search.index_file import dump, load
from loreweave.knowledge.asking.search.section_index import SectionIndex
from loreweave.seams.embedding.open_embedder import open_embedder

SECTIONS = 25_000
EMBEDDER = open_embedder("static")


def generated() -> list[SearchedSection]:
    random = Random(7)
    syllables = [first + vowel for first in "bdfgklmnprstvz" for vowel in "aeiou"]
    vocabulary = ["".join(random.choices(syllables, k=random.randint(2, 4))) for _ in range(30_000)]

    def some(count: int) -> str:
        return " ".join(vocabulary[int(len(vocabulary) * random.random() ** 3)] for _ in range(count))

    return [
        SearchedSection(f"p{number // 8}#s{number}", f"p{number // 8}", some(2), some(3), (), (), some(24), "")
        for number in range(SECTIONS)
    ]


@pytest.fixture(scope="module")
def index() -> SectionIndex:
    return build_index(generated(), [], EMBEDDER)


def queries(index: SectionIndex) -> list[str]:
    words = index.arrays.words[:: len(index.arrays.words) // 25]
    plain = [f"{one} {other} of the {one}" for one, other in pairwise(words)]
    unfinished = [word[:2] for word in words]
    misspelt = [f"{word[:2]}{word[3:]}q {word[1:]}x" for word in words]
    return plain + unfinished + misspelt


@pytest.mark.holds("ask.search.speed")
def test_any_query_takes_a_few_milliseconds_in_25000_sections(index) -> None:
    asked = queries(index)
    assert sum(bool(index.search(query)) for query in asked) > len(asked) / 2
    within(0.006 * len(asked), lambda: [index.search(query) for query in asked])


@pytest.mark.holds("ask.search.speed", "ask.search.stored-index")
def test_a_stored_index_is_loaded_in_a_moment(index) -> None:
    stored = dump(index)
    loaded = within(0.2, lambda: load(stored, EMBEDDER))
    assert loaded.search(queries(index)[0]) == index.search(queries(index)[0])


@pytest.mark.holds("ask.search.speed")
def test_a_query_as_long_as_a_page_is_answered_too(index) -> None:
    text = " ".join(f"{word}x" for word in index.arrays.words[:400])[:2000]
    within(0.1, lambda: index.search(text))
