"""Relations written onto a merged memory itself, where it can no longer read them from what was merged."""

from loreweave.entities.memory import Memory, Relation
from loreweave.memory.change import Change
from loreweave.memory.merging.relation_graph import RelationGraph
from loreweave.seams.storage import memory_relation_shelf


def settle_relations(change: Change, memory: Memory) -> Memory:
    """From now on its relations are its own. Other ends stay as given, so that their merges can be undone."""
    if not memory.inherits:
        return memory
    own = memory.node_id
    graph = RelationGraph(change.connection)
    members = {member.node_id for member in graph.members(memory)}
    rows = memory_relation_shelf.relations_of(change.connection, members)
    given = {(row.source_id, row.target_id, row.type) for row in rows if own in (row.source_id, row.target_id)}
    settled = [
        relation
        for type in sorted({row.type for row in rows})
        for relation in _folded(graph, memory, members, [row for row in rows if row.type == type])
        if (relation.source_id, relation.target_id, relation.type) not in given
    ]
    memory_relation_shelf.put_relations(change.connection, settled)
    return change.touch(memory, inherits=False)


def _folded(graph: RelationGraph, memory: Memory, members: set[str], rows: list[Relation]) -> list[Relation]:
    """Its relations of one type with everything outside, each with the original other end."""
    outgoing = {(row.source_id, row.target_id): row.weight for row in rows if row.target_id not in members}
    incoming = {(row.source_id, row.target_id): row.weight for row in rows if row.source_id not in members}
    type = rows[0].type
    return [
        Relation(*ends, type, weight, settled=True)
        for is_source, cells in ((True, outgoing), (False, incoming))
        for ends, weight in sorted(graph.folded_here(memory, type, cells, is_source=is_source).items())
        if memory.node_id in ends
    ]
