"""What the three strategies make of texts, tags and importance."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loreweave.entities.stored_memory import LIVE, Memory
from loreweave.errors import Conflict, InvalidInput
from loreweave.memory.merging.merge_texts import merge_texts


def memory(number: int, content: str, **fields: object) -> Memory:
    given = {"importance": 0.5, "tags": (), "source": None, "created_at": number, **fields}
    return Memory(
        key=number, node_id=f"{number:08d}", scope="default", name="n", content=content, valid_from=None,
        valid_until=None, version=1, updated_at=0, last_accessed_at=None, access_count=0, state=LIVE, **given,
    )  # fmt: skip


@pytest.mark.holds("memory.merge.union")
def test_a_union_keeps_every_distinct_statement_once_the_oldest_source_first() -> None:
    older = memory(1, "Keys live in the vault. Rotate them monthly.", tags=("keys",), importance=0.3)
    newer = memory(2, "rotate them  MONTHLY\nNever print them.", tags=("keys", "logs"), importance=0.9)
    merged = merge_texts("union", [newer, older])
    assert merged.content == "Keys live in the vault. Rotate them monthly.\n\nNever print them."
    assert (merged.tags, merged.importance) == (("keys", "logs"), 0.9)


@pytest.mark.holds("memory.merge.intersection")
def test_an_intersection_keeps_what_all_sources_say() -> None:
    one = memory(1, "A is true. B is true.", tags=("x", "y"), importance=0.3)
    two = memory(2, "b is true\nC is true", tags=("y", "z"), importance=0.9)
    merged = merge_texts("intersection", [two, one])
    assert (merged.content, merged.tags, merged.importance) == ("B is true.", ("y",), 0.3)


@pytest.mark.holds("memory.merge.no-common-content")
def test_an_intersection_of_nothing_is_refused() -> None:
    with pytest.raises(Conflict, match=r"^Sources have no common content"):
        merge_texts("intersection", [memory(1, "one"), memory(2, "two")])


@pytest.mark.holds("memory.merge.weighted-average")
def test_a_weighted_average_goes_by_importance() -> None:
    faint = memory(1, "Said first.", tags=("a",), importance=0.2)
    strong = memory(2, "Said strongly.", tags=("b",), importance=0.8)
    merged = merge_texts("weighted_average", [faint, strong])
    assert merged.content == "Said strongly.\n\nSaid first."
    assert merged.tags == ("b",)
    assert merged.importance == 0.68  # (0.04 + 0.64) / 1


@pytest.mark.holds("memory.merge.weighted-average")
def test_a_tag_that_holds_exactly_half_of_the_importance_stays() -> None:
    merged = merge_texts("weighted_average", [memory(1, "a", tags=("x",)), memory(2, "b", tags=("y",))])
    assert merged.tags == ("x", "y")


@pytest.mark.holds("memory.merge.weighted-average")
def test_the_average_of_nothing_important_is_zero() -> None:
    merged = merge_texts("weighted_average", [memory(1, "a", importance=0.0), memory(2, "b", importance=0.0)])
    assert merged.importance == 0.0


@pytest.mark.holds("memory.merge.limit")
def test_a_result_above_the_limit_of_content_is_refused() -> None:
    sources = [memory(number, f"{number} " + "x" * 60_000) for number in (1, 2)]
    with pytest.raises(InvalidInput, match=r"^content must be at most 65536 characters"):
        merge_texts("union", sources)


_SOURCES = st.lists(
    st.tuples(
        st.lists(st.sampled_from(["A is.", "B is.", "- C is", "D"]), min_size=1, max_size=4),
        st.sampled_from([0.0, 0.2, 0.5, 1.0]),
        st.sets(st.sampled_from("xyz"), max_size=3),
    ),
    min_size=2,
    max_size=5,
)


@pytest.mark.holds("memory.merge.order-free")
@given(_SOURCES, st.randoms(use_true_random=False))
def test_the_order_of_the_sources_changes_nothing(given_sources: list, random: object) -> None:
    sources = [
        memory(number, "\n".join(lines), importance=importance, tags=tuple(sorted(tags)))
        for number, (lines, importance, tags) in enumerate(given_sources)
    ]
    shuffled = list(sources)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    for strategy in ("union", "weighted_average"):
        assert merge_texts(strategy, shuffled) == merge_texts(strategy, sources)
