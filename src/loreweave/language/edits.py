"""How far two words lie apart, and which of many names is nearest to one that leads nowhere: "did you mean"."""

from array import array
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Set

LEAST_LIKENESS = 0.4  # of shared letter triples; below it a suggestion would only puzzle
NEAREST = 3


def within_one_edit(one: str, other: str) -> bool:
    """Whether one insertion, removal, replacement or swap of neighbours, or none, makes them equal."""
    if len(one) > len(other):
        one, other = other, one
    longer = len(other) - len(one)
    if longer > 1:
        return False
    place = 0
    while place < len(one) and one[place] == other[place]:
        place += 1
    if longer:
        return one[place:] == other[place + 1 :]
    rest, other_rest = one[place:], other[place:]
    return rest[1:] == other_rest[1:] or (
        rest[:2] == other_rest[1::-1] and len(rest) >= 2 and rest[2:] == other_rest[2:]
    )


def suggest_ids(wanted: Collection[str], ids: Iterable[str]) -> dict[str, str | None]:
    """For each slug the likest id, of equals the first, or None. What a slug costs grows with how many ids share its
    letters, a nanosecond each: of many ids and as many slugs most pairs have something in common."""
    if not wanted:
        return {}
    import numpy  # here: whoever asks for the nearest few of a mistyped name does without

    known = sorted(ids)
    holders: dict[str, array[int]] = defaultdict(lambda: array("i"))
    sizes = numpy.zeros(len(known), dtype=numpy.int32)
    for number, node_id in enumerate(known):
        for triple in _triples(node_id.rpartition(":")[2]):
            holders[triple].append(number)
            sizes[number] += 1
    best: dict[str, str | None] = dict.fromkeys(wanted)
    for target in best:
        triples = _triples(target)
        holding = [numpy.frombuffer(holders[triple], numpy.int32) for triple in triples if triple in holders]
        common = numpy.bincount(numpy.concatenate(holding)) if holding else sizes[:0]
        near = numpy.flatnonzero(2 * common >= LEAST_LIKENESS * len(triples))
        likeness = 2 * common[near] / (sizes[near] + len(triples))
        if len(near) and likeness.max() >= LEAST_LIKENESS:
            best[target] = known[near[likeness.argmax()]]
    return best


def nearest_ids(wanted: str, ids: Iterable[str]) -> list[str]:
    """The few likest, the likest first, for whoever mistyped one; none where nothing is like it."""
    triples = _triples(wanted.rpartition(":")[2].casefold())
    likeness = {}
    for each in ids:
        own = _triples(each.rpartition(":")[2].casefold())
        likeness[each] = 2 * len(own & triples) / (len(own) + len(triples))
    near = [each for each in likeness if likeness[each] >= LEAST_LIKENESS]
    return sorted(near, key=lambda each: (-likeness[each], each))[:NEAREST]


def suggest_again(
    wanted: Iterable[str], ids: Collection[str], known: Mapping[str, str | None], new_ids: Set[str]
) -> dict[str, str | None]:
    """As suggest_ids; `known` are suggestions made when the ids were these without the new ones and with some others.
    What was likest among the others is likest still, unless a new one is more so: the rest is not looked at."""
    targets = set(wanted)
    kept = {target: known[target] for target in targets & known.keys() if known[target] is None or known[target] in ids}
    for target, new in suggest_ids(kept if new_ids else (), new_ids).items():
        if new is not None:
            kept |= suggest_ids((target,), filter(None, (kept[target], new)))
    return {**kept, **suggest_ids(targets - kept.keys(), ids)}


def _triples(text: str) -> set[str]:
    padded = f"  {text} "
    return {padded[start : start + 3] for start in range(len(padded) - 2)}
