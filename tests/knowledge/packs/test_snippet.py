"""What of a section is shown, and what is highlighted in it."""

import pytest
from tests.indexed_sections import indexed

FILLER = "Lamps burn oil all winter and the harbour stays open for boats of every kind."


def shown(section, text: str, query: str) -> tuple[str, list[str]]:
    (hit,) = indexed([section("a", text), section("b", "other words")]).search(query)
    return hit.snippet, [hit.snippet[start:end] for start, end in hit.highlights]


@pytest.mark.holds("ask.search.snippet")
def test_a_snippet_is_the_text_around_the_best_match(section) -> None:
    text = f"{FILLER} {FILLER} {FILLER}\n\n{FILLER} zebra crossing {FILLER} {FILLER} {FILLER}"
    snippet, highlights = shown(section, text, "zebra crossing")
    assert len(snippet) <= 240
    assert snippet in " ".join(text.split())
    assert highlights == ["zebra", "crossing"]


@pytest.mark.holds("ask.search.snippet")
def test_matches_that_stand_together_are_preferred(section) -> None:
    text = f"zebra {FILLER * 4} crossing {FILLER * 4} a zebra at the crossing {FILLER * 4}"
    assert "zebra at the crossing" in shown(section, text, "zebra crossing")[0]


@pytest.mark.holds("ask.search.snippet")
@pytest.mark.parametrize(
    ("text", "query", "highlights"),
    [
        ("😀 Die Café-Bar öffnet", "cafe", ["Café"]),
        ("ﬁle names", "file", ["ﬁle"]),
        ("e\u0301toile filante", "étoile", ["e\u0301toile"]),
        ("read (HEV_TOKEN_FILE), then", "token", ["TOKEN"]),
        ("read (HEV_TOKEN_FILE), then", "HEV_TOKEN_FILE", ["HEV_TOKEN_FILE"]),
        ("关系型数据库的设计", "数据库", ["数据库"]),
        ("the database", "databse", ["database"]),
        ("authentication", "auth", ["authentication"]),
    ],
)
def test_highlights_count_code_points_of_the_snippet(section, text, query, highlights) -> None:
    assert shown(section, text, query) == (text, highlights)


@pytest.mark.holds("ask.search.snippet")
def test_words_are_not_cut_unless_they_are_endless(section) -> None:
    assert shown(section, f"{FILLER * 9} zebra {FILLER * 9}", "zebra")[0].strip(".").split()[0] in FILLER.split()
    snippet, highlights = shown(section, "数" * 400 + "据库" + "数" * 400, "据库")
    assert len(snippet) <= 240
    assert highlights == ["据库"]


@pytest.mark.holds("ask.search.snippet")
def test_a_heading_without_a_body_shows_itself(section) -> None:
    (hit,) = indexed([section("a", "", heading="Zebra crossing")]).search("zebra")
    assert (hit.snippet, hit.highlights) == ("Zebra crossing", ((0, 5),))
