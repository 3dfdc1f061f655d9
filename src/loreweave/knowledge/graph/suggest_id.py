"""The nearest id to a name that leads nowhere: "did you mean"."""

from collections import Counter, defaultdict
from collections.abc import Iterable

LEAST_LIKENESS = 0.4  # of shared letter triples; below it a suggestion would only puzzle


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


def _triples(text: str) -> set[str]:
    padded = f"  {text} "
    return {padded[start : start + 3] for start in range(len(padded) - 2)}
