"""Relations as they stand now: written between original ids, read through every merge that can still be undone.

A merged memory that `inherits` has, besides the relations given to it, those of the memories that went into it,
folded by the strategy of the merge. Where both ends of a relation are such memories, merges are read in the order in
which they were made, whichever end they are at: what is read from one end is what is read from the other, and what
is written down when the oldest can no longer be undone is what was read before.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

from loreweave.entities.stored_memory import LIVE, MERGED, PLACES, SUPERSEDES, Memory, Relation
from loreweave.seams.storage import memory_shelf, memory_ties_shelf
from loreweave.seams.storage.store import Connection

Cells = dict[tuple[str, str], float]  # (source, target) → weight, of relations of one type


@dataclass(frozen=True, slots=True)
class StandingRelation:
    """A relation of one memory with another, live or asleep."""

    is_outgoing: bool
    other: Memory
    type: str
    weight: float


class RelationGraph:
    """Reads one state of the store; made anew for each call."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._memories: dict[str, Memory | None] = {}
        self._sources: dict[str, list[Memory]] = {}

    def know(self, memories: Iterable[Memory]) -> None:
        """Memories that were read already."""
        self._memories.update((memory.node_id, memory) for memory in memories)

    def standing(self, memory: Memory) -> list[StandingRelation]:
        """Every relation of a memory, whether or not the other end is live, in a fixed order."""
        members = {member.node_id for member in self.members(memory)}
        rows = memory_ties_shelf.relations_of(self._connection, members)
        self._load(chain.from_iterable((row.source_id, row.target_id) for row in rows))
        groups: dict[tuple[bool, str, str], list[Relation]] = {}
        for row in rows:
            is_outgoing = row.source_id in members
            if is_outgoing and row.target_id in members:
                continue  # among what was merged
            other = self.resolve(row.target_id if is_outgoing else row.source_id)
            if other is not None:
                groups.setdefault((is_outgoing, other.node_id, row.type), []).append(row)
        found = []
        for (is_outgoing, other_id, type), written in sorted(groups.items()):
            other = self._known(other_id)
            assert other is not None
            source, target = (memory, other) if is_outgoing else (other, memory)
            cells = {(row.source_id, row.target_id): row.weight for row in written}
            weight = self._folded(source, target, type, cells).get((source.node_id, target.node_id))
            if weight is not None:
                found.append(StandingRelation(is_outgoing, other, type, weight))
        return found

    def live_relations(self, memory: Memory) -> list[Relation]:
        """What a reader sees: both ends live, one relation for each pair, type and direction."""
        return [
            Relation(memory.node_id, each.other.node_id, each.type, each.weight)
            if each.is_outgoing
            else Relation(each.other.node_id, memory.node_id, each.type, each.weight)
            for each in self.standing(memory)
            if each.other.state == LIVE
        ]

    def resolve(self, node_id: str) -> Memory | None:
        """The memory in which this one is found now; none where it was erased, or merged into one of its own ways."""
        memory = self._known(node_id)
        while memory is not None and memory.state == MERGED:
            container = self._known(memory.merged_into or "")
            if container is None or not container.inherits:
                return None
            memory = container
        return memory

    def members(self, memory: Memory) -> list[Memory]:
        """A memory and all that speaks through it."""
        found = [memory]
        for source in self._sources_of(memory):
            found += self.members(source)
        return found

    def folded_here(self, memory: Memory, type: str, cells: Cells, *, is_source: bool) -> Cells:
        """Weights between original ids, as they are after every merge at this end."""
        for merged in sorted(self.members(memory), key=lambda member: member.key):
            cells = self._collapsed(merged, cells, type, is_source=is_source)
        return cells

    def _folded(self, source: Memory, target: Memory, type: str, cells: Cells) -> Cells:
        """The same after every merge at either end."""
        ends = [(member.key, member, True) for member in self.members(source)]
        ends += [(member.key, member, False) for member in self.members(target)]
        for _, merged, is_source in sorted(ends, key=lambda each: each[0]):
            cells = self._collapsed(merged, cells, type, is_source=is_source)
        return cells

    def _collapsed(self, merged: Memory, cells: Cells, type: str, *, is_source: bool) -> Cells:
        """The weights after one merge: those of its sources are its own now."""
        if not merged.inherits:
            return cells
        end = 0 if is_source else 1
        went_in = {memory.node_id: memory.importance for memory in self._sources_of(merged)}
        kept = {ends: weight for ends, weight in cells.items() if ends[end] not in went_in}
        if type == SUPERSEDES and not is_source:  # who supersedes one of them does not supersede the rest
            return kept
        strategy = self._strategy(merged)
        for other in {ends[1 - end] for ends in cells if ends[end] in went_in}:
            found = [(went_in[one], cells.get((one, other) if is_source else (other, one))) for one in went_in]
            weight = fold(strategy, found, always=type == SUPERSEDES)
            own = (merged.node_id, other) if is_source else (other, merged.node_id)
            if weight is not None:
                kept[own] = max(weight, kept.get(own, 0.0))
        return kept

    def _strategy(self, merged: Memory) -> str:
        merge = memory_ties_shelf.merge_into(self._connection, merged.node_id)
        assert merge is not None
        return merge.strategy

    def _sources_of(self, memory: Memory) -> list[Memory]:
        if not memory.inherits:
            return []
        if memory.node_id not in self._sources:
            sources = memory_shelf.sources_of(self._connection, memory.node_id)
            self.know(sources)
            self._sources[memory.node_id] = sources
        return self._sources[memory.node_id]

    def _known(self, node_id: str) -> Memory | None:
        if node_id not in self._memories:
            self._memories[node_id] = memory_shelf.find_memory(self._connection, node_id)
        return self._memories[node_id]

    def _load(self, node_ids: Iterable[str]) -> None:
        missing = {node_id for node_id in node_ids if node_id not in self._memories}
        found = memory_shelf.find_memories(self._connection, sorted(missing))
        self._memories.update((node_id, found.get(node_id)) for node_id in missing)


