"""Names and passages: which of the sections that hold the words say what is asked."""

from random import Random

import pytest
from tests.indexed_sections import indexed

from loreweave.index.vocabulary import Vocabulary
from loreweave.knowledge.packs.score_words import RANKING, WordScores
from loreweave.seams.embedding.open_embedder import open_embedder

FILLER = "Lamps burn oil all winter and the harbour stays open for boats of every kind."


@pytest.mark.holds("ask.search.bm25f")
def test_title_and_heading_together_find_the_section_and_not_the_page_alone(section, found) -> None:
    pages = ["Lighting the harbour lamps", "Mooring a boat", "Winter storage"]
    sections = []
    for number, title in enumerate(pages):
        sections.append(section(f"p{number}", f"{title}. {FILLER}", title=title))
        sections.append(section(f"p{number}#check", "See that it holds.", heading="Check it", title=title))
        sections.append(section(f"p{number}#next", "More of it.", heading="What to do next", title=title))
    for number, title in enumerate(pages):
        assert found(sections, f"{title} Check it")[0] == f"p{number}#check"
        assert found(sections, f"{title} what to do next")[0] == f"p{number}#next"
        assert found(sections, title)[0] == f"p{number}"


@pytest.mark.holds("ask.search.bm25f")
def test_stop_words_tell_headings_apart_that_are_alike_without_them(section, found) -> None:
    sections = [
        section("a", FILLER, heading="Use"),
        section("b", FILLER, heading="Use it"),
        section("c", FILLER, heading="How to use it"),
    ]
    assert found(sections, "use ")[0] == "a"
    assert found(sections, "use it ")[0] == "b"
    assert found(sections, "how to use it ")[0] == "c"


@pytest.mark.holds("ask.search.bm25f")
def test_words_that_stand_together_beat_the_same_words_far_apart(section, found) -> None:
    words = ["copper", "wire", "carries", "the", "weekly", "signal"]
    apart = " ".join(f"{word} {FILLER} {FILLER}" for word in words)
    together = f"{' '.join(words)} {' '.join([FILLER] * 12)}"
    assert len(together.split()) == len(apart.split())
    sections = [section("a", apart), section("b", together), section("c", FILLER)]
    assert found(sections, "copper wire carries weekly signal ") == ["b", "a"]


@pytest.mark.holds("ask.search.bm25f")
def test_a_heading_that_says_the_query_beats_a_text_that_says_it(section, found) -> None:
    sections = [
        section("a", "Restore a weekly backup. " * 3, heading="Other work"),
        section("b", FILLER, heading="Restore a weekly backup"),
        section("c", FILLER),
    ]
    assert found(sections, "restore a weekly backup ")[:2] == ["b", "a"]


@pytest.mark.holds("ask.search.bm25f")
def test_a_page_named_by_the_query_is_shown_by_its_opening(section, found) -> None:
    sections = [
        section("a#mooring", FILLER, heading="Mooring", title="Boats"),
        section("z", FILLER, title="Mooring"),
        section("z#lines", FILLER, heading="Lines", title="Mooring"),
    ]
    assert found(sections, "mooring ")[0] == "z"


@pytest.mark.holds("ask.search.bm25f")
def test_what_stands_far_down_in_an_endless_section_is_found_still(section, found) -> None:
    sections = [section("a", f"{FILLER} " * 400 + "copper wire"), section("b", FILLER)]
    assert found(sections, "copper wire ") == ["a"]


@pytest.mark.holds("ask.search.typos")
@pytest.mark.parametrize("embedder", ["none", "static"])
@pytest.mark.parametrize("seed", range(8))
def test_a_section_of_corrected_words_alone_comes_below_every_exact_hit(section, seed, embedder) -> None:
    random = Random(seed)
    vocabulary = ["database", "install", "lantern", "harbour", "network", "copper", "winter", "signal"]
    sections = []
    for number in range(40):
        heading, title, text = (" ".join(random.choices(vocabulary, k=random.randint(1, most))) for most in (2, 2, 40))
        sections.append(section(f"p{number}", text, heading=heading, title=title))
    index = indexed(sections, open_embedder(embedder))
    for wrong in vocabulary[:4]:
        known = random.choice(vocabulary[4:])
        query = f"{wrong[:3]}{wrong[4]}{wrong[3]}{wrong[5:]} {known} "
        hits = [sections[hit.section] for hit in index.search(query, 50)]
        exact = [known in f"{hit.heading} {hit.title} {hit.text}".split() for hit in hits]
        assert exact == sorted(exact, reverse=True)
        assert any(exact)
        assert any(wrong in hit.text for hit in hits)


@pytest.mark.holds("retrieval.ranking.exact-names")
@pytest.mark.parametrize("query", ["middlewares dependency ", "Dependency and middlewares", "DEPENDENCIES MIDDLEWARE "])
def test_a_heading_of_just_these_words_goes_first_in_whatever_order_and_form(section, found, query) -> None:
    speaks = f"A middleware may need dependencies. {FILLER}"
    sections = [
        section("a", speaks, title="Middleware"),
        *(section(f"a#{number}", speaks, heading=f"Dependencies {number}", title="Middleware") for number in range(5)),
        section("b#named", FILLER, heading="Dependencies and Middleware", title="Front end"),
        section("c", FILLER, title="Lamps"),
    ]
    assert found(sections, query)[0] == "b#named"


@pytest.mark.holds("retrieval.ranking.exact-names")
def test_a_page_goes_before_sections_of_other_pages_that_are_called_as_it_is(section, found) -> None:
    sections = [
        *(section(f"a#{number}", f"Mooring. {FILLER}", heading="Mooring", title="Boats") for number in range(5)),
        section("z", FILLER, title="Mooring"),
    ]
    assert found(sections, "mooring ")[0] == "z"


@pytest.mark.holds("ask.search.bm25f")
def test_a_word_counts_once_for_a_row_that_holds_two_of_its_endings(section) -> None:
    sections = [
        section("a", "The lantern and the lanternist."),
        section("b", "A harbour."),
        section("c", "Lantern, harbour."),
    ]
    index = indexed(sections)
    words = WordScores(index.arrays, Vocabulary(index.arrays), RANKING)
    wanted = index.read("harbour lanter")
    assert len(wanted.slots[1].alternatives) == 2
    cover = words.cover(wanted).tolist()
    assert cover[2] == pytest.approx(1.0)
    assert cover[0] + cover[1] == pytest.approx(1.0)


@pytest.mark.holds("retrieval.ranking.exact-names")
def test_a_query_with_a_word_that_nobody_knows_is_no_name(section, found) -> None:
    wordy = section("a", "How users are told that they are blocked, users who were away.", heading="Blocked accounts")
    sections = [wordy, section("b", FILLER, heading="The user"), *(section(f"c{n}", FILLER) for n in range(9))]
    assert found(sections, "blocked users ")[0] == "a"
    assert found(sections, "qzxwv blocked accounts of users ")[0] == "a"
    assert found(sections, "user ")[0] == "b"


@pytest.mark.holds("retrieval.ranking.exact-names")
def test_a_name_is_found_without_the_number_it_is_written_with(section, found) -> None:
    sections = [
        section("a", FILLER, heading="Simple OAuth2 with Password"),
        *(section(f"b{number}", f"A simple password. {FILLER}", heading="Password") for number in range(4)),
        section("c", FILLER, heading="Jinja 3"),
    ]
    assert found(sections, "simple oauth password ")[0] == "a"
    assert found(sections, "oauth ") == ["a"]
