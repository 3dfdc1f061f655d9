"""The quality of a graph: findings, penalties, bonuses, score and a summary of one sentence or two."""

from dataclasses import dataclass

from loreweave.contracts.graph_reports import (
    Bonuses,
    BrokenLink,
    BrokenLinkIssue,
    CircularIssue,
    FileIssue,
    IngestValidation,
    Issues,
)

BROKEN, DESCRIPTION, ORPHAN, TYPE, CIRCULAR, DOMAIN = -10, -5, -3, -2, -2, -1
MAX_SCORE = 100

# In the order in which the summary names them.
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


def score(findings: Findings, bonuses: Bonuses) -> int:
    weights = (BROKEN, DESCRIPTION, TYPE, DOMAIN, ORPHAN, CIRCULAR)
    penalties = sum(count * weight for count, weight in zip(findings.counts, weights, strict=True))
    return min(MAX_SCORE, max(0, MAX_SCORE + penalties) + bonuses.mocCoverage + bonuses.linkDensityHealth)


def summary(findings: Findings, total: int) -> str:
    named = [
        f"{count} {name}{'s' if count != 1 else ''}"
        for count, name in zip(findings.counts, _NAMES, strict=True)
        if count
    ]
    if not named:
        return "Nothing to fix."
    listed = named[0] if len(named) == 1 else f"{', '.join(named[:-1])} and {named[-1]}"
    promise = "" if total == MAX_SCORE else " Fix these to reach 100."
    return f"{listed}.{promise}"


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
