"""What is known of graphs as a whole, as a model reads it: lists by the page, figures in a few lines."""

from collections.abc import Mapping
from typing import Any

from loreweave.application import Application
from loreweave.contracts.disclosed_nodes import ScanAnswer
from loreweave.contracts.graph_reports import IngestAnswer, Issues, StatsAnswer, ValidateAnswer
from loreweave.faces.mcp.fitted_text import budget_of, longest_fit, told_list
from loreweave.faces.mcp.tell_packs import NOTHING, Ask, counted, named

_SHOWN = 12  # of what is only counted


def tell_scan(_: Application, request: Any, ask: Ask) -> str:
    found: ScanAnswer = ask(request)
    head = f"{named(found)} · {len(found.results)} of {counted(found.total, 'note')}" if found.results else named(found)

    def make(count: int) -> str:
        shown = [f"- `{note.id}` {note.name}" + (f": {note.description}" if note.description else "")
                 for note in found.results[:count]]  # fmt: skip
        left = found.total - count
        more = ["", f"{left} more: narrow the query, or call again with a larger limit."]
        return "\n".join([head, "", *(shown or [NOTHING]), *(more if left else [])])

    return longest_fit(budget_of(request), make, len(found.results))


def tell_graph_list(_: Application, request: Any, ask: Ask) -> str:
    graphs = ask(request).graphs
    lines = [
        f"- `{graph.graphId}` revision {graph.revision}: {counted(graph.nodeCount, 'note')}, "
        f"{counted(graph.edgeCount, 'link')}, score {graph.score}, ingested {graph.ingestedAt}"
        for graph in graphs
    ]
    return told_list(counted(len(graphs), "graph"), lines, request)


def tell_findings(_: Application, request: Any, ask: Ask) -> str:
    report: ValidateAnswer = ask(request)
    kinds = [(name, len(found)) for name, found in report.issues if found]
    head = [f"{named(report)} · score {report.score} of {report.maxScore}", report.summary]
    if kinds:
        head.append("Findings: " + ", ".join(f"{name} {count}" for name, count in kinds))
    return told_list("\n".join(head), _findings(report.issues), request)


def _findings(issues: Issues) -> list[str]:
    lines = [
        f"- broken link ({found.penalty}): {found.source}" + (f":{found.line}" if found.line else "")
        + f" → {found.raw}" + (f", perhaps {found.suggestion}" if found.suggestion else "")
        for found in issues.brokenLinks
    ]  # fmt: skip
    for name in ("missingDescriptions", "missingTypes", "missingDomains", "orphans"):
        lines += [f"- {name} ({found.penalty}): {found.file}" for found in getattr(issues, name)]
    return lines + [f"- circularOnly ({found.penalty}): {', '.join(found.files)}" for found in issues.circularOnly]


def tell_figures(_: Application, request: Any, ask: Ask) -> str:
    stats: StatsAnswer = ask(request)
    lines = [
        f"{named(stats)} · {stats.kind}",
        f"{counted(stats.nodeCount, 'note')}, {counted(stats.edgeCount, 'link')}, density {stats.density}, "
        f"{stats.avgDegree} links a note, {counted(stats.clusterCount, 'cluster')}, "
        f"{counted(stats.orphanCount, 'orphan')}",
        f"most linked `{stats.maxInDegree.nodeId}` ({stats.maxInDegree.value}), "
        f"most linking `{stats.maxOutDegree.nodeId}` ({stats.maxOutDegree.value})",
        f"domains: {_some(stats.domains)}",
        f"types: {_figures(stats.typeBreakdown)}",
        f"links: {_figures(stats.edgeTypeBreakdown)}",
    ]
    if stats.sources:
        lines.append(f"made of: {_some([source.graphId for source in stats.sources])}")
    if stats.stale:
        lines.append("A source has moved on or is gone: fuse again.")
    return longest_fit(budget_of(request), lambda count: "\n".join(lines[:count]), len(lines))


def tell_ingest(_: Application, request: Any, ask: Ask) -> str:
    """What came of it; the findings are validate's to list."""
    made: IngestAnswer = ask(request)
    changes, found = made.changes, made.validation
    lines = [
        f"{named(made)}" + (" · unchanged" if made.unchanged else ""),
        f"{counted(made.metrics.nodeCount, 'note')}, {counted(made.metrics.edgeCount, 'link')}, score {found.score}; "
        f"{changes.added} added, {changes.changed} changed, {changes.removed} removed",
    ]
    counts = {name: len(listed) for name, listed in found if isinstance(listed, list) and listed}
    if counts:
        lines.append(f"To repair: {_figures(counts)}; validate lists them.")
    if made.warningCount:
        lines.append(f"{counted(made.warningCount, 'warning')}:")
        lines += [f"- {told.file}: {told.message}" for told in made.warnings[:_SHOWN]]
    return longest_fit(budget_of(request), lambda count: "\n".join(lines[:count]), len(lines))


def _some(names: list[str]) -> str:
    rest = len(names) - _SHOWN
    return ", ".join(names[:_SHOWN]) + (f" and {rest} more" if rest > 0 else "")


def _figures(counts: Mapping[str, int]) -> str:
    largest = sorted(counts.items(), key=lambda item: -item[1])
    return _some([f"{name} {count}" for name, count in largest])
