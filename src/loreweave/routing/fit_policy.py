"""Fits a policy's thresholds to examples: the widest coverage at the precision that is asked for."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from loreweave.contracts.route_values import RouteContext
from loreweave.routing.built_graph import SkillGraph
from loreweave.routing.entry_scoring import find_best, find_candidates, score_candidates
from loreweave.routing.entry_values import EntryPolicy
from loreweave.routing.graph_problems import SkillGraphError


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the scorer would choose for one example: how good, how clear, and whether it is right."""

    best: float
    margin: float
    right: bool


async def fit_entry_policy(
    graph: SkillGraph, examples: Iterable[tuple[str, str | None]], precision: float = 0.95
) -> EntryPolicy:
    """The floor and margin that abstain least while choices are right at least `precision` of the time.

    An example is a message and the id of its skill, or None where it belongs nowhere. Where no thresholds reach
    the precision, those that choose nothing are answered.
    """
    if not isinstance(precision, int | float) or not 0 <= precision <= 1:
        raise SkillGraphError("precision must be between 0 and 1")
    choice = graph.declarations.choice
    if choice.kind != "scorer":
        raise SkillGraphError("this graph has no scorer to fit a policy to; build it with entry_by")
    outcomes = []
    for text, wanted in examples:
        candidates = find_candidates(graph.tables, graph.declarations, RouteContext(user_message=text))
        if candidates:
            scores = await score_candidates(choice.scorer, text, candidates)
            chosen, best, margin = find_best(scores)
            right = wanted is not None and candidates[chosen].id == wanted
            outcomes.append(Outcome(best, math.inf if margin is None else margin, right))
    floor, least = find_thresholds(outcomes, precision)
    return replace(choice.policy or EntryPolicy(), floor=floor, min_margin=least)


def find_thresholds(outcomes: Sequence[Outcome], precision: float) -> tuple[float | None, float | None]:
    """Floor and least margin; None where nothing need be held back. Of equal coverage, the higher floor."""
    if not outcomes:
        return None, None
    wanted = Fraction(str(precision))
    margins = sorted({outcome.margin for outcome in outcomes})
    place = {margin: index for index, margin in enumerate(margins)}
    balance = _Balances(len(margins))
    counted = [0] * len(margins)
    most, floor, least = 0, math.nextafter(max(one.best for one in outcomes), math.inf), margins[0]
    ordered = sorted(outcomes, key=lambda outcome: -outcome.best)
    for number, outcome in enumerate(ordered):
        index = place[outcome.margin]
        counted[index] += 1
        # Right choices weigh against wrong ones so that a sum of at least zero means: precise enough.
        balance.add(index, wanted.denominator * outcome.right - wanted.numerator)
        if number + 1 < len(ordered) and ordered[number + 1].best == outcome.best:
            continue  # a floor cannot part equals
        if number + 1 <= most:
            continue
        first = balance.first_balanced()
        covered = sum(counted[first:]) if first is not None else 0
        if first is not None and covered > most:
            most, floor, least = covered, outcome.best, margins[first]
    lowest = ordered[-1].best
    return (None if floor == lowest and most else floor), (None if least == margins[0] else least)


class _Balances:
    """Sums over all margins from each one up; finds the lowest margin whose sum is not below zero.

    A tree of sums kept in one list: adding and finding take the logarithm of the number of margins.
    """

    def __init__(self, size: int) -> None:
        self._width = 1 << max(0, size - 1).bit_length()
        self._sums = [0] * (2 * self._width)
        self._best: list[int | float] = [0] * (self._width + size) + [-math.inf] * (self._width - size)

    def add(self, index: int, value: int) -> None:
        node = index + self._width
        self._sums[node] += value
        self._best[node] = self._sums[node]
        while node > 1:
            node //= 2
            left, right = 2 * node, 2 * node + 1
            self._sums[node] = self._sums[left] + self._sums[right]
            # The best sum of a tail that begins in this part and runs to its end; zero where nothing was added.
            self._best[node] = max(self._best[right], self._best[left] + self._sums[right])

    def first_balanced(self) -> int | None:
        """The lowest index from which the sum to the end is at least zero."""
        node, beyond = 1, 0
        if self._best[1] < 0:
            return None
        while node < self._width:
            right = 2 * node + 1
            if self._best[2 * node] + self._sums[right] + beyond >= 0:
                node, beyond = 2 * node, beyond + self._sums[right]
            else:
                node = right
        return node - self._width
