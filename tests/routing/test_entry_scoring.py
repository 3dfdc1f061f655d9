"""Choosing the entry: candidates, scorers, shares, abstention, and fitting when to abstain."""

import asyncio
import math
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.routing.support_desk import skill

from loreweave import (
    EntryPolicy,
    EntryScore,
    EntryScoring,
    RouteContext,
    SkillGraph,
    SkillGraphError,
    define_skill,
    embedding_scorer,
    fit_entry_policy,
    keyword_scorer,
    keywords,
    skill_graph,
    softmax,
)
from loreweave.routing.fit_policy import Outcome, find_thresholds


class Given:
    """Answers the scores it was given, or raises."""

    name = "given"

    def __init__(self, scores: Any) -> None:
        self.scores = scores
        self.asked: list[tuple[str, tuple[tuple[str, str], ...]]] = []

    def score(self, message: str, candidates: Sequence[Any]) -> Any:
        self.asked.append((message, tuple((one.id, one.text) for one in candidates)))
        if isinstance(self.scores, BaseException):
            raise self.scores
        return self.scores


class GivenLater(Given):
    async def score(self, message: str, candidates: Sequence[Any]) -> Any:  # type: ignore[override]
        await asyncio.sleep(0)
        return Given.score(self, message, candidates)


class Letters:
    """Counts letters; remembers what it was asked."""

    def __init__(self) -> None:
        self.calls: list[list[str]] = []

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        self.calls.append(list(texts))
        return [[float(text.count(letter)) for letter in "abcdefghijklmnopqrstuvwxyz"] for text in texts]


class Fixed:
    def __init__(self, vectors: Any) -> None:
        self.vectors = vectors

    async def embed(self, texts: Sequence[str]) -> Any:
        return self.vectors


def scored(graph: SkillGraph, message: str = "hello") -> EntryScoring:
    assert graph.score_entries is not None
    return asyncio.run(graph.score_entries(RouteContext(user_message=message)))  # type: ignore[arg-type]


def by(scorer: Any, policy: Any = None, count: int = 3) -> SkillGraph:
    builder = skill_graph()
    for name in "abcdef"[:count]:
        builder.entry(skill(name))
    return builder.entry_by(scorer, policy).build()


@pytest.mark.holds("routing.entry.candidates")
def test_candidates_are_entries_with_no_or_a_true_condition_once_each_as_declared() -> None:
    def throws(_: object) -> bool:
        raise ValueError

    scorer = Given([0.1, 0.3])
    graph = (
        skill_graph()
        .skill(skill("b"))
        .entry(skill("c"), keywords("hello"))
        .entry("gone")
        .entry(skill("x"), throws)
        .entry(skill("y"), lambda _: False)
        .entry("b")
        .entry("c")
        .entry_by(scorer)
        .build("off")
    )
    answer = scored(graph)
    assert scorer.asked == [("hello", (("c", "About c"), ("b", "About b")))]
    assert [one.id for one in answer.ranked] == ["c", "b"]
    assert answer.chosen == "b"


@pytest.mark.holds("routing.entry.candidates")
def test_without_candidates_nobody_is_asked() -> None:
    scorer = Given(AssertionError("asked"))
    graph = skill_graph().entry(skill("a"), keywords("never")).entry_by(scorer).build()
    assert scored(graph) == EntryScoring("given", None, (), None, False, None)


@pytest.mark.holds("routing.entry.candidates")
def test_a_graph_without_a_scorer_scores_nothing() -> None:
    assert skill_graph().entry(skill("a")).build().score_entries is None
    assert skill_graph().entry(skill("a")).entry_by_read().build().score_entries is None
    assert skill_graph().tree(skill("a")).build().score_entries is None


@pytest.mark.holds("routing.entry.scorers")
@pytest.mark.parametrize("kind", [Given, GivenLater])
def test_a_scorer_may_be_plain_or_async(kind: type[Given]) -> None:
    assert scored(by(kind([0.1, 0.9, 0.5]))).chosen == "b"


