"""Every pair of near texts found anew. What comes out is what storing and editing has kept up to date."""

from loreweave.entities.memory import Pair
from loreweave.memory.change import WRITES, Change, MemoryTools, begin, finish
from loreweave.memory.search.read_memory_text import read_text
from loreweave.seams.storage import memory_inbox_shelf, memory_task_shelf


def refresh_inbox(tools: MemoryTools, actor: str) -> None:
    with tools.store.write_alone(WRITES) as connection:
        change = begin(tools, connection, actor)
        refresh_pairs(change)
        finish(change)


def refresh_pairs(change: Change) -> None:
    """Of all memories that are live or in the trash; merged ones keep theirs, and get new ones when undone."""
    index = change.tools.library.current(change.connection)
    pairs = set()
    for key, node_id, scope, content in memory_inbox_shelf.searched_texts(change.connection):
        reading = read_text("", (), content, None)  # pairs are a matter of words
        for other, similarity in index.twins(content, reading, scope, key):
            pairs.add(Pair(min(node_id, other), max(node_id, other), similarity))
    memory_task_shelf.delete_searched_pairs(change.connection)
    memory_task_shelf.put_pairs(change.connection, sorted(pairs, key=lambda pair: (pair.first_id, pair.second_id)))
