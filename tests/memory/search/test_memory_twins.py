"""Which texts hardly differ, and which are merely near."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.examples import examples
from tests.memory.search.memory_shelf_rows import index_of, indexed, node_id
from tests.pace import within

from loreweave.memory.search.compare_words import compare_words
from loreweave.memory.search.differing_values import differing_values
from loreweave.memory.search.memory_index import MemoryIndex
from loreweave.memory.search.memory_twins import find_near, find_twins
from loreweave.memory.search.read_memory_text import content_words, read_text
from loreweave.seams.embedding.open_embedder import open_embedder

STATIC = open_embedder("static")
LONG = "The deployment of the shop runs every night at two in the morning on the small cluster"


def similarity(one: str, other: str) -> float | None:
    marked = [content_words(text) for text in (one, other)]
    found = compare_words(*marked)
    assert found == compare_words(*reversed(marked))
    return found


def values(one: str, other: str) -> tuple[str, str] | None:
    marked = [content_words(text) for text in (one, other)]
    found = differing_values(*marked)
    assert differing_values(*reversed(marked)) == (found and found[::-1])
    return found


def twins(index: MemoryIndex, text: str, exclude_key: int | None = None) -> list[str]:
    return [found for found, _ in find_twins(index, read_text("name", (), text, None), "default", exclude_key)]


@pytest.mark.holds("memory.search.twins")
@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("User prefers dark mode", "user prefers DARK   mode!", 1.0),
        ("A well-known fact, of old", "a well known fact of\nold.", 1.0),
        (LONG, LONG.replace("every", "each"), 0.941176),
        (LONG, LONG.replace("small ", ""), 0.941176),
        (LONG, "Please note: " + LONG.lower(), 0.894737),
        (LONG, "Please also note: " + LONG.lower(), None),
        (LONG, LONG.replace("cluster", "clutser"), 0.941176),
        (LONG, LONG.replace("runs", "running"), 0.941176),
    ],
)
def test_texts_that_hardly_differ(one: str, other: str, expected: float | None) -> None:
    assert similarity(one, other) == expected


@pytest.mark.holds("memory.search.twins-same-subject")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("User 17 prefers dark mode", "User 18 prefers dark mode"),
        (LONG, LONG.replace("two", "three")),
        (LONG, LONG.replace("runs", "never runs")),
        (LONG, LONG.replace("runs", "doesn't run")),
        (LONG, LONG.replace("The deployment", "Alice's deployment")),
        ("Alice " + LONG, "Bob " + LONG),
        (LONG + " in Berlin", LONG + " in Munich"),
        (LONG.replace("shop", "foo_bar"), LONG.replace("shop", "foo_baz")),
        (LONG.replace("shop", "C++"), LONG.replace("shop", "C#")),
        (LONG.replace("shop", "v1.2"), LONG.replace("shop", "v12")),
        (LONG.replace("shop", "jdoe"), LONG.replace("shop", "asmith")),
        ("It was -5 degrees", "It was 5 degrees"),
        (LONG, LONG.replace("morning", "evening")),
        (LONG, LONG.replace("small", "big") + " unless it is off"),
        ("The key is safe", "The key is unsafe"),
        ("Cats chase dogs", "Dogs chase cats"),
        ("Short texts differ", "Short texts vary"),
        (LONG + " because users were unable to pay", LONG + " because users were able to pay"),
        ("!!!", "???"),
    ],
)
def test_texts_about_different_subjects_are_no_twins(one: str, other: str) -> None:
    assert similarity(one, other) is None


@pytest.mark.holds("memory.inbox.values")
@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("Deploys go out on Monday.", "Deploys go out on Tuesday.", ("Monday", "Tuesday")),
        ("The standup is at 9:30", "the standup is at 10:00!", ("9:30", "10:00")),
        ("Tokens live for 15 minutes", "Tokens live for one hour", ("15 minutes", "one hour")),
        ("The fair is on 5 March 2026", "The fair is on 12 April 2026", ("5 March", "12 April")),
        ("The shop runs on Python 3.11", "The shop runs on Python 3.12", ("3.11", "3.12")),
        ("Retry three times", "Retry five times", ("three", "five")),
        ("Backups run daily", "Backups run weekly", ("daily", "weekly")),
        ("The limit is $5", "The limit is $20", ("$5", "$20")),
        ("Dark mode is on", "Dark mode is off", ("on", "off")),
        ("Caching is enabled", "Caching is disabled", ("enabled", "disabled")),
        ("Caching is enabled", "Caching is not enabled", ("enabled", "not enabled")),
        ("The API supports XML", "The API doesn't support XML", ("supports", "doesn't support")),
        ("Users can log in", "Users cannot log in", ("can", "cannot")),
        ("We always deploy on Fridays", "We never deploy on Fridays", ("deploy", "never deploy")),
        (LONG, LONG.replace("two", "three"), ("two", "three")),
        (LONG, LONG.replace("morning", "evening"), ("morning", "evening")),
    ],
)
def test_one_value_that_differs_is_named(one: str, other: str, expected: tuple[str, str]) -> None:
    assert values(one, other) == expected


@pytest.mark.holds("memory.inbox.values", "memory.search.twins-same-subject")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Deploys to staging go out on Monday", "Deploys to production go out on Monday"),
        ("Room 12 has a projector", "Room 13 has a projector"),
        ("User 17 prefers dark mode", "User 18 prefers dark mode"),
        ("db-01 runs the queue", "db-02 runs the queue"),
        ("Server 10.0.0.1 holds the mail", "Server 10.0.0.2 holds the mail"),
        ("Alice was born in 1990", "Bob was born in 1990"),
        ("The build takes 5 minutes on Monday", "The build takes 6 minutes on Tuesday"),
        ("The timeout is thirty seconds", "The timeout is 30 seconds"),
        ("42", "43"),
        ("The lamp is on", "The lamp is closed"),
    ],
)
def test_another_subject_and_more_than_one_value_are_none(one: str, other: str) -> None:
    assert values(one, other) is None


@pytest.mark.holds("memory.search.twins")
def test_twins_are_found_live_and_deleted_in_their_scope_alone() -> None:
    rows = [
        indexed(1, LONG),
        indexed(2, LONG.upper(), state="deleted"),
        indexed(3, LONG, state="merged"),
        indexed(4, LONG, scope="other"),
        indexed(5, LONG.replace("every", "each")),
        indexed(6, "Something else altogether"),
    ]
    index = index_of(rows, parts=3)
    assert twins(index, LONG) == [node_id(1), node_id(2), node_id(5)]
    assert twins(index, LONG, exclude_key=1) == [node_id(2), node_id(5)]
    assert twins(index, "Nothing that anybody said") == twins(index, "") == []


WORDS = ["every", "each", "house", "Alice", "never", "garden", "7", "walk", "walks", "quick", "fast", "slow", "the"]
sentences = st.lists(st.sampled_from(WORDS), min_size=1, max_size=24)


@st.composite
def alike(draw: st.DrawFn) -> list[str]:
    """Texts of which each is another with a few words changed, so that twins are not too rare."""
    first = draw(sentences)
    found = [first]
    for _ in range(draw(st.integers(1, 6))):
        text = list(draw(st.sampled_from(found)))
        for _ in range(draw(st.integers(0, 3))):
            place = draw(st.integers(0, len(text)))
            text[place : place + draw(st.integers(0, 1))] = draw(st.lists(st.sampled_from(WORDS), max_size=1))
        found.append(text or ["the"])
    return [" ".join(words) for words in found]


@pytest.mark.holds("memory.search.twins")
@settings(max_examples=examples(150))
@given(texts=alike())
def test_no_twin_is_missed_and_twins_are_mutual(texts: list[str]) -> None:
    index = index_of([indexed(number, text) for number, text in enumerate(texts)], parts=2)
    for number, text in enumerate(texts):
        expected = {
            node_id(other)
            for other, stored in enumerate(texts)
            if other != number and (similarity(text, stored) or values(text, stored))
        }
        assert set(twins(index, text, exclude_key=number)) == expected


@pytest.mark.holds("memory.index.templates")
def test_many_memories_of_one_template_cost_little() -> None:
    texts = [f"Memory number {number} about topic {number % 50}" for number in range(6000)]
    index = index_of([indexed(number, text) for number, text in enumerate(texts)])
    reading = read_text("name", (), texts[77], None)
    assert within(0.02, lambda: find_twins(index, reading, "default", 77)) == []
    within(0.05, lambda: find_near(index, reading, "default", 5))
    plain = ["The garden behind the house is quiet and green in spring and full of birds " + word for word in texts]
    assert within(0.05, lambda: twins(index, plain[0])) == []


@pytest.mark.holds("memory.search.similar")
@pytest.mark.parametrize("embedder", [None, STATIC], ids=["words", "meaning"])
def test_near_neighbours_are_live_memories_of_the_scope(embedder: object) -> None:
    text = "The deploy key of the shop is kept in the vault of the platform team"
    rows = [
        indexed(1, "The platform team keeps the deploy key of the shop in its vault", embedder),
        indexed(2, "Bananas are yellow and sweet", embedder),
        indexed(3, text, embedder, state="deleted"),
        indexed(4, text, embedder, scope="other"),
        indexed(5, text + "!", embedder),
        indexed(6, text + "!", embedder, state="merged"),
    ]
    index = index_of(rows, embedder, parts=2)
    found = find_near(index, read_text(text, (), text, embedder), "default", 5)
    assert [one for one, _ in found] == [node_id(5), node_id(1)]
    assert found[0][1] == pytest.approx(1.0, abs=0.01)
    assert all(0.6 <= value <= 1 for _, value in found)
    assert find_near(index, read_text(text, (), text, embedder), "default", 1) == found[:1]
    assert find_near(index, read_text("", (), "unheard of", embedder), "default", 5) == []


@pytest.mark.holds("memory.search.similar")
def test_neighbours_in_meaning_need_no_common_word() -> None:
    rows = [indexed(1, "He purchased a new automobile", STATIC), indexed(2, "Bananas are yellow", STATIC)]
    text = "She bought another car"
    assert [one for one, _ in find_near(index_of(rows, STATIC), read_text("n", (), text, STATIC), "default", 5)] == [
        node_id(1)
    ]


@pytest.mark.lengthy
def test_long_texts_are_compared_quickly() -> None:
    words = ["the", "house", "garden", "walk", "quick", "every", "window", "river"] * 1200
    changed = ["a", *words[1:5000], "path", *words[5001:-1], "lake"]
    assert within(0.5, lambda: similarity(" ".join(words), " ".join(changed))) == pytest.approx(1 - 3 / len(words))
    assert within(0.5, lambda: similarity(" ".join(words), " ".join(sorted(words)))) is None


@pytest.mark.holds("memory.search.linear")
@pytest.mark.parametrize("word", ["2020-01-01", "17", "3.5 ms"])
def test_a_long_run_of_values_is_compared_in_one_pass(word: str) -> None:
    """As a table of figures is; it was compared while all other writers waited."""
    one = "The sensor measured " + " ".join([word] * (60_000 // len(word)))
    assert within(1.0, lambda: values(f"{one} 4", f"{one} 5")) == ("4", "5")
