"""Answers of graphs and of routing for a person on a terminal."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from pydantic import BaseModel
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.text import Text

from loreweave.contracts.context_packs import ContextAnswer, TraverseAnswer
from loreweave.contracts.graph_reports import DeleteAnswer, GraphList, IngestAnswer, StatsAnswer, ValidateAnswer
from loreweave.contracts.route import RouteCheckup, RouteNextAnswer, RouteReachableAnswer, RouteScoring
from loreweave.contracts.route_values import GraphProblem
from loreweave.contracts.skill_graph import Level0Node, Level1Node, ScanAnswer, SearchAnswer
from loreweave.faces.cli.terminal.terminal_text import INDENT, facts, plain, short_time, table

SHOWN_WARNINGS = 5


def show_on_terminal(answer: BaseModel) -> None:
    console = Console()
    for kind, view in VIEWS.items():
        if isinstance(answer, kind):
            console.print(view(answer))
            return
    console.print(plain(answer.model_dump_json(indent=2)))


def graph_list(answer: GraphList) -> RenderableType:
    columns = ("graph", "kind", "revision", "notes", "links", "score", "ingested")
    rows = (
        (g.graphId, g.kind, g.revision, g.nodeCount, g.edgeCount, g.score, short_time(g.ingestedAt))
        for g in answer.graphs
    )
    return table(columns, rows) if answer.graphs else plain("No graph yet: try `lore ingest FOLDER`.")


def level_ones(answer: ScanAnswer | SearchAnswer) -> RenderableType:
    columns: tuple[str, ...] = ("id", "name", "type", "domain", "in", "out", "description")
    rows: Iterable[tuple[Any, ...]] = (
        (n.id, n.name, n.type, n.domain, n.inDegree, n.outDegree, n.description) for n in answer.results
    )
    if isinstance(answer, SearchAnswer):
        columns = ("id", "name", "type", "domain", "matched", "description")
        rows = ((n.id, n.name, n.type, n.domain, ", ".join(n.matched), n.description) for n in answer.results)
    account = plain(f"{len(answer.results)} of {answer.total} in {answer.graphId}")
    return Group(table(columns, rows), account) if answer.results else plain(f"Nothing found in {answer.graphId}.")


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
    account = ("" if answer.matched else "Nothing matched. ") + (
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
    account = facts(
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
    warnings = [
        plain(f"{one.file}: {one.message}" if one.file else one.message) for one in answer.warnings[:SHOWN_WARNINGS]
    ]
    more = answer.warningCount - len(warnings)
    return Group(account, *warnings, *([plain(f"… and {more} more: --json lists them")] if more else []))


def graded(answer: ValidateAnswer) -> RenderableType:
    issues = answer.issues
    rows: list[tuple[Any, ...]] = [
        (
            i.source,
            "broken link",
            f"[[{i.raw}]]" + (f" (did you mean {i.suggestion}?)" if i.suggestion else ""),
            i.penalty,
        )
        for i in issues.brokenLinks
    ]
    lacking: dict[str, list[tuple[str, int]]] = {}  # a file is named once, however much it lacks
    for kind, listed in (
        ("no description", issues.missingDescriptions),
        ("no type", issues.missingTypes),
        ("no domain", issues.missingDomains),
        ("orphan", issues.orphans),
    ):
        for issue in listed:
            lacking.setdefault(issue.file, []).append((kind, issue.penalty))
    for file, found in lacking.items():
        rows.append((file, ", ".join(kind for kind, _ in found), "", sum(penalty for _, penalty in found)))
    rows += [(" ⇄ ".join(issue.files), "circular pair", "", issue.penalty) for issue in issues.circularOnly]
    bonuses = f"bonuses: moc coverage {answer.bonuses.mocCoverage}, link density {answer.bonuses.linkDensityHealth}"
    parts: list[RenderableType] = [plain(f"{answer.graphId}: {answer.score} of {answer.maxScore}; {bonuses}")]
    if rows:
        parts.append(table(("file", "finding", "", "penalty"), rows))
    return Group(*parts, plain(answer.summary))


def figures(answer: StatsAnswer) -> RenderableType:
    shown = answer.model_dump(exclude={"graphId"})
    return facts(((_in_words(name), _short(value)) for name, value in shown.items()), answer.graphId)


def _in_words(name: str) -> str:
    words = "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in name)
    return {"max in degree": "most linked to", "max out degree": "most links", "avg degree": "mean degree"}.get(
        words, words.replace("breakdown", "counts")
    )


def _short(value: Any) -> str:
    if isinstance(value, dict) and "nodeId" in value:
        return f"{value['nodeId']} ({value['value']})"
    if isinstance(value, dict):
        return ", ".join(f"{name}: {item}" for name, item in value.items())
    return ", ".join(map(_short, value)) if isinstance(value, list) else str(value)


def show_tokens(tokens: Sequence[dict[str, str | None]]) -> None:
    """A secret, which is shown once, stands whole in a line of its own."""
    times = ("createdAt", "revokedAt")
    rows = (
        (token["id"], token.get("user") or "", *(short_time(token.get(name) or "") for name in times))
        for token in tokens
    )
    secrets = [plain(token["token"]) for token in tokens if token.get("token")]
    empty = plain("No token yet: `lore token create` makes one.")
    names = ("token", "user", "created", "revoked")
    Console().print(Group(table(names, rows), *secrets) if tokens else empty, soft_wrap=bool(secrets))


def deleted(answer: DeleteAnswer) -> RenderableType:
    return plain(f"{answer.graphId} is deleted")


def checkup(answer: RouteCheckup) -> RenderableType:
    """Errors first, then what is rare: one finding told of every skill must not hide the others."""
    found: dict[tuple[str, str], list[GraphProblem]] = {}
    for one in (*answer.root.problems, *answer.root.notes):
        found.setdefault((one.kind, one.code), []).append(one)
    parts: list[RenderableType] = []
    for (kind, code), alike in sorted(found.items(), key=lambda each: (each[0][0] != "error", len(each[1]))):
        lines = [one.message + _place(one) for one in alike[:SHOWN_WARNINGS]]
        if more := len(alike) - len(lines):
            lines.append(f"… and {more} more: --json lists them")
        parts += [Text(f"{kind} {code}: {len(alike)}", style="bold"), *(Padding(plain(each), INDENT) for each in lines)]
    return Group(*parts, plain("The graph is sound." if answer.root.ok else "The graph has errors."))


def _place(problem: GraphProblem) -> str:
    line = "" if problem.line is None else f":{problem.line}"
    return f" ({problem.file}{line})" if problem.file else ""


def moved(answer: RouteNextAnswer) -> RenderableType:
    move = answer.move
    pairs: list[tuple[str, Any]] = [
        ("next", answer.nextSkill or "none"),
        ("by", move.by),
        ("from", move.from_ or "outside"),
        ("active", ", ".join(answer.active) or "none"),
        ("reachable", ", ".join(answer.reachable) or "none"),
        ("tools", ", ".join(answer.tools) or "none"),
    ]
    if move.leaf is not None:
        pairs.insert(1, ("leaf", move.leaf))
    if move.dropped_cursor is not None:
        pairs.append(("unknown", f"there is no skill {move.dropped_cursor} to go on from"))
    if move.rejected_pick is not None:
        pairs.append(("refused", f"the pick {move.rejected_pick}: it cannot be reached from {move.from_ or 'outside'}"))
    if move.superseded_pick is not None:
        pairs.append(("set aside", f"the pick {move.superseded_pick}: the graph decided otherwise"))
    if move.limit is not None:
        pairs.append(("limit", f"{move.limit.code} does not let it go to {move.limit.blocked}"))
    if move.conflict is not None:
        pairs.append(("set aside", ", ".join(f"{one.to} ({one.tool_name})" for one in move.conflict.losers)))
    for one in move.predicate_errors:
        edge = f"{one.from_ or 'entry'} to {one.to}" if one.to else str(one.from_)
        pairs.append(("failed", f"{edge}: {one.error}"))
    return facts(pairs, "Move")


def reachable(answer: RouteReachableAnswer) -> RenderableType:
    return plain("\n".join(answer.reachable) or "Nothing can be reached.")


def scored(answer: RouteScoring) -> RenderableType:
    scoring = answer.root
    rows = ((one.id, f"{one.score:.3f}", f"{one.relevance:.3f}") for one in scoring.ranked)
    chosen = scoring.chosen or f"none ({scoring.abstained or 'no candidates'})"
    return Group(table(("skill", "score", "share"), rows), plain(f"chosen by {scoring.scorer}: {chosen}"))


VIEWS: dict[Any, Callable[[Any], RenderableType]] = {
    GraphList: graph_list,
    (ScanAnswer, SearchAnswer): level_ones,
    Level0Node: one_node,
    (TraverseAnswer, ContextAnswer): pack,
    IngestAnswer: ingested,
    ValidateAnswer: graded,
    StatsAnswer: figures,
    DeleteAnswer: deleted,
    RouteCheckup: checkup,
    RouteNextAnswer: moved,
    RouteReachableAnswer: reachable,
    RouteScoring: scored,
}
