"""The quality of a graph: findings, penalties, bonuses, score and a summary of one sentence or two."""

from dataclasses import dataclass

from loreweave.contracts.graph_reports import (
    Bonuses,
    BrokenLink,
    BrokenLinkIssue,
    CircularIssue,
    Deductions,
    FileIssue,
    IngestValidation,
    Issues,
)
from loreweave.knowledge.graph.half_up import half_up

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