@pytest.mark.holds("routing.entry.scorers")
@pytest.mark.parametrize("scores", [[1.0], [1, 2, 3, 4], None, ["x", "y", "z"], 5])
def test_a_wrong_number_of_answers_is_an_error(scores: Any) -> None:
    with pytest.raises(SkillGraphError):
        scored(by(Given(scores)))


@pytest.mark.holds("routing.entry.scorers")
@pytest.mark.parametrize("error", [RuntimeError("down"), asyncio.CancelledError()])
def test_errors_and_cancellation_propagate(error: BaseException) -> None:
    with pytest.raises(type(error)):
        scored(by(GivenLater(error)))


@pytest.mark.holds("routing.entry.scorers")
def test_what_is_no_scorer_or_embedder_is_refused() -> None:
    for wrong in (None, object(), Letters()):
        with pytest.raises(SkillGraphError):
            skill_graph().entry_by(wrong)
    with pytest.raises(SkillGraphError):
        embedding_scorer(object())  # type: ignore[arg-type]
    with pytest.raises(SkillGraphError):
        skill_graph().entry_by(keyword_scorer(), "policy")  # type: ignore[arg-type]


@pytest.mark.holds("routing.entry.embedding")
def test_the_embedding_scorer_is_the_cosine_of_message_and_description_in_one_call() -> None:
    embedder = Letters()
    graph = (
        skill_graph()
        .entry(define_skill("x", "aab", "b"))
        .entry(define_skill("y", "zz", "b"))
        .entry(define_skill("z", "123", "b"))
        .entry_by_relevance(embedder)
        .build()
    )
    answer = scored(graph, "ab")
    assert embedder.calls == [["ab", "aab", "zz", "123"]]
    assert answer.scorer == "embedding"
    assert [one.score for one in answer.ranked] == pytest.approx([3 / math.sqrt(10), 0.0, 0.0])
    assert answer.chosen == "x"
    scored(graph, "ab")
    assert len(embedder.calls) == 2


@pytest.mark.holds("routing.entry.embedding", "routing.entry.scorers")
@pytest.mark.parametrize("vectors", [[[1.0], [1.0]], [[1.0], [1.0, 2.0], [1.0]], None, [[1.0], ["x"], [1.0]], 3])
def test_wrong_vectors_are_an_error(vectors: Any) -> None:
    with pytest.raises(SkillGraphError):
        scored(by(embedding_scorer(Fixed(vectors)), count=2))


@pytest.mark.holds("routing.entry.keyword")
@pytest.mark.parametrize(
    ("message", "description", "score"),
    [
        ("refund", "Refunds", 1.0),
        ("my refund", "the refunds and payments", 1 / math.sqrt(2)),
        ("CAFÉ", "cafe", 1.0),
        ("the a of", "the a of", 0.0),
        ("address", "addres", 0.0),
        ("возврат денег", "Возврат", 1 / math.sqrt(2)),
        ("退款", "退款", 1.0),
        ("!!!", "words", 0.0),
        ("one one one", "one two three four", 0.5),
    ],
)
def test_the_keyword_scorer_is_the_cosine_of_sets_of_words(message: str, description: str, score: float) -> None:
    graph = skill_graph().entry(define_skill("a", description, "b")).entry_by(keyword_scorer()).build()
    answer = scored(graph, message)
    assert answer.scorer == "keyword"
    assert answer.ranked[0].score == pytest.approx(score)


@pytest.mark.holds("routing.entry.relevance")
def test_relevance_is_the_softmax_at_the_temperature_of_the_policy() -> None:
    answer = scored(by(Given([1.0, 2.0, 3.0]), EntryPolicy(temperature=0.5)))
    weights = [math.exp(score / 0.5) for score in (1.0, 2.0, 3.0)]
    assert [one.relevance for one in answer.ranked] == pytest.approx([weight / sum(weights) for weight in weights])
    assert [one.score for one in answer.ranked] == [1.0, 2.0, 3.0]


