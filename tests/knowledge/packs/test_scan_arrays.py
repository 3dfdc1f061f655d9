"""A scan by arrays finds what a scan by loops finds, in the same order."""

import random

import pytest
from tests.knowledge.packs.hand_made_view import make_note, make_view

from loreweave.knowledge.packs.array_facts import arrays_of
from loreweave.knowledge.packs.find_nodes import scan_nodes
from loreweave.knowledge.packs.query_terms import read_query
from loreweave.knowledge.packs.rank_nodes import scan_many
from loreweave.knowledge.packs.term_postings import KEPT_BYTES
from loreweave.knowledge.packs.view_facts import facts_of

WORDS = [
    "calm", "breath", "anchor", "habit", "worry", "panic", "sleep", "focus",
    "thought", "feeling", "exposure", "ladder", "value", "body", "scan",
]  # fmt: skip


def _view(seed: int):
    chance = random.Random(seed)
    notes = []
    for number in range(120):
        said = " ".join(chance.choices(WORDS, k=4))
        notes.append(
            make_note(
                f"n{number:03}.md",
                f"{' '.join(chance.choices(WORDS, k=9))} [[n{chance.randrange(120):03}]].",
                name=" ".join(chance.choices(WORDS, k=2)),
                description=said if number % 3 else "~",
                tags=f"[{chance.choice(WORDS)}]",
                domain=chance.choice(["Sleep", "sleep", "Worry"]),
                updated=f"2024-05-{number % 28 + 1:02}",
            )
        )
    return make_view(notes, sizes=(50, 30, 7))


@pytest.mark.holds("graph.speed.warm-reads")
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("domain", [None, "SLEEP", "nowhere"])
def test_arrays_and_loops_scan_alike(seed: int, domain: str | None) -> None:
    view = _view(seed)
    facts = facts_of(view)
    for text in ("calm breath", "worry about sleep", "panik", "exp lad", "unknownword", "the calm of a body", "habits"):
        for limit in (3, 20, 500):
            plain = scan_nodes(facts, text, domain, limit)
            assert scan_many(facts, arrays_of(facts), read_query(facts, text), domain, limit) == plain


def test_the_postings_kept_for_a_view_are_bounded() -> None:
    view = _view(1)
    facts = facts_of(view)
    postings = arrays_of(facts).postings
    [term] = read_query(facts, "calm").terms
    first = postings.sentences(view, term)
    assert postings.sentences(view, term) is first
    postings._size = KEPT_BYTES  # as if much else were kept
    [other] = read_query(facts, "worry").terms
    postings.sentences(view, other)
    assert postings.sentences(view, term) is not first
