"""One walk through a graph: what the caller's loop tells it, and where it is now."""

from __future__ import annotations

import asyncio
import inspect
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from loreweave.contracts.route_values import EntryScoring, Move, ReadOnlyDict, RouteContext, ToolResult, read_only
from loreweave.routing.agent.run_state import (
    RunState,
    describe_move,
    describe_rejection,
    describe_scoring,
    read_snapshot,
    write_snapshot,
)
from loreweave.routing.built_graph import SkillGraph
from loreweave.routing.graph_problems import SkillGraphError

_LOGGER = logging.getLogger("loreweave.routing")


class RouteRun:
    """A cursor over a graph. `start` a turn, tell what tools returned and what the model reads, then `step`.

    A turn forgets where the last one was, unless `keep` is "conversation". `snapshot` holds everything as plain JSON.
    """

    def __init__(
        self,
        graph: SkillGraph,
        *,
        keep: Literal["turn", "conversation"] = "turn",
        snapshot: Mapping[str, Any] | None = None,
        on_event: Callable[[dict[str, Any]], object] | None = None,
        entry_timeout_s: float | None = 5.0,
    ) -> None:
        if not isinstance(graph, SkillGraph):
            raise SkillGraphError(f"a run needs a built graph, not {type(graph).__name__}")
        if keep not in ("turn", "conversation"):
            raise SkillGraphError(f'keep is "turn" or "conversation", not {keep!r}')
        if inspect.iscoroutinefunction(on_event):
            raise SkillGraphError("on_event must be a plain function; this one is a coroutine function")
        self.graph = graph
        self.keep = keep
        self.entry_timeout_s = entry_timeout_s
        self._on_event = on_event
        self._state = RunState() if snapshot is None else read_snapshot(snapshot)
        self._restored = snapshot is not None

    @property
    def cursor(self) -> str | None:
        return self._state.cursor

    @property
    def active(self) -> tuple[str, ...]:
        """The skills whose bodies and tools are in force."""
        tables, cursor, leaf = self.graph.tables, self._state.cursor, self._state.leaf
        if tables.tree is None:
            return tables.active_at(cursor if cursor in tables.positions else None)
        return (leaf,) if leaf is not None and leaf in tables.leaf_set else ()

    @property
    def tools(self) -> tuple[str, ...]:
        """Names of the tools that active skills own; of all skills, where the graph does not scope tools."""
        owners = (self.graph.skill(name) for name in self.active) if self.graph.scope_tools else self.graph.skills
        return tuple(dict.fromkeys(tool for owner in owners for tool in owner.tool_names))

    @property
    def reachable(self) -> tuple[str, ...]:
        """The skills that the model may open now."""
        return self.graph.reachable_skills(self._state.cursor)

    @property
    def path(self) -> tuple[str, ...]:
        """The skills entered this turn."""
        return self._state.path

    @property
    def state(self) -> ReadOnlyDict:
        """What hops have handed over."""
        return read_only(self._state.carried)

    @property
    def iteration(self) -> int:
        return self._state.iteration

    @property
    def done(self) -> bool:
        """Whether the walk stands on an end."""
        state, tables = self._state, self.graph.tables
        return (state.cursor if tables.tree is None else state.leaf) in tables.ends

    def snapshot(self) -> dict[str, Any]:
        """Everything, as plain JSON; what a tool returned that is no JSON is kept as text."""
        return write_snapshot(self._state)

    async def start(self, message: str) -> Move:
        """A new turn, at iteration 1."""
        if not isinstance(message, str):
            raise SkillGraphError("a turn starts with the text of a message")
        kept = self._state if self.keep == "conversation" or self._restored else RunState()
        self._restored = False
        self._state = state = RunState(message=message, iteration=1, cursor=kept.cursor, carried=kept.carried)
        if kept.cursor is not None and kept.cursor in self.graph.tables.positions:
            state.path = (kept.cursor,)
        elif self.graph.score_entries is not None:
            return await self._start_by_score()
        return self._evaluate(1)

    async def _start_by_score(self) -> Move:
        state = self._state
        dropped, state.cursor = state.cursor, None  # unset for whoever cancels the scoring
        scoring = await score_start(self.graph, state.context(1), self.entry_timeout_s)
        state.cursor = dropped  # the move tells of it
        if isinstance(scoring, str):
            self._tell({"type": "skill.entry_fallback", "reason": scoring})
            return self._evaluate(1)
        self._tell(describe_scoring(scoring))
        if scoring.chosen is not None:
            return self._arrive(enter_chosen(self.graph, scoring.chosen, dropped), 1)
        state.entry_menu = scoring.abstained is not None
        return self._evaluate(1)

    def tool_returned(self, result: ToolResult) -> None:
        """Collected for the next step, which uses it up."""
        if not isinstance(result, ToolResult):
            raise SkillGraphError(f"what a tool returned is told as a ToolResult, not as {type(result).__name__}")
        self._state.results.append(result)

    def read_skill(self, id: str) -> ReadAnswer:
        """The model asks for a skill: the pick of the next step, the last one counts; in a tree, for the turn."""
        answer = answer_read(self.graph, self._state.cursor, self.reachable, id)
        if not answer.accepted:
            self._tell(describe_rejection(id, self._state.cursor, answer.allowed))
        elif self.graph.tables.tree is not None:
            self._state.pin = id
        else:
            self._state.pick = id
        return answer

    def step(self) -> Move:
        """The next iteration: evaluates what was collected, and moves."""
        if self._state.iteration < 1:
            raise SkillGraphError("a turn has to be started before its next step")
        self._restored = False
        return self._evaluate(self._state.iteration + 1)

    def _evaluate(self, iteration: int) -> Move:
        return self._arrive(self.graph.explain_next_skill(self._state.context(iteration)), iteration)

    def _arrive(self, move: Move, iteration: int) -> Move:
        """Everything changes here, once the move is known: a condition that raises leaves the run as it was."""
        state, allowed = self._state, self.reachable
        state.iteration, state.results = iteration, []
        state.arrive(move)
        for event in describe_move(move, allowed):
            self._tell(event)
        return move

    def _tell(self, event: dict[str, Any]) -> None:
        """A listener that fails is reported in the log; the walk goes on."""
        if self._on_event is None:
            return
        try:
            self._on_event({**event, "iteration": self._state.iteration})
        except Exception:
            _LOGGER.exception("a listener of %s failed", event["type"])


