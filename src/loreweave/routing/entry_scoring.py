"""Scores the entries against the message, and chooses one or abstains."""

from __future__ import annotations

import inspect
import math
from collections.abc import Sequence
from typing import Any

from loreweave.contracts.route_values import EntryScore, EntryScoring, RouteContext
from loreweave.routing.declaring.conditions import PredicateFailed, ask_predicate, one_question
from loreweave.routing.declaring.declarations import Declarations
from loreweave.routing.entry_values import EntryCandidate, EntryPolicy, EntryScorer, check_temperature
from loreweave.routing.graph_problems import SkillGraphError
from loreweave.routing.route_tables import RouteTables

_NO_POLICY = EntryPolicy()


async def score_entries(
    tables: RouteTables, declared: Declarations, scorer: EntryScorer, policy: EntryPolicy | None, ctx: RouteContext
) -> EntryScoring:
    """Errors of the scorer, and cancellation, are the caller's to see."""
    candidates = find_candidates(tables, declared, ctx)
    if not candidates:
        return EntryScoring(scorer.name, None)
    scores = await score_candidates(scorer, ctx.user_message, candidates)
    return choose_best(scorer.name, [one.id for one in candidates], scores, policy)


def find_candidates(tables: RouteTables, declared: Declarations, ctx: RouteContext) -> list[EntryCandidate]:
    """Entries with no or a true condition, once each, as declared."""
    found: dict[str, None] = {}
    with one_question():
        for entry in tables.entries:
            name, when = entry.declared.to, entry.declared.when
            if name not in found and (when is None or _holds(when, ctx)):
                found[name] = None
    return [_candidate(tables, declared, name) for name in found]


def _candidate(tables: RouteTables, declared: Declarations, name: str) -> EntryCandidate:
    known = tables.candidates.get(name)
    if known is None:
        skill = declared.skills[tables.positions[name]]
        known = tables.candidates[name] = EntryCandidate(skill.id, skill.description, skill.examples)
    return known


def _holds(when: Any, ctx: RouteContext) -> bool:
    try:
        return ask_predicate(when, ctx)
    except PredicateFailed:
        return False


async def score_candidates(scorer: EntryScorer, message: str, candidates: Sequence[EntryCandidate]) -> list[float]:
    """One number a candidate; anything else is the scorer's mistake."""
    answered: Any = scorer.score(message, tuple(candidates))
    if inspect.isawaitable(answered):
        answered = await answered
    try:
        scores = [float(score) for score in answered]
    except (TypeError, ValueError) as error:
        raise SkillGraphError(f'the scorer "{scorer.name}" must answer a list of numbers: {error}') from error
    if len(scores) != len(candidates):
        raise SkillGraphError(
            f'the scorer "{scorer.name}" answered {len(scores)} numbers for {len(candidates)} candidates'
        )
    return scores


def choose_best(scorer: str, ids: Sequence[str], scores: Sequence[float], policy: EntryPolicy | None) -> EntryScoring:
    """The first of the best; None where the policy says that it is not good enough."""
    shares = softmax(scores, (policy or _NO_POLICY).temperature)
    ranked = tuple(EntryScore(name, score, share) for name, score, share in zip(ids, scores, shares, strict=True))
    chosen, best, margin = find_best(scores)
    abstained = None
    if policy is not None and policy.floor is not None and best < policy.floor:
        abstained = "floor"
    elif policy is not None and policy.min_margin is not None and margin is not None and margin < policy.min_margin:
        abstained = "margin"
    return EntryScoring(
        scorer,
        None if abstained else ids[chosen],
        ranked,
        margin,
        margin == 0,
        abstained,  # type: ignore[arg-type]
    )


def find_best(scores: Sequence[float]) -> tuple[int, float, float | None]:
    """Which is best, its score, and how far the second is behind; a score that is not finite cannot win."""
    contenders = [place for place, score in enumerate(scores) if math.isfinite(score)]
    if not contenders:  # all alike, so the first
        return 0, -math.inf, 0.0 if len(scores) > 1 else None
    chosen = max(contenders, key=lambda place: scores[place])
    others = [scores[place] for place in contenders if place != chosen]
    return chosen, scores[chosen], scores[chosen] - max(others) if others else None


def softmax(scores: Sequence[float], temperature: float = 1.0) -> tuple[float, ...]:
    """Shares that add up to one. What is not finite gets none, unless nothing is: then all get the same."""
    check_temperature(temperature)
    finite = [score for score in scores if math.isfinite(score)]
    if not finite:
        return tuple(1 / len(scores) for _ in scores)
    best = max(finite)
    weights = [math.exp((score - best) / temperature) if math.isfinite(score) else 0.0 for score in scores]
    total = math.fsum(weights)
    return tuple(weight / total for weight in weights)
