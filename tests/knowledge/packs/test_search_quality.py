"""How well the ranking answers questions about documents that nobody tuned it on: the product's own."""

from pathlib import Path

import pytest
from tests.benchmarks.ask_quality import Quality, ask_all, quality, ranks
from tests.benchmarks.ask_questions import read_site
from tests.indexed_sections import indexed

DOCUMENTS = Path(__file__).parents[3] / "docs"


@pytest.fixture(scope="module")
def qualities() -> dict[str, Quality]:
    site = read_site(DOCUMENTS)
    index = indexed(site.sections)
    found = ask_all(lambda text: [hit.section for hit in index.search(text)], site.questions)
    placed = list(zip(site.questions, ranks(site, site.questions, found), strict=True))
    kinds = {question.kind for question in site.questions}
    return {"all": quality([rank for _, rank in placed])} | {
        kind: quality([rank for question, rank in placed if question.kind == kind]) for kind in kinds
    }


@pytest.mark.holds("ask.search.retrieval")
def test_questions_find_their_section_among_the_six_shown(qualities) -> None:
    assert qualities["all"].questions > 300
    for kind in ("all", "typo", "word form"):
        assert qualities[kind].among_six >= 0.90, kind


@pytest.mark.holds("ask.search.retrieval")
@pytest.mark.parametrize(("kind", "share"), [("literal", 0.95), ("heading", 0.90), ("heading words", 0.90)])
def test_literals_and_headings_find_their_section_first(qualities, kind, share) -> None:
    assert qualities[kind].questions > 30
    assert qualities[kind].first >= share
