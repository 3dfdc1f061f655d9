"""An index after any chain of edits is the index that is built of the sections at once, to the byte."""

from dataclasses import replace
from random import Random

import pytest
from tests.examples import DEEP

from loreweave.entities.digest import SearchedNote, SearchedSection
from loreweave.index.build_index import build_index
from loreweave.index.index_arrays import IndexArrays, dump, load
from loreweave.knowledge.packs.section_index import SectionIndex
from loreweave.seams.embedding.embedder import Embedder
from loreweave.seams.embedding.open_embedder import open_embedder

WORDS = [
    *("installing", "installed", "install", "cafe", "café", "数据库", "--no-cache", "--cache", "HEV_TOKEN_FILE", "c++"),
    *("maxRetries", "search.limit", "<table>", "the", "of", "server", "client", "token", "latency", "latencies"),
]
QUERIES = ["install", "cafe", "数据", "--no-cache", "hev_token_file", "latenci", "srever", "write ahead log", "the of"]


class Site:
    """Sections that come, go, change and move."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.sections: list[SearchedSection] = []

    def some(self, most: int) -> str:
        made = [f"word{self.random.randrange(200)}" for _ in range(self.random.randrange(most))]
        return " ".join([*made, *self.random.choices(WORDS, k=self.random.randrange(4))])

    def section(self) -> SearchedSection:
        page = f"page{self.random.randrange(12)}"
        heading = self.random.choice([None, self.some(4)])
        identity = f"{page}#{self.random.randrange(10_000)}" if heading else page
        literals = tuple(self.some(3) for _ in range(self.random.randrange(3)))
        return SearchedSection(identity, page, f"Title {page}", heading, (), literals, self.some(30), self.some(5))

    def edit(self) -> None:
        kind = self.random.randrange(7)
        place = self.random.randrange(len(self.sections)) if self.sections else 0
        if kind == 0 or not self.sections:
            self.sections[place:place] = [self.section() for _ in range(self.random.randrange(1, 5))]
        elif kind == 1:
            del self.sections[place : place + self.random.randrange(1, 4)]
        elif kind == 2:
            self.sections[place] = replace(self.sections[place], text=self.some(30), terms=(self.some(2),))
        elif kind == 3:  # a page is renamed
            old, new = self.sections[place].page, f"page{self.random.randrange(12, 30)}"
            self.sections = [replace(one, id=one.id.replace(old, new), page=new) if one.page == old else one
                             for one in self.sections]  # fmt: skip
        elif kind == 4:  # a section is cut into passages, or no longer
            texts = tuple(self.some(6) for _ in range(self.random.randrange(4)))
            self.sections[place] = replace(
                self.sections[place], passages=texts, sizes=(7,) * len(texts), deeper=tuple(text[:9] for text in texts)
            )
        elif kind == 5:  # a note is called and links otherwise
            names, tags, said = (tuple(self.some(3) for _ in range(self.random.randrange(3))) for _ in range(3))
            self.sections[place] = replace(self.sections[place], note=SearchedNote(self.some(3), names, tags, said))
        else:
            self.sections[place] = replace(self.sections[place], heading=self.some(4), summary=self.some(9))

    def built(self, embedder: Embedder | None, before: IndexArrays | None = None) -> IndexArrays:
        return build_index(self.sections, embedder, before=before)


@pytest.mark.holds("ask.search.edited-index")
@pytest.mark.parametrize("kind", ["none", "static"])
@pytest.mark.parametrize("seed", range(6 if DEEP else 1))
def test_any_chain_of_edits_gives_the_index_that_is_built_at_once(seed: int, kind: str) -> None:
    embedder = open_embedder(kind)
    site = Site(seed)
    for _ in range(5):
        site.edit()
    index = site.built(embedder)
    for number in range(24):
        for _ in range(site.random.randrange(1, 4)):
            site.edit()
        before = load(dump(index)) if number % 3 else index  # from the store as well as in memory
        index = site.built(embedder, before)
        whole = site.built(embedder)
        assert dump(index) == dump(whole)
        one, other = (SectionIndex(found, embedder) for found in (index, whole))
        assert [one.search(query) for query in QUERIES] == [other.search(query) for query in QUERIES]


@pytest.mark.holds("ask.search.edited-index")
def test_sections_of_one_id_in_another_order_are_no_trouble(section) -> None:
    first, second = section("a", "one word"), section("a", "another word")
    index = build_index([first, second, first], None)
    for sections in ([second, first], [first, first, first], [second], [first, second, section("b", "more")]):
        index = build_index(sections, None, before=index)
        assert dump(index) == dump(build_index(sections, None))


@pytest.mark.holds("ask.search.edited-index")
def test_what_is_gone_is_no_longer_known(section) -> None:
    index = build_index([section("a", "installing zebras"), section("b", "installed lions")], None)
    index = build_index([section("b", "installed lions")], None, before=index)
    ranker = SectionIndex(index, None)
    assert ranker.search("zebras") == []
    assert "installing" not in index.words
    assert ranker.search("install")[0].snippet == "installed lions"


@pytest.mark.holds("ask.search.edited-index")
def test_an_index_of_another_embedder_is_not_built_on(section) -> None:
    sections = [section("a", "The cat sat on the mat."), section("b", "Lions are large cats.")]
    embedder = open_embedder("static")
    words_only, whole = build_index(sections, None), build_index(sections, embedder)
    assert dump(build_index(sections, embedder, before=words_only)) == dump(whole)
    assert dump(build_index(sections, None, before=whole)) == dump(words_only)