@pytest.mark.holds("routing.entry.relevance")
def test_a_score_that_is_not_finite_gets_no_share_and_cannot_win_but_is_told() -> None:
    answer = scored(by(Given([math.inf, 0.5, math.nan])))
    assert answer.chosen == "b"
    assert answer.margin is None
    assert answer.ranked[0] == EntryScore("a", math.inf, 0.0)
    assert answer.ranked[1].relevance == 1.0
    assert math.isnan(answer.ranked[2].score)
    none = scored(by(Given([math.nan, -math.inf, math.inf])))
    assert [one.relevance for one in none.ranked] == pytest.approx([1 / 3] * 3)
    assert (none.chosen, none.tie, none.margin) == ("a", True, 0.0)


@given(st.lists(st.floats(), max_size=9), st.floats(min_value=1e-3, max_value=1e3))
@pytest.mark.holds("routing.entry.relevance")
def test_shares_add_up_to_one_and_keep_the_order(scores: list[float], temperature: float) -> None:
    shares = softmax(scores, temperature)
    assert len(shares) == len(scores)
    assert all(0 <= share <= 1 for share in shares)
    assert not scores or math.isclose(sum(shares), 1)
    finite = [(score, share) for score, share in zip(scores, shares, strict=True) if math.isfinite(score)]
    ordered = [share for _, share in sorted(finite)]
    assert ordered == sorted(ordered)


@pytest.mark.holds("routing.entry.relevance")
@pytest.mark.parametrize("temperature", [0, -1, math.nan, math.inf, "1", True])
def test_a_temperature_is_above_zero(temperature: Any) -> None:
    with pytest.raises(SkillGraphError):
        softmax([1.0], temperature)
    with pytest.raises(SkillGraphError):
        EntryPolicy(temperature=temperature)


@pytest.mark.holds("routing.entry.ties")
def test_ties_go_to_the_first_declared() -> None:
    tied = scored(by(Given([0.2, 0.7, 0.7])))
    assert (tied.chosen, tied.margin, tied.tie) == ("b", 0.0, True)
    clear = scored(by(Given([0.25, 0.75, 0.5])))
    assert (clear.chosen, clear.margin, clear.tie) == ("b", 0.25, False)
    alone = scored(by(Given([0.2]), count=1))
    assert (alone.chosen, alone.margin, alone.tie) == ("a", None, False)


@pytest.mark.holds("routing.entry.policy")
@pytest.mark.parametrize(
    ("policy", "chosen", "abstained"),
    [
        (None, "b", None),
        (EntryPolicy(), "b", None),
        (EntryPolicy(floor=0.75), "b", None),
        (EntryPolicy(floor=0.76), None, "floor"),
        (EntryPolicy(min_margin=0.25), "b", None),
        (EntryPolicy(min_margin=0.26), None, "margin"),
        (EntryPolicy(floor=0.9, min_margin=0.9), None, "floor"),
        ({"floor": 0.76}, None, "floor"),
    ],
)
def test_a_policy_abstains_below_its_floor_or_margin(policy: Any, chosen: str | None, abstained: str | None) -> None:
    answer = scored(by(Given([0.25, 0.75, 0.5]), policy))
    assert (answer.chosen, answer.abstained) == (chosen, abstained)
    assert (answer.margin, len(answer.ranked)) == (0.25, 3)


@pytest.mark.holds("routing.entry.policy")
def test_a_margin_says_nothing_about_a_lone_candidate() -> None:
    assert scored(by(Given([0.1]), EntryPolicy(min_margin=0.5), count=1)).chosen == "a"


def _covered(outcomes: list[Outcome], floor: float | None, least: float | None) -> list[Outcome]:
    return [one for one in outcomes if (floor is None or one.best >= floor) and (least is None or one.margin >= least)]


grades = st.integers(0, 6).map(lambda number: number / 4)


