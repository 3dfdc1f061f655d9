"""A digest after any chain of edits is the digest that is put together at once, and so is what a search finds in it."""

from random import Random

import pytest
from tests.examples import DEEP

from loreweave.contracts.skill_graph import PageSettings
from loreweave.entities.digest import Distilled, GlossaryTerm, PageRecord
from loreweave.index.build_index import build_index
from loreweave.index.index_arrays import dump
from loreweave.knowledge.digest.assemble_digest import DigestAssembly, assemble
from loreweave.knowledge.digest.digest_file import digest_bytes
from loreweave.knowledge.digest.opened_digest import index_digest, searched_sections
from loreweave.knowledge.documents.page_record import record_page

PATHS = ["index.md", "readme.md", "a.md", "a/index.md", "a/b.mdx", "a b.md", "guide/start.md", "guide/index.md", "c.md"]
NAMES = ["Widget", "Gadget", "Write Ahead Log (WAL)", "Cache", "Index"]


class Corpus:
    """Documents that come, go, change and are renamed, and what is written about them."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.records: dict[str, PageRecord] = {}
        self.distilled = Distilled()
        self.settings = PageSettings()

    def page(self, path: str) -> PageRecord:
        choose = self.random.choice
        parts = [f"# {choose(NAMES)} page\n\nA {choose(NAMES)} is here.\n"] if self.random.random() < 0.8 else [""]
        for number in range(self.random.randrange(4)):
            link = (
                f"[text]({choose(PATHS)}#part-{self.random.randrange(4)}) [[{choose(NAMES)} page]] [out](https://x.y)"
            )
            parts.append(f"## Part {number}\n\n**{choose(NAMES)}** is a thing. See {link}, [own](#part-0).\n")
        if self.random.random() < 0.2:
            parts.insert(0, "---\ngroup: api\n---\n")
        return record_page(path, "\n".join(parts), self.settings)

    def edit(self, present: DigestAssembly) -> None:
        kind, path = self.random.randrange(6), self.random.choice(PATHS)
        if kind in (0, 1) or not self.records:
            self.records[path] = self.page(path)
        elif kind == 2:
            self.records.pop(path, None)
        elif kind == 3:
            old = self.random.choice(sorted(self.records))
            self.records[path] = self.records.pop(old)
        elif kind == 4:
            sections = present.digest.sections
            chosen = self.random.sample(sections, k=min(2, len(sections)))
            summaries = {section.id: (section.hash, f"Written {section.id}.") for section in chosen}
            self.distilled = Distilled(summaries=summaries, context=self.random.choice([None, "Said."]))
        else:
            term = GlossaryTerm(self.random.choice(NAMES), ("alias",), "Given.", given=True)
            self.distilled = Distilled(glossary=(term,), summaries=self.distilled.summaries)

    def assembled(self, before: DigestAssembly | None = None) -> DigestAssembly:
        return assemble(dict(self.records), self.settings, self.distilled, before)


@pytest.mark.holds("ask.digest.incremental-equals-fresh", "ask.search.edited-index")
@pytest.mark.parametrize("seed", range(8 if DEEP else 3))
def test_any_chain_of_edits_gives_the_digest_and_the_index_that_are_made_at_once(seed: int) -> None:
    corpus = Corpus(seed)
    present = corpus.assembled()
    built = build_index(searched_sections(present.digest), None)
    for _ in range(30):
        for _ in range(corpus.random.randrange(1, 3)):
            corpus.edit(present)
        present, whole = corpus.assembled(present), corpus.assembled()
        assert present.digest == whole.digest
        assert digest_bytes(present.digest) == digest_bytes(whole.digest)
        built = build_index(searched_sections(present.digest), None, built)
        assert dump(built) == dump(index_digest(whole.digest, None).arrays)


@pytest.mark.holds("ask.digest.incremental-equals-fresh")
def test_pages_that_stay_the_same_are_not_made_again() -> None:
    corpus = Corpus(1)
    corpus.records = {path: corpus.page(path) for path in PATHS}
    first = corpus.assembled()
    corpus.records["c.md"] = corpus.page("c.md")
    second = corpus.assembled(first)
    same = [old.page.path for old, new in zip(first.parts, second.parts, strict=True) if old is new]
    assert sorted(same) == sorted(path for path in PATHS if path != "c.md")


@pytest.mark.holds("ask.digest.incremental-equals-fresh")
def test_other_settings_make_everything_anew() -> None:
    corpus = Corpus(2)
    corpus.records = {path: corpus.page(path) for path in PATHS}
    first = corpus.assembled()
    corpus.settings = PageSettings(basePath="/elsewhere/")
    assert corpus.assembled(first).digest == corpus.assembled().digest
