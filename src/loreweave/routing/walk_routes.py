"""A walk of several steps, each told in words: where it led, which rule won, and what became of the others."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from loreweave.contracts.route import ExpectedMove, RouteVerdict, WalkedStep, WalkStep
from loreweave.contracts.route_values import EntryScoring, Move, RouteContext, ToolResult
from loreweave.routing.agent.route_run import enter_chosen, score_start
from loreweave.routing.agent.run_state import RunState
from loreweave.routing.built_graph import SkillGraph
from loreweave.routing.declaring.conditions import one_question
from loreweave.routing.declaring.declarations import DeclaredRoute
from loreweave.routing.explain_move import active_in
from loreweave.routing.graph_problems import quoted
from loreweave.routing.rule_words import (
    entry_words,
    in_words,
    route_words,
    why_not_answered,
    why_not_message,
    why_not_result,
)

SCORING_SECONDS = 5.0
NO_RESULT = "no tool has returned"


def walk_routes(graph: SkillGraph, steps: Sequence[WalkStep]) -> list[WalkedStep]:
    """All patterns together have the time of one question, however many steps there are."""
    with one_question():
        return list(_walk(graph, steps))


def _walk(graph: SkillGraph, steps: Sequence[WalkStep]) -> Iterator[WalkedStep]:
    """A step with a message begins a turn, as in a run that keeps nothing from one turn to the next."""
    state = RunState()
    for step in steps:
        if step.message is not None:
            state = RunState(message=step.message)
        state.results = list(step.toolResults)
        if graph.tables.tree is None:
            state.pick = step.pick
        else:
            state.pin = step.pick or state.pin
        ctx = replace(state.context(state.iteration + 1), answers=step.answers)
        move, scoring = _move(graph, state, ctx)
        considered = list(_Considered(graph, ctx, move, scoring).verdicts())
        state.iteration += 1
        state.arrive(move)
        active = active_in(graph.tables, move)
        yield WalkedStep(
            told=_told(move, considered, scoring),
            move=move,
            active=list(active),
            reachable=list(graph.reachable_skills(move.to)),
            tools=list(dict.fromkeys(name for skill in active for name in graph.skill(skill).tool_names)),
            path=list(state.path),
            state=state.carried,
            scoring=scoring,
            considered=considered,
            holds=None if step.expect is None else _holds(graph, move, step.expect),
        )


def _move(graph: SkillGraph, state: RunState, ctx: RouteContext) -> tuple[Move, EntryScoring | None]:
    """A turn that begins outside of every skill is begun by the scorer, where there is one."""
    if graph.score_entries is None or state.cursor is not None or state.iteration > 0:
        return graph.explain_next_skill(ctx), None
    scoring = asyncio.run(score_start(graph, ctx, SCORING_SECONDS))
    if isinstance(scoring, str):
        return graph.explain_next_skill(ctx), None
    if scoring.chosen is not None:
        return enter_chosen(graph, scoring.chosen, None), scoring
    state.entry_menu = scoring.abstained is not None
    return graph.explain_next_skill(replace(ctx, entry_menu=state.entry_menu)), scoring


def _holds(graph: SkillGraph, move: Move, expected: ExpectedMove) -> bool:
    landed = move.to if graph.tables.tree is None else move.leaf
    return landed == expected.skill and expected.by in (None, move.by)


@dataclass(frozen=True, slots=True)
class _Considered:
    """What became of each edge that a step looked at."""

    graph: SkillGraph
    ctx: RouteContext
    move: Move
    scoring: EntryScoring | None

    def verdicts(self) -> Iterator[RouteVerdict]:
        if self.graph.tables.tree is not None:
            yield from self._questions()
        elif self.move.from_ is None:
            yield from self._entries()
        else:
            yield from self._routes(self.move.from_)

    def _questions(self) -> Iterator[RouteVerdict]:
        tree = self.graph.tables.tree
        assert tree is not None
        if self.move.by == "model-pick":
            return
        numbers = {(edge.from_, edge.label): number for number, edge in enumerate(tree.edges)}
        at = tree.root
        while not isinstance(at, str):
            diamond = tree.diamonds[at]
            unmet = why_not_message(diamond.predicate, self.ctx)
            way, other = ("yes", "no") if unmet is None else ("no", "yes")
            why = unmet or in_words(diamond.predicate)
            yield RouteVerdict(edge=numbers[diamond.id, way], verdict="won", why=why)
            yield RouteVerdict(edge=numbers[diamond.id, other], verdict="no match", why=why)
            at = diamond.yes if unmet is None else diamond.no

    def _entries(self) -> Iterator[RouteVerdict]:
        move, tables = self.move, self.graph.tables
        is_read = tables.by_read or self.ctx.entry_menu
        scores = {one.id: one for one in self.scoring.ranked} if self.scoring else {}
        is_won = False
        for number, entry in enumerate(self.graph.declarations.entries):
            unmet = why_not_message(entry.when, self.ctx) if entry.when is not None else None
            if entry.to not in tables.positions:
                verdict, why = "no match", f"there is no skill {quoted(entry.to)}"
            elif move.to == entry.to and not is_won and (move.by == "model-pick" or unmet is None):
                is_won = True
                why = "the model picked it" if move.by == "model-pick" else entry_words(self.graph, entry)
                verdict, why = "won", f"{why}, {_score(scores[entry.to].score)}" if entry.to in scores else why
            elif unmet is not None:
                verdict, why = "no match", unmet
            elif entry.to in scores:
                verdict, why = "beaten", _score(scores[entry.to].score)
            elif is_read:
                verdict, why = "not asked", "the model reads which entry it wants"
            else:
                verdict, why = "beaten", f"{quoted(move.to or '')} stands before it"
            yield RouteVerdict(edge=number, verdict=verdict, why=why)  # type: ignore[arg-type]

    def _routes(self, cursor: str) -> Iterator[RouteVerdict]:
        """Rules by their priority, then what only the model takes."""
        declared = self.graph.declarations
        numbered = [one for one in enumerate(declared.routes, len(declared.entries)) if one[1].from_ == cursor]
        rules = sorted((one for one in numbered if one[1].conditioned), key=lambda one: -one[1].priority)
        won: DeclaredRoute | None = None
        for number, route in rules:
            unmet = self._unmet(route)
            if unmet is not None:
                yield RouteVerdict(edge=number, verdict="no match", why=unmet)
            elif won is None and self._is_limited():
                yield RouteVerdict(edge=number, verdict="beaten", why=f"it holds, but {_limit(self.move)}")
            elif won is None and self.move.by == "route" and route.edge == self.move.edge:
                won = route
                yield RouteVerdict(edge=number, verdict="won", why=route_words(route))
            else:
                yield RouteVerdict(edge=number, verdict="beaten", why=self._beaten_by(route))
        for number, route in numbered:
            if not route.conditioned:
                yield self._link(number, route)
        if self.move.by == "model-pick" and all(route.to != self.move.to for _, route in numbered):
            entry = next(n for n, one in enumerate(declared.entries) if one.to == self.move.to)
            yield RouteVerdict(edge=entry, verdict="won", why="the model picked it, as it may any entry")

    def _unmet(self, route: DeclaredRoute) -> str | None:
        if route.to not in self.graph.tables.positions:
            return f"there is no skill {quoted(route.to)}"
        results: Sequence[ToolResult] = self.ctx.tool_results or ()
        if not results:
            is_no = route.when is not None and not self.ctx.answers.get(getattr(route.when, "__name__", ""))
            return f"{NO_RESULT}, and {why_not_answered(route)}" if is_no else NO_RESULT
        reasons = [why_not_result(route, result, self.ctx) for result in results]
        return None if None in reasons else "; ".join(dict.fromkeys(reason for reason in reasons if reason))

    def _beaten_by(self, route: DeclaredRoute) -> str:
        winner = self.move.edge
        if winner is None:
            return "it holds"
        if winner.priority > route.priority:
            order = f"{winner.priority} before {route.priority}"
            return f"it holds too, but the rule to {quoted(winner.to)} goes first: {order}"
        return f"it holds too, but the rule to {quoted(winner.to)} came first"

    def _link(self, number: int, route: DeclaredRoute) -> RouteVerdict:
        if self.ctx.pending_pick != route.to:
            return RouteVerdict(edge=number, verdict="not asked", why="the model did not pick it")
        if self.move.by == "model-pick":
            return RouteVerdict(edge=number, verdict="won", why="the model picked it")
        why = _limit(self.move) if self._is_limited() else "a rule goes before the model's pick"
        return RouteVerdict(edge=number, verdict="beaten", why=f"the model picked it, but {why}")

    def _is_limited(self) -> bool:
        return self.move.limit is not None


def _score(score: float) -> str:
    return f"score {score:.2f}"


def _limit(move: Move) -> str:
    assert move.limit is not None
    most = "this turn has made all its hops" if move.limit.code == "max_hops" else "it was entered too often this turn"
    return f"{most} ({move.limit.code})"


def _told(move: Move, considered: list[RouteVerdict], scoring: EntryScoring | None) -> str:
    """One line for people: what happened and why, then what else is to be known."""
    won = next((one.why for one in reversed(considered) if one.verdict == "won"), "")
    here = quoted(move.to or "")
    said = {
        "entry": f"Starts in {here}: {won}.",
        "route": f"Goes to {here}: {won}." if move.from_ != move.to else f"Enters {here} again: {won}.",
        "model-pick": f"Goes to {quoted(move.leaf or move.to or '')}: the model picked it.",
        "stay": f"Stays in {here}: no rule holds.",
        "limit": f"{f'Stays in {here}' if move.to else 'Nowhere yet'}: {_limit(move) if move.limit else ''}.",
        "none": "Nowhere yet: no entry starts by itself. The model may pick one.",
        "tree": f"{quoted(move.leaf)} is active: {won}." if move.leaf else "No skill is active: a question failed.",
    }[move.by]
    more = [
        f"Nothing scored high enough ({scoring.abstained})." if scoring and scoring.abstained else "",
        f"There is no skill {quoted(move.dropped_cursor)} any more." if move.dropped_cursor else "",
        f"{quoted(move.rejected_pick)} cannot be picked from here." if move.rejected_pick else "",
        f"The model had picked {quoted(move.superseded_pick)}." if move.superseded_pick else "",
        f"Another result led to {quoted(move.conflict.losers[0].to)}." if move.conflict else "",
        f"Carries {', '.join(move.payload)} along." if move.payload else "",
        "This is an end." if move.ended else "",
    ]
    return " ".join([said, *filter(None, more)])
