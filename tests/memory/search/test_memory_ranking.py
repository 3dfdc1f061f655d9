"""How memories are ranked."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.benchmarks.field_questions import FIELDS
from tests.benchmarks.paraphrase_questions import TEAM, UNRELATED
from tests.examples import examples
from tests.memory.search.memory_shelf_rows import index_of, indexed, ranking_of

from loreweave.memory.search.memory_index import MemoryIndex
from loreweave.memory.search.memory_twins import find_near, find_twins
from loreweave.memory.search.read_memory_text import read_text
from loreweave.seams.embedding.open_embedder import open_embedder

WORDS = ["harbour", "violin", "copper", "lantern", "meadow", "glacier", "saffron", "piston", "the", "of", "and"]
STATIC = open_embedder("static")
EMBEDDERS = pytest.mark.parametrize("embedder", [None, STATIC], ids=["words", "meaning"])


def ranked(index: MemoryIndex, query: str, **wanted: Any) -> list[tuple[int, float, float]]:
    return [tuple(hit)[:3] for hit in ranking_of(index, query, **wanted)]


texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=30).map(" ".join)
memories = st.lists(st.tuples(texts, st.floats(0, 1).map(lambda value: round(value, 6))), min_size=1, max_size=12)


@pytest.mark.holds(
    "memory.search.law", "memory.search.score", "memory.search.nothing", "memory.search.without-embedder"
)
@EMBEDDERS
@settings(max_examples=examples(60))
@given(stored=memories, asked=st.lists(st.sampled_from(WORDS[:8]), min_size=1, max_size=4))
def test_who_holds_all_words_comes_before_who_holds_none(
    embedder: Any, stored: list[tuple[str, float]], asked: list[str]
) -> None:
    rows = [indexed(at, text, embedder, importance=value) for at, (text, value) in enumerate(stored, start=1)]
    hits = ranked(index_of(rows, embedder), " ".join(asked))
    places = {key: place for place, (key, _, _) in enumerate(hits)}
    full = {at for at, (text, _) in enumerate(stored, start=1) if set(asked) <= set(text.split())}
    none = {at for at, (text, _) in enumerate(stored, start=1) if not set(asked) & set(text.split())}
    assert full <= places.keys()
    assert max((places[one] for one in full), default=-1) < min((places.get(one, 99) for one in none), default=99)
    for key, relevance, score in hits:
        assert 0 < relevance <= 1
        assert relevance == round(relevance, 6)
        assert score == pytest.approx(relevance * (0.5 + stored[key - 1][1]), abs=1e-6)
    assert [score for _, _, score in hits] == sorted((score for _, _, score in hits), reverse=True)


@pytest.mark.holds("memory.search.law")
def test_a_far_more_important_paraphrase_stays_behind_the_words() -> None:
    rows = [
        indexed(1, "The automobile stands in the garage " + "and so on " * 200, STATIC, importance=0.0),
        indexed(2, "car vehicle auto", STATIC, importance=1.0),
        indexed(3, "Bananas are yellow", STATIC, importance=1.0),
    ]
    assert [key for key, _, _ in ranked(index_of(rows, STATIC), "automobile")] == [1, 2]


@pytest.mark.holds("memory.search.importance-decides")
@EMBEDDERS
def test_between_comparable_memories_importance_decides(embedder: Any) -> None:
    rows = [
        indexed(1, "The deploy key is in the vault", embedder, importance=0.3),
        indexed(2, "The deploy key lies in our vault today", embedder, importance=0.9),
    ]
    assert [key for key, _, _ in ranked(index_of(rows, embedder), "deploy key")] == [2, 1]


@pytest.mark.holds("memory.search.score")
def test_equal_scores_go_to_the_newer_and_then_by_id() -> None:
    rows = [indexed(number, "The same words", created_at=created) for number, created in ((1, 5), (2, 9), (3, 5))]
    assert [hit.key for hit in ranking_of(index_of(rows), "same words")] == [2, 1, 3]


@pytest.mark.holds("memory.search.filtered-first")
def test_what_is_not_wanted_is_left_out_before_the_top_is_cut() -> None:
    crowd = [indexed(number, "copper copper copper", state="deleted") for number in range(1, 400)]
    crowd += [indexed(number, "copper copper copper", scope="other", created_at=1) for number in range(400, 800)]
    crowd += [indexed(number, "copper copper copper", valid_until=50) for number in range(800, 1200)]
    wanted = indexed(2000, "a little copper in a long text about something else", tags=("metal", "old"), valid_from=10)
    index = index_of([*crowd, wanted])
    assert ranking_of(index, "copper", as_of=60).top(3)[0].key == 2000
    assert len(ranked(index, "copper", as_of=60)) == 1
    assert [key for key, _, _ in ranked(index, "copper", tags=frozenset({"metal", "old"}))] == [2000]
    assert ranked(index, "copper", tags=frozenset({"metal", "new"})) == []
    assert ranked(index, "copper", as_of=9) == []
    assert len(ranked(index, "copper", scope=None, as_of=60)) == 401
    assert len(ranked(index, "copper", state="deleted")) == 399


@pytest.mark.holds("memory.search.filtered-first")
def test_validity_begins_with_its_first_moment_and_ends_before_its_last() -> None:
    index = index_of([indexed(1, "copper", created_at=5, valid_until=8), indexed(2, "copper", created_at=9)])
    found = {moment: sorted(key for key, _, _ in ranked(index, "copper", as_of=moment)) for moment in (4, 5, 7, 8, 9)}
    assert found == {4: [], 5: [1], 7: [1], 8: [], 9: [2]}


@pytest.mark.holds("memory.search.nothing", "memory.search.meaning")
def test_unknown_words_find_only_what_is_clearly_near() -> None:
    rows = [indexed(1, "His car is in the garage", STATIC), indexed(2, "Bananas are yellow", STATIC)]
    assert ranked(index_of(rows, STATIC), "quxblorf") == []
    assert [key for key, _, _ in ranked(index_of(rows, STATIC), "automobile")] == [1]
    assert ranked(index_of([indexed(1, "His car is in the garage")]), "automobile") == []
    assert ranked(index_of(rows, STATIC), "?!") == []
    assert ranked(index_of([]), "car") == []


@pytest.mark.holds("memory.search.nothing")
def test_a_query_of_stop_words_finds_them() -> None:
    assert [key for key, _, _ in ranked(index_of([indexed(1, "to be or not to be"), indexed(2, "x")]), "to be")] == [1]


def test_too_little_relevance_is_left_out() -> None:
    index = index_of([indexed(1, "copper lantern"), indexed(2, "copper violin meadow glacier " * 20)])
    values = {key: relevance for key, relevance, _ in ranked(index, "copper lantern")}
    assert values[1] > values[2]
    assert [key for key, _, _ in ranked(index, "copper lantern", min_relevance=values[1])] == [1]


@pytest.mark.holds("memory.search.scope-statistics")
def test_other_scopes_and_the_trash_change_no_figure() -> None:
    own = [indexed(1, "copper lantern on the meadow"), indexed(2, "violin and copper"), indexed(3, "glacier")]
    strangers = [indexed(number, "lantern " * number, scope="other") for number in range(10, 40)]
    strangers += [indexed(number, "lantern glacier", state="deleted") for number in range(40, 60)]
    strangers += [indexed(number, "lantern glacier", state="merged") for number in range(60, 80)]
    assert ranked(index_of([*own, *strangers]), "copper lantern glacier") == ranked(
        index_of(own), "copper lantern glacier"
    )


@EMBEDDERS
@pytest.mark.holds("memory.index.pure")
@settings(max_examples=examples(30))
@given(stored=memories, query=texts, parts=st.integers(2, 5))
def test_how_an_index_is_parted_changes_nothing(
    embedder: Any, stored: list[tuple[str, float]], query: str, parts: int
) -> None:
    rows = [indexed(at, text, embedder, importance=value) for at, (text, value) in enumerate(stored, start=1)]
    whole, parted = index_of(rows, embedder), index_of(rows[::-1], embedder, parts)
    assert ranked(whole, query) == ranked(parted, query)
    assert whole.holding(query, None, "live") == parted.holding(query, None, "live")
    reading = read_text(query[:80], (), query, embedder)
    assert find_near(whole, reading, "default", 5) == find_near(parted, reading, "default", 5)
    assert find_twins(whole, reading, "default", None) == find_twins(parted, reading, "default", None)


def test_a_ranking_is_the_same_however_it_is_looked_at() -> None:
    rows = [indexed(number, "copper " * (number % 7 + 1), importance=number % 10 / 10) for number in range(1, 900)]
    ranking = ranking_of(index_of(rows), "copper", scope=None)
    hits = list(ranking)
    assert hits[:10] == ranking.top(10)
    assert ranking.top(10_000) == hits
    rest = ranking.without([hits[0].key, hits[5].key])
    assert list(rest) == [hit for hit in hits if hit not in (hits[0], hits[5])]


@pytest.mark.holds("memory.search.holding")
def test_the_trash_is_asked_for_all_words() -> None:
    index = index_of(
        [
            indexed(1, "copper lantern", state="deleted"),
            indexed(2, "copper", state="deleted"),
            indexed(3, "Lanterns of copper"),
            indexed(4, "LANTERN, copper!", state="deleted", scope="other"),
        ]
    )
    assert index.holding("copper lanterns", None, "deleted") == [1, 4]
    assert index.holding("copper lanterns", "default", "deleted") == [1]
    assert index.holding("copper lantern", None, "live") == [3]
    assert index.holding("unheard", None, "deleted") == index.holding("!", None, "deleted") == []


@pytest.mark.holds("memory.index.columns")
def test_the_columns_hold_merged_memories_too() -> None:
    index = index_of(
        [
            indexed(1, "a", tags=("x", "y"), importance=0.2),
            indexed(2, "b", tags=("y",), state="merged", deleted_at=77, scope="other"),
        ],
        parts=2,
    )
    columns = index.columns()
    tagged = {
        (columns.tag_names[tag], int(columns.keys[row]))
        for tag, row in zip(columns.tags, columns.tag_rows, strict=True)
    }
    assert tagged == {("x", 1), ("y", 1), ("y", 2)}
    order = columns.keys.argsort()
    assert columns.states[order].tolist() == [0, 2]
    assert columns.importance[order].tolist() == [0.2, 0.5]
    assert columns.deleted[order].tolist()[1] == 77
    assert columns.scopes[order].tolist() == [columns.scope_numbers["default"], columns.scope_numbers["other"]]
    assert index_of([]).columns().keys.tolist() == []


TOWER = open_embedder("two-tower")


def team(**columns: Any) -> MemoryIndex:
    return index_of([indexed(number, text, TOWER, **columns) for number, (text, _) in enumerate(TEAM, start=1)], TOWER)


@pytest.mark.holds("memory.search.paraphrases")
def test_where_words_find_too_little_the_nearest_by_meaning_follow() -> None:
    index = team()
    [hit] = ranking_of(index, "when do we ship releases").offered(10)
    assert (hit.key, hit.weak) == (1, True)
    found = list(ranking_of(index, "do pets in the office use secrets").offered(10))
    strong, weak = [hit for hit in found if not hit.weak], [hit for hit in found if hit.weak]
    assert found == strong + weak
    assert all(hit.score < min(each.score for each in strong) for hit in weak)
    assert all(hit.relevance < 0.3 for hit in weak)
    assert len(weak) <= 5


@pytest.mark.holds("memory.search.paraphrases")
def test_weak_hits_never_take_the_place_of_others_and_are_five_at_most() -> None:
    texts = [f"Deploys of part {letter} go out on Tuesdays" for letter in "abcdefgh"]
    index = index_of([indexed(number, text, TOWER, importance=1.0) for number, text in enumerate(texts)], TOWER)
    assert [hit.weak for hit in ranking_of(index, "when do we ship releases").offered(10)] == [True] * 5
    assert len(ranking_of(index, "when do we ship releases").offered(2)) == 2
    rows = [indexed(number, text, TOWER, importance=1.0) for number, text in enumerate(texts)]
    rows += [indexed(20 + number, f"releases {number}", TOWER, importance=0.0) for number in range(3)]
    both = list(ranking_of(index_of(rows, TOWER), "when do we ship releases").offered(10))
    assert [hit.weak for hit in both] == [False] * 3 + [True] * 5
    assert [hit.weak for hit in ranking_of(index_of(rows, TOWER), "when do we ship releases").offered(3)] == [False] * 3


@pytest.mark.holds("memory.search.paraphrases")
def test_most_paraphrases_are_found_and_few_unrelated_questions_are_offered_anything() -> None:
    index = team()
    found = [
        number in [hit.key for hit in ranking_of(index, question).offered(10)]
        for number, (_, question) in enumerate(TEAM, start=1)
    ]
    offered = [any(hit.weak for hit in ranking_of(index, question).offered(10)) for question in UNRELATED]
    assert sum(found) >= 0.6 * len(found)
    assert sum(offered) <= 0.1 * len(offered)


@pytest.mark.holds("memory.search.paraphrases")
def test_paraphrases_are_found_among_facts_of_several_fields_and_few_other_questions_are_offered_anything() -> None:
    asked, found, unanswered, offered = 0, 0, 0, 0
    for facts, others in FIELDS.values():
        index = index_of([indexed(number, text, TOWER) for number, (text, _) in enumerate(facts, start=1)], TOWER)
        for number, (_, questions) in enumerate(facts, start=1):
            asked += len(questions)
            found += sum(number in [hit.key for hit in ranking_of(index, one).offered(10)] for one in questions)
        unanswered += len(others)
        offered += sum(any(hit.weak for hit in ranking_of(index, one).offered(10)) for one in others)
    assert found >= 0.57 * asked
    assert offered <= 0.14 * unanswered


@pytest.mark.holds("memory.search.paraphrases")
def test_among_two_memories_an_unrelated_question_finds_none() -> None:
    texts = ["Deploys go out on Tuesdays.", "Anna is allergic to peanuts"]
    index = index_of([indexed(number, text, TOWER) for number, text in enumerate(texts)], TOWER)
    assert [hit.key for hit in ranking_of(index, "when do we ship")] == [0]
    assert len(ranking_of(index, "capital city of Mongolia")) == 0
