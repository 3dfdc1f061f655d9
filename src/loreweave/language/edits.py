"""How far two words lie apart, and which of many names is nearest to one that leads nowhere: "did you mean"."""

from collections import Counter, defaultdict
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


def suggest_ids(wanted: Iterable[str], ids: Iterable[str]) -> dict[str, str | None]:
    """For each slug the likest id, or None. Every id is looked at once, whatever the number of slugs."""
    targets = {target: _triples(target) for target in wanted}
    holders: dict[str, list[str]] = defaultdict(list)
    for target, triples in targets.items():
        for triple in triples:
            holders[triple].append(target)
    best: dict[str, tuple[float, str]] = {}
    for node_id in sorted(ids) if targets else ():
        triples = _triples(node_id.rpartition(":")[2])
        shared = Counter(target for triple in triples for target in holders.get(triple, ()))
        for target, common in shared.items():
            likeness = 2 * common / (len(triples) + len(targets[target]))
            if likeness >= LEAST_LIKENESS and likeness > best.get(target, (0.0, ""))[0]:
                best[target] = (likeness, node_id)
    return {target: best[target][1] if target in best else None for target in targets}


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

    What was likest among the others is likest still, unless a new one is more so: the rest need not be looked at.
    """
    targets = set(wanted)
    kept = {target for target in targets & known.keys() if known[target] is None or known[target] in ids}
    likest = {found for target in kept if (found := known[target]) is not None}
    return {**suggest_ids(kept, likest | new_ids), **suggest_ids(targets - kept, ids)}


def _triples(text: str) -> set[str]:
    padded = f"  {text} "
    return {padded[start : start + 3] for start in range(len(padded) - 2)}
