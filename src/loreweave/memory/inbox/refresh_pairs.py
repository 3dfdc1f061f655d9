"""Every pair of near texts found anew. What comes out is what storing and editing has kept up to date."""

from loreweave.entities.memory import Pair
from loreweave.memory.change import WRITES, MemoryTools, begin, finish
from loreweave.memory.search.all_twins import all_twins
from loreweave.memory.search.memory_index import MemoryIndex
from loreweave.seams.storage import memory_shelf, memory_task_shelf
from loreweave.seams.storage.store import Connection


def refresh_pairs(tools: MemoryTools, actor: str) -> None:
    """Of all memories that are live or in the trash; merged ones keep theirs, and get new ones when undone.

    Looked for while others may write, and once more where they did.
    """
    with tools.store.read() as connection:
        revision = memory_shelf.revision_of(connection)
        found = _pairs(tools.library.current(connection))
    with tools.store.write_alone(WRITES) as connection:
        change = begin(tools, connection, actor)
        if memory_shelf.revision_of(connection) != revision:
            found = _pairs(tools.library.current(connection))
        _replace(connection, found)
        finish(change)


def _pairs(index: MemoryIndex) -> set[Pair]:
    return {Pair(min(one, two), max(one, two), similarity) for one, two, similarity in all_twins(index)}


def _replace(connection: Connection, found: set[Pair]) -> None:
    kept = set(memory_task_shelf.searched_pairs(connection))
    memory_task_shelf.delete_pairs_exactly(connection, sorted(kept - found, key=_order))
    memory_task_shelf.put_pairs(connection, sorted(found - kept, key=_order))


def _order(pair: Pair) -> tuple[str, str]:
    return pair.first_id, pair.second_id
