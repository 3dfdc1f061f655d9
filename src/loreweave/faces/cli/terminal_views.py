"""Answers for a person on a terminal.

Text of notes is shown as text: no markup in it works, no control character passes.
"""

from collections.abc import Callable, Iterable
from typing import Any

from pydantic import BaseModel
from rich.console import Console, Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from loreweave.contracts.context_packs import ContextAnswer, TraverseAnswer
from loreweave.contracts.disclosed_nodes import Level0Node, Level1Node, ScanAnswer, SearchAnswer
from loreweave.contracts.graph_reports import (
    DeleteAnswer,
    GraphList,
    IngestAnswer,
    StatsAnswer,
    ValidateAnswer,
)

SAFE = {code: "\N{REPLACEMENT CHARACTER}" for code in (*range(32), *range(127, 160)) if chr(code) not in "\n\t"}


def show_on_terminal(answer: BaseModel) -> None:
    console = Console()
    for kind, view in VIEWS.items():
        if isinstance(answer, kind):
            console.print(view(answer))
            return
    console.print(plain(answer.model_dump_json(indent=2)))


def plain(value: Any) -> Text:
    return Text(str(value).translate(SAFE))


def table(columns: Iterable[str], rows: Iterable[Iterable[Any]], title: str | None = None) -> Table:
    made = Table(title=None if title is None else plain(title), title_justify="left", header_style="bold")
    for column in columns:
        made.add_column(column, overflow="fold")
    for row in rows:
        made.add_row(*(plain(value) for value in row))
    return made


def facts(pairs: Iterable[tuple[str, Any]], title: str) -> Panel:
    grid = Table.grid(padding=(0, 2))
    for name, value in pairs:
        grid.add_row(Text(name, style="bold"), plain(value))
    return Panel(grid, title=plain(title), title_align="left", expand=False)


def graph_list(answer: GraphList) -> RenderableType:
    columns = ("graph", "kind", "revision", "notes", "links", "score", "ingested")
    rows = ((g.graphId, g.kind, g.revision, g.nodeCount, g.edgeCount, g.score, g.ingestedAt) for g in answer.graphs)
    return table(columns, rows) if answer.graphs else plain("No graph yet: try `lore ingest FOLDER`.")


def level_ones(answer: ScanAnswer | SearchAnswer) -> RenderableType:
    columns = ("id", "name", "type", "domain", "in", "out", "description")
    rows = ((n.id, n.name, n.type, n.domain, n.inDegree, n.outDegree, n.description) for n in answer.results)
    return Group(table(columns, rows), plain(f"{len(answer.results)} of {answer.total} in {answer.graphId}"))


def one_node(answer: Level0Node) -> RenderableType:
    shown: list[tuple[str, Any]] = [("id", answer.id), ("type", answer.type), ("domain", answer.domain)]
    if isinstance(answer, Level1Node):
        shown += [
            ("path", answer.path),
            ("description", answer.description),
            ("tags", ", ".join(answer.tags)),
            ("links", f"{answer.inDegree} in, {answer.outDegree} out"),
        ]
    parts: list[RenderableType] = [facts(shown, answer.name)]
    for title in ("links", "backlinks"):
        linked = getattr(answer, title, [])
        if linked:
            parts.append(table(("id", "type", "sentence"), ((n.id, n.type, n.context) for n in linked), title))
    if content := getattr(answer, "content", None):
        parts.append(plain(content))
    return Group(*parts)


def pack(answer: TraverseAnswer | ContextAnswer) -> RenderableType:
    nodes = answer.path if isinstance(answer, TraverseAnswer) else answer.contextPack.nodes
    rows = ((n.id, n.level, n.tokens, n.score, n.reason) for n in nodes)
    told = answer.telemetry
    account = (
        f"{told.tokensUsed} of {told.tokenBudget} tokens; {told.nodesLoaded} loaded, "
        f"{told.nodesSkipped} skipped; {told.coveragePercent} % of the graph"
    )
    texts = (
        Panel(plain(node.content), title=plain(node.id), title_align="left")
        for node in nodes
        if node.content is not None
    )
    return Group(*texts, table(("id", "level", "tokens", "score", "reason"), rows), plain(account))


def ingested(answer: IngestAnswer) -> RenderableType:
    changes = answer.changes
    return facts(
        (
            ("revision", f"{answer.revision}{' (unchanged)' if answer.unchanged else ''}"),
            ("notes", answer.metrics.nodeCount),
            ("links", answer.metrics.edgeCount),
            ("score", answer.validation.score),
            ("broken links", len(answer.validation.brokenLinks)),
            ("files", f"{changes.added} added, {changes.changed} changed, {changes.removed} removed"),
            ("warnings", answer.warningCount),
        ),
        answer.graphId,
    )


def graded(answer: ValidateAnswer) -> RenderableType:
    issues = answer.issues
    rows: list[tuple[Any, ...]] = [
        (
            "broken link",
            i.source,
            f"[[{i.raw}]]" + (f" (did you mean {i.suggestion}?)" if i.suggestion else ""),
            i.penalty,
        )
        for i in issues.brokenLinks
    ]
    for kind in ("missingDescriptions", "missingTypes", "missingDomains", "orphans"):
        rows += [(kind, issue.file, "", issue.penalty) for issue in getattr(issues, kind)]
    rows += [("circular pair", " ⇄ ".join(issue.files), "", issue.penalty) for issue in issues.circularOnly]
    bonuses = f"bonuses: moc coverage {answer.bonuses.mocCoverage}, link density {answer.bonuses.linkDensityHealth}"
    parts: list[RenderableType] = [plain(f"{answer.graphId}: {answer.score} of {answer.maxScore}; {bonuses}")]
    if rows:
        parts.append(table(("finding", "file", "", "penalty"), rows))
    return Group(*parts, plain(answer.summary))


def figures(answer: StatsAnswer) -> RenderableType:
    shown = answer.model_dump(exclude={"graphId"})
    return facts(((name, _short(value)) for name, value in shown.items()), answer.graphId)


def _short(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name}: {item}" for name, item in value.items())
    return ", ".join(map(_short, value)) if isinstance(value, list) else str(value)


def deleted(answer: DeleteAnswer) -> RenderableType:
    return plain(f"{answer.graphId} is deleted")


VIEWS: dict[Any, Callable[[Any], RenderableType]] = {
    GraphList: graph_list,
    (ScanAnswer, SearchAnswer): level_ones,
    Level0Node: one_node,
    (TraverseAnswer, ContextAnswer): pack,
    IngestAnswer: ingested,
    ValidateAnswer: graded,
    StatsAnswer: figures,
    DeleteAnswer: deleted,
}