def fold(strategy: str, parts: Sequence[tuple[float, float | None]], *, always: bool) -> float | None:
    """One weight out of (importance of a source, its weight). `always`: it stays under every strategy."""
    present = [weight for _, weight in parts if weight is not None]
    if not present:
        return None
    if strategy == "union":
        return max(present)
    if strategy == "intersection":
        if len(present) == len(parts):
            return min(present)
        return max(present) if always else None
    mean = weighted_mean([(importance, weight or 0.0) for importance, weight in parts])
    return mean or (max(present) if always else None)


def weighted_mean(parts: Sequence[tuple[float, float]]) -> float:
    """Mean of values by importance; where nothing is important, the plain mean."""
    total = sum(importance for importance, _ in parts)
    if total <= 0:
        return round(sum(value for _, value in parts) / len(parts), PLACES)
    return round(sum(importance * value for importance, value in parts) / total, PLACES)


def superseding_memory(graph: RelationGraph, memory: Memory) -> Memory | None:
    """The live memory that took the place of this one; of several the one that did so first."""
    found = [
        each.other
        for each in graph.standing(memory)
        if each.type == SUPERSEDES and not each.is_outgoing and each.other.state == LIVE
    ]
    return min(found, key=lambda other: (other.starts, other.node_id), default=None)


def ended_memories(connection: Connection) -> dict[int, int]:
    """Key → since when it is superseded, for every memory that is."""
    graph = RelationGraph(connection)
    rows = memory_ties_shelf.superseding(connection)
    ends = {end for row in rows for end in (row.source_id, row.target_id)}
    known = memory_shelf.find_memories(connection, sorted(ends))
    graph.know(known.values())
    ended: dict[int, int] = {}
    for row in rows:
        after, before = graph.resolve(row.source_id), known.get(row.target_id)
        if after is None or before is None or after.state != LIVE or before.state != LIVE or after == before:
            continue
        ended[before.key] = min(after.starts, ended.get(before.key, after.starts))
    return ended
