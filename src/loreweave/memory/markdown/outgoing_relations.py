"""The outgoing relations of many memories as a reader sees them: to live ends only, read through every merge."""

from collections.abc import Sequence

from loreweave.entities.memory import LIVE, Memory, Relation
from loreweave.memory.merging.relation_graph import RelationGraph
from loreweave.seams.storage import memory_relation_shelf, memory_shelf
from loreweave.seams.storage.store import Connection


def outgoing_relations(connection: Connection, memories: Sequence[Memory]) -> dict[str, list[Relation]]:
    """By node id. Where no merge is in between, what is written is what stands."""
    ids = {memory.node_id for memory in memories}
    rows = [row for row in memory_relation_shelf.relations_of(connection, ids) if row.source_id in ids]
    others = memory_shelf.find_memories(connection, (row.target_id for row in rows if row.target_id not in ids))
    known = {memory.node_id: memory for memory in memories} | others
    found: dict[str, list[Relation]] = {memory.node_id: [] for memory in memories}
    through_merges = {memory.node_id for memory in memories if memory.inherits}
    for row in rows:
        target = known.get(row.target_id)
        if target is None:
            continue
        if target.state == LIVE and not target.inherits:
            found[row.source_id].append(Relation(row.source_id, row.target_id, row.type, row.weight))
        else:
            through_merges.add(row.source_id)
    graph = RelationGraph(connection)
    graph.know(known.values())
    for node_id in sorted(through_merges):
        live = graph.live_relations(known[node_id])
        found[node_id] = [relation for relation in live if relation.source_id == node_id]
    return found
