"""Memories as an index of their passages."""

from random import Random

import pytest
from tests.memory.search.memory_shelf_rows import indexed

from loreweave.entities.stored_memory import IndexedMemory
from loreweave.memory.search.memory_block import chosen_block, join_blocks, make_block, pack_block, unpack_block
from loreweave.seams.embedding.open_embedder import open_embedder

WORDS = ["harbour", "violin", "copper", "--no-cache", "fooBar", "数据库", "café", "Alice", "the", "of", "not"]


def some_memories(random: Random, count: int, kind: str) -> list[IndexedMemory]:
    embedder = open_embedder(kind)
    return [
        indexed(
            key,
            " ".join(random.choices(WORDS, k=random.randint(1, 150))),
            embedder,
            scope=random.choice(["default", "team"]),
            tags=tuple(sorted(random.sample(["x", "y\nz", "copper"], random.randrange(3)))),
            state=random.choice(["live", "live", "deleted", "merged"]),
        )
        for key in random.sample(range(1, 1000), count)
    ]


@pytest.mark.holds("retrieval.index.one-core", "memory.index.pure")
@pytest.mark.parametrize("kind", ["none", "static"])
@pytest.mark.parametrize("seed", range(3))
def test_blocks_that_are_joined_are_the_block_made_at_once_to_the_byte(seed: int, kind: str) -> None:
    random = Random(seed)
    memories = some_memories(random, 40, kind)
    identity = "static" if kind == "static" else ""
    kept, gone = memories[:30], memories[30:]
    parts = [[*kept[start::4], *gone[start::4]] for start in range(4)]
    blocks = [unpack_block(pack_block(make_block(part, identity))) for part in parts]
    left = [
        chosen_block(block, ~(block.columns.keys[:, None] == [one.key for one in gone]).any(axis=1)) for block in blocks
    ]
    assert pack_block(join_blocks(left)) == pack_block(make_block(kept, identity))


@pytest.mark.holds("retrieval.index.one-core")
def test_words_of_memories_are_known_by_beginning_and_in_spite_of_an_edit() -> None:
    block = make_block([indexed(1, "The lantern hangs in the harbour")], "")
    keys = block.arrays.keys
    assert [keys[number] for number in block.vocabulary.beginning("lan")] == ["lantern"]
    assert [(keys[number], edits) for number, edits in block.vocabulary.corrections("lanten")] == [("lantern", 1)]


@pytest.mark.holds("memory.index.erased")
def test_no_word_of_a_memory_that_is_gone_stays_in_a_block() -> None:
    block = make_block([indexed(1, "copper"), indexed(2, "the unspeakable xylograph", tags=("zythum",))], "")
    assert b"xylograph" in pack_block(block)
    left = pack_block(chosen_block(block, block.columns.keys == 1))
    assert not any(word in left for word in (b"xylograph", b"zythum", b"unspeak"))
