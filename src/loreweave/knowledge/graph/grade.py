"""The figures of a graph, and its quality: findings, penalties, bonuses, score and a summary of a sentence or two."""

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy

from loreweave.contracts.graph_reports import (
    Bonuses,
    BrokenLinkIssue,
    CircularIssue,
    Deductions,
    FileIssue,
    IngestValidation,
    Issues,
)
from loreweave.entities.graph_rows import EDGE_TYPES
from loreweave.knowledge.graph.graph_view import Array, GraphView, half_up, rounded


@dataclass(frozen=True, slots=True)
class Measures:
    """The shape of a graph; nodes by number, in path order."""

    stats: dict[str, Any]  # as the wire names them
    bonuses: Bonuses
    orphans: tuple[int, ...]
    circular_pairs: tuple[tuple[int, int], ...]


def measure(view: GraphView) -> Measures:
    """Of a graph with at least one node; no other is ever published."""
    count = len(view.nodes)
    source, target = view.edges.source, view.edges.target
    degrees = view.out_degrees + view.in_degrees
    cluster_of = view.clusters
    is_cluster = numpy.bincount(cluster_of, minlength=count) > 1
    mocs = [number for number, node in enumerate(view.nodes) if node.type == "moc"]
    clusters = int(is_cluster.sum())
    with_moc = len(set(cluster_of[mocs][is_cluster[cluster_of[mocs]]].tolist())) if mocs else 0
    dead = int((degrees <= 1).sum())
    orphans = tuple(numpy.flatnonzero(degrees == 0).tolist())
    edge_types = numpy.bincount(view.edges.type, minlength=len(EDGE_TYPES)).tolist()
    stats = {
        "nodeCount": count,
        "edgeCount": len(source),
        "density": rounded(len(source), count * (count - 1), 2) if count > 1 else 0.0,
        "domains": sorted({node.domain for node in view.nodes}),
        "typeBreakdown": dict(sorted(Counter([node.type for node in view.nodes]).items())),
        "clusterCount": clusters,
        "orphanCount": len(orphans),
        "avgDegree": rounded(2 * len(source), count, 1),
        "maxInDegree": _greatest(view, view.in_degrees),
        "maxOutDegree": _greatest(view, view.out_degrees),
        "edgeTypeBreakdown": {name: number for name, number in zip(EDGE_TYPES, edge_types, strict=True) if number},
    }
    coverage = half_up(10 * with_moc, max(1, clusters))
    bonuses = Bonuses(mocCoverage=coverage, linkDensityHealth=half_up(max(0, 10 * (count - 2 * dead)), count))
    return Measures(stats, bonuses, orphans, tuple(_circular_pairs(count, source, target)))


def _greatest(view: GraphView, degrees: Array) -> dict[str, Any]:
    """The first in path order among the greatest."""
    node = int(degrees.argmax())
    return {"nodeId": view.nodes[node].id, "value": int(degrees[node])}


def _circular_pairs(count: int, source: Array, target: Array) -> list[tuple[int, int]]:
    """A links to B and B to A, and neither has another neighbour."""
    pairs = source * count + target
    once = numpy.diff(pairs, prepend=-1) != 0  # edges of several types between two notes follow each other
    source, target = source[once], target[once]
    single = (numpy.bincount(source, minlength=count) == 1) & (numpy.bincount(target, minlength=count) == 1)
    only = numpy.full(count, -1)
    only[source] = target
    first = numpy.flatnonzero(single)
    second = only[first]
    found = (first < second) & single[second] & (only[second] == first)
    return list(zip(first[found].tolist(), second[found].tolist(), strict=True))


MAX_SCORE = 100
SMALL_GRAPH = 24  # notes up to which each finding costs its points; above, a kind costs by the share of notes it is in

# In the order of the summary: what one of a kind costs, the most that the kind costs in a large graph, its name.
_KINDS = {
    "brokenLinks": (10, 40, "broken link"),
    "missingDescriptions": (5, 30, "missing description"),
    "missingTypes": (2, 10, "missing type"),
    "missingDomains": (1, 5, "missing domain"),
    "orphans": (3, 20, "orphan"),
    "circularOnly": (2, 10, "circular pair"),
}


def deduct(findings: IngestValidation, nodes: int) -> Deductions:
    """What each kind of finding costs; with the bonuses it gives the score at any size."""
    costs = {}
    for kind, (points, most, _) in _KINDS.items():
        cost = points * len(getattr(findings, kind))
        costs[kind] = cost if nodes <= SMALL_GRAPH else min(most, half_up(cost * SMALL_GRAPH, nodes))
    return Deductions(**costs)


def score(deductions: Deductions, bonuses: Bonuses) -> int:
    lost = sum(dict(deductions).values())
    return min(MAX_SCORE, max(0, MAX_SCORE - lost) + bonuses.mocCoverage + bonuses.linkDensityHealth)


def summary(findings: IngestValidation, deductions: Deductions, total: int, nodes: int) -> str:
    counted = [(len(getattr(findings, kind)), name) for kind, (_, _, name) in _KINDS.items()]
    named = [f"{count:,} {name}{'s' if count != 1 else ''}" for count, name in counted if count]
    if not named:
        return "Nothing to fix."
    listed = named[0] if len(named) == 1 else f"{', '.join(named[:-1])} and {named[-1]}"
    promise = "" if total == MAX_SCORE else " Fix these to reach 100."
    return (
        f"{listed}.{_best_repairs(deductions, MAX_SCORE - total) if nodes > SMALL_GRAPH and promise else ''}{promise}"
    )


def _best_repairs(deductions: Deductions, room: int) -> str:
    """The two repairs that win most; bonuses may have made up for a part of what they cost."""
    best = [(kind, min(cost, room)) for kind, cost in sorted(dict(deductions).items(), key=lambda each: -each[1])[:2]]
    said = [f"{_KINDS[kind][2]}s (up to {cost} {'point' if cost == 1 else 'points'})" for kind, cost in best if cost]
    return f" Most is won by repairing {' and '.join(said)}." if said else ""


def as_issues(findings: IngestValidation) -> Issues:
    penalty = {kind: -points for kind, (points, _, _) in _KINDS.items()}
    files = {
        kind: [FileIssue(file=path, penalty=penalty[kind]) for path in getattr(findings, kind)]
        for kind in ("missingDescriptions", "missingTypes", "missingDomains", "orphans")
    }
    broken = [BrokenLinkIssue(**dict(link), penalty=penalty["brokenLinks"]) for link in findings.brokenLinks]
    pairs = [CircularIssue(files=pair, penalty=penalty["circularOnly"]) for pair in findings.circularOnly]
    return Issues(brokenLinks=broken, circularOnly=pairs, **files)