async def score_start(graph: SkillGraph, ctx: RouteContext, seconds: float | None) -> EntryScoring | str:
    """The scoring, or why there is none. Cancellation goes on to the caller."""
    assert graph.score_entries is not None
    try:
        async with asyncio.timeout(seconds) as patience:
            return await graph.score_entries(ctx)
    except Exception as error:
        if isinstance(error, TimeoutError) and patience.expired():
            return "timeout"
        text = str(error)
        return f"{type(error).__name__}: {text}" if text else type(error).__name__


def enter_chosen(graph: SkillGraph, chosen: str, dropped: str | None) -> Move:
    """The move onto the entry that scored best."""
    edge = next(entry.edge for entry in graph.tables.entries if entry.declared.to == chosen)
    return Move(to=chosen, by="entry", edge=edge, dropped_cursor=dropped, ended=chosen in graph.tables.ends)


@dataclass(frozen=True, slots=True)
class ReadAnswer:
    """What the model is told: the skill's body, or which ids are allowed."""

    accepted: bool
    text: str
    allowed: tuple[str, ...]


def answer_read(graph: SkillGraph, cursor: str | None, allowed: tuple[str, ...], requested: str) -> ReadAnswer:
    if requested in allowed:
        return ReadAnswer(True, graph.skill(requested).body, allowed)
    return ReadAnswer(False, f"{_reason(cursor, requested)} {_allowed(allowed)}", allowed)


def _reason(cursor: str | None, requested: str) -> str:
    if requested == cursor:
        return f'The skill "{requested}" is open already.'
    return f'The skill "{requested}" cannot be opened from here.'


def _allowed(allowed: tuple[str, ...]) -> str:
    if not allowed:
        return "There is no other skill to open."
    named = ", ".join(f'"{one}"' for one in allowed)  # exactly as they are: the model repeats them
    return f"Allowed: {named}."
