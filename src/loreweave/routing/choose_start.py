"""The entry by score at the start of a turn; a scorer that fails or dawdles costs the choice, never the turn."""

from __future__ import annotations

import asyncio

from loreweave.routing.entry_values import EntryScoring
from loreweave.routing.route_values import Move, RouteContext
from loreweave.routing.skill_graph import SkillGraph


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