@given(
    st.lists(st.builds(Outcome, grades, grades, st.booleans()), max_size=14), st.sampled_from([0, 0.5, 0.75, 0.95, 1])
)
@pytest.mark.holds("routing.entry.fit")
def test_no_other_thresholds_cover_more_at_the_precision(outcomes: list[Outcome], precision: float) -> None:
    def right(some: list[Outcome]) -> bool:
        return sum(one.right for one in some) >= precision * len(some)

    fitted = _covered(outcomes, *find_thresholds(outcomes, precision))
    assert right(fitted)
    choices = [None, *(number / 4 for number in range(8))]
    every = [_covered(outcomes, floor, least) for floor in choices for least in choices]
    assert len(fitted) == max(len(some) for some in every if right(some))


@pytest.mark.holds("routing.entry.fit")
def test_a_policy_is_fitted_to_examples_of_which_some_belong_nowhere() -> None:
    graph = (
        skill_graph()
        .entry(define_skill("refunds", "refund money order", "b"))
        .entry(define_skill("weather", "rain sun forecast", "b"))
        .entry_by(keyword_scorer(), EntryPolicy(temperature=0.3))
        .build()
    )
    examples = [
        ("refund money", "refunds"),
        ("rain forecast", "weather"),
        ("sing a song", None),
        ("tell the order", None),
    ]
    policy = asyncio.run(fit_entry_policy(graph, examples, precision=1.0))
    assert policy.temperature == 0.3
    chosen = skill_graph().entry(graph.skill("refunds")).entry(graph.skill("weather"))
    fitted = chosen.entry_by(keyword_scorer(), policy).build()
    assert [scored(fitted, text).chosen for text, _ in examples] == ["refunds", "weather", None, None]
    assert asyncio.run(fit_entry_policy(graph, examples, precision=0)) == EntryPolicy(temperature=0.3)
    hopeless = asyncio.run(fit_entry_policy(graph, [("refund", "weather")], precision=0.5))
    assert hopeless.floor is not None
    with pytest.raises(SkillGraphError):
        asyncio.run(fit_entry_policy(graph, examples, precision=1.5))
    with pytest.raises(SkillGraphError):
        asyncio.run(fit_entry_policy(skill_graph().entry(skill("a")).build(), examples))


@pytest.mark.holds("routing.entry.examples")
def test_examples_take_part_in_scoring() -> None:
    embedder = Letters()
    lines = "I want my money back\n\n  give back what I paid  \n"
    refunds = define_skill("refunds", "zzz", "b", metadata={"skillgraph.examples": lines})
    listed = define_skill("songs", "yyy", "b", metadata={"skillgraph.examples": ["sing a song", "play music"]})
    assert refunds.examples == ("I want my money back", "give back what I paid")
    assert listed.examples == ("sing a song", "play music")
    for choose in (lambda b: b.entry_by(keyword_scorer()), lambda b: b.entry_by_relevance(embedder)):
        graph = choose(skill_graph().entry(skill("other")).entry(listed).entry(refunds)).build()
        assert scored(graph, "I paid, I want it back").chosen == "refunds"
        assert scored(graph, "play a song").chosen == "songs"
    texts = ["About other", "yyy", "sing a song", "play music", "zzz", *refunds.examples]
    assert embedder.calls == [["I paid, I want it back", *texts], ["play a song"]]


@pytest.mark.holds("routing.entry.examples", "routing.laws.deterministic")
def test_what_was_scored_before_does_not_change_a_score() -> None:
    def graph() -> SkillGraph:
        builder = skill_graph()
        for name in ("alpha", "beta", "gamma"):
            builder.entry(
                define_skill(name, name, "b", metadata={"skillgraph.examples": [f"{name} one", f"{name} two"]})
            )
        return builder.entry_by_relevance(Letters()).build()

    used = graph()
    for message in ("alpha", "something", "two"):
        scored(used, message)
    assert scored(used, "beta two") == scored(graph(), "beta two")
