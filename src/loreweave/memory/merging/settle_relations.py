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
    settled = []
    for standing in RelationGraph(change.connection).standing(memory):
        for row in standing.rows:
            if own in (row.source_id, row.target_id):
                continue
            source, target = (own, row.target_id) if standing.is_outgoing else (row.source_id, own)
            settled.append(Relation(source, target, standing.type, standing.weight, settled=True))
    given = {
        (row.source_id, row.target_id, row.type) for row in memory_relation_shelf.relations_of(change.connection, [own])
    }
    fresh = [row for row in settled if (row.source_id, row.target_id, row.type) not in given]
    memory_relation_shelf.put_relations(change.connection, fresh)
    return change.touch(memory, inherits=False)
