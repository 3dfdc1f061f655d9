"""What speaks against a merge, in sentences that hold ids and numbers only."""

from collections.abc import Sequence
from itertools import combinations

from loreweave.clock import format_instant
from loreweave.entities.memory import CONTRADICTS, LIVE, SUPERSEDES, Memory
from loreweave.language.terms import terms
from loreweave.memory.merging.relation_graph import RelationGraph

LOW_SIMILARITY = 0.1


def find_conflicts(graph: RelationGraph, sources: Sequence[Memory]) -> list[str]:
    """Contradiction and succession among the sources, succession from outside, times that never meet."""
    ids = {memory.node_id for memory in sources}
    found = set()
    for memory in sources:
        for relation in graph.standing(memory):
            if relation.other.state != LIVE:
                continue
            other = relation.other.node_id
            one, two = (memory.node_id, other) if relation.is_outgoing else (other, memory.node_id)
            if other in ids and relation.type in (CONTRADICTS, SUPERSEDES):
                found.add(f"{one} {relation.type} {two}")
            elif relation.type == SUPERSEDES and not relation.is_outgoing:
                found.add(f"{two} is superseded by {one}")
    return sorted(found) + _apart_in_time(sources)


def low_similarity(sources: Sequence[Memory]) -> list[str]:
    """Merging what has nothing in common is allowed, and most often a mistake."""
    read = {memory.node_id: set(terms(memory.content)) for memory in sources}
    pairs = [(_shared(read[one], read[two]), one, two) for one, two in combinations(sorted(read), 2)]
    least, one, two = min(pairs)
    return [f"Low similarity ({least:.2f}) between {one} and {two}"] if least < LOW_SIMILARITY else []


def _shared(one: set[str], two: set[str]) -> float:
    return round(len(one & two) / max(1, min(len(one), len(two))), 2)


def _apart_in_time(sources: Sequence[Memory]) -> list[str]:
    ends = [memory.valid_until for memory in sources if memory.valid_until is not None]
    latest_start = max(memory.starts for memory in sources)
    if not ends or latest_start < min(ends):
        return []
    return [f"validity does not overlap: one ends at {format_instant(min(ends))}, "
            f"another starts at {format_instant(latest_start)}"]  # fmt: skip
