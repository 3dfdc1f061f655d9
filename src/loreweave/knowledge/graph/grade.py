"""The figures of a graph, and its quality: findings, penalties, bonuses, score and a summary of a sentence or two."""

from collections import Counter
from dataclasses import dataclass

import numpy

from loreweave.contracts.graph_reports import (
    Bonuses,
    BrokenLink,
    BrokenLinkIssue,
    CircularIssue,
    Deductions,
    DegreeRecord,
    FileIssue,
    IngestValidation,
    Issues,
)
from loreweave.entities.graph_rows import EDGE_TYPES
from loreweave.knowledge.graph.graph_view import Array, GraphView, half_up, rounded


@dataclass(frozen=True, slots=True)
class Measures:
    """All that stats and quality say of the shape of a graph; nodes by number, in path order."""

    node_count: int
    edge_count: int
    density: float
    average_degree: float
    max_in: DegreeRecord
    max_out: DegreeRecord
    cluster_count: int
    orphans: tuple[int, ...]
    circular_pairs: tuple[tuple[int, int], ...]
    domains: tuple[str, ...]
    types: dict[str, int]
    edge_types: dict[str, int]
    moc_coverage: int
    link_density_health: int


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
    return Measures(
        node_count=count,
        edge_count=len(source),
        density=rounded(len(source), count * (count - 1), 2) if count > 1 else 0.0,
        average_degree=rounded(2 * len(source), count, 1),
        max_in=_greatest(view, view.in_degrees),
        max_out=_greatest(view, view.out_degrees),
        cluster_count=clusters,
        orphans=tuple(numpy.flatnonzero(degrees == 0).tolist()),
        circular_pairs=tuple(_circular_pairs(count, source, target)),
        domains=tuple(sorted({node.domain for node in view.nodes})),
        types=dict(sorted(Counter([node.type for node in view.nodes]).items())),
        edge_types=_edge_types(view),
        moc_coverage=half_up(10 * with_moc, max(1, clusters)),
        link_density_health=half_up(max(0, 10 * (count - 2 * dead)), count),
    )


def _greatest(view: GraphView, degrees: Array) -> DegreeRecord:
    """The first in path order among the greatest."""
    node = int(degrees.argmax())
    return DegreeRecord(nodeId=view.nodes[node].id, value=int(degrees[node]))


def _edge_types(view: GraphView) -> dict[str, int]:
    counted = numpy.bincount(view.edges.type, minlength=len(EDGE_TYPES)).tolist()
    return {name: number for name, number in zip(EDGE_TYPES, counted, strict=True) if number}


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


BROKEN, DESCRIPTION, ORPHAN, TYPE, CIRCULAR, DOMAIN = -10, -5, -3, -2, -2, -1
MAX_SCORE = 100
SMALL_GRAPH = 24  # notes up to which each finding costs its points; above, a kind costs by the share of notes it is in

# In the order of the summary and of `Deductions`: what one costs, and the most that a kind costs in a large graph.
_POINTS = (BROKEN, DESCRIPTION, TYPE, DOMAIN, ORPHAN, CIRCULAR)
_MOST = (40, 30, 10, 5, 20, 10)
_NAMES = ("broken link", "missing description", "missing type", "missing domain", "orphan", "circular pair")


@dataclass(frozen=True, slots=True)
class Findings:
    """What is wrong with a graph; paths and pairs in path order."""

    broken: tuple[BrokenLink, ...]
    no_description: tuple[str, ...]
    no_type: tuple[str, ...]
    no_domain: tuple[str, ...]
    orphans: tuple[str, ...]
    circular: tuple[tuple[str, str], ...]

    @property
    def counts(self) -> tuple[int, ...]:
        found = (self.broken, self.no_description, self.no_type, self.no_domain, self.orphans, self.circular)
        return tuple(len(list_) for list_ in found)


def deduct(findings: Findings, nodes: int) -> Deductions:
    """What each kind of finding costs; with the bonuses it gives the score at any size."""
    costs = []
    for count, points, most in zip(findings.counts, _POINTS, _MOST, strict=True):
        cost = -points * count
        costs.append(cost if nodes <= SMALL_GRAPH else min(most, int(half_up(cost * SMALL_GRAPH, nodes))))
    return Deductions(**dict(zip(Deductions.model_fields, costs, strict=True)))


def score(deductions: Deductions, bonuses: Bonuses) -> int:
    lost = sum(dict(deductions).values())
    return min(MAX_SCORE, max(0, MAX_SCORE - lost) + bonuses.mocCoverage + bonuses.linkDensityHealth)


def summary(findings: Findings, deductions: Deductions, total: int, nodes: int) -> str:
    named = [
        f"{count} {name}{'s' if count != 1 else ''}"
        for count, name in zip(findings.counts, _NAMES, strict=True)
        if count
    ]
    if not named:
        return "Nothing to fix."
    listed = named[0] if len(named) == 1 else f"{', '.join(named[:-1])} and {named[-1]}"
    promise = "" if total == MAX_SCORE else " Fix these to reach 100."
    return f"{listed}.{_best_repairs(deductions) if nodes > SMALL_GRAPH and promise else ''}{promise}"


def _best_repairs(deductions: Deductions) -> str:
    """The two repairs that win most."""
    best = sorted(zip(dict(deductions).values(), _NAMES, strict=True), key=lambda repair: -repair[0])[:2]
    said = [f"{name}s (up to {cost} {'point' if cost == 1 else 'points'})" for cost, name in best if cost]
    return f" Most is won by repairing {' and '.join(said)}." if said else ""


def as_issues(findings: Findings) -> Issues:
    return Issues(
        brokenLinks=[BrokenLinkIssue(**dict(link), penalty=BROKEN) for link in findings.broken],
        missingDescriptions=_files(findings.no_description, DESCRIPTION),
        missingTypes=_files(findings.no_type, TYPE),
        missingDomains=_files(findings.no_domain, DOMAIN),
        orphans=_files(findings.orphans, ORPHAN),
        circularOnly=[CircularIssue(files=list(pair), penalty=CIRCULAR) for pair in findings.circular],
    )


def as_validation(findings: Findings, total: int) -> IngestValidation:
    return IngestValidation(
        score=total,
        brokenLinks=list(findings.broken),
        missingDescriptions=list(findings.no_description),
        missingTypes=list(findings.no_type),
        missingDomains=list(findings.no_domain),
        orphans=list(findings.orphans),
        circularOnly=[list(pair) for pair in findings.circular],
    )


def _files(paths: tuple[str, ...], penalty: int) -> list[FileIssue]:
    return [FileIssue(file=path, penalty=penalty) for path in paths]
