"""Graphs as a model reads them: packs, walks and notes with ids, levels and text; lists by the page."""

from collections.abc import Callable, Sequence
from typing import Any

from loreweave.application import Application
from loreweave.contracts.context_packs import ContextAnswer, PassagesOfNode, SectionOfNode, TraverseAnswer
from loreweave.contracts.graph_reports import IngestAnswer, Issues, ValidateAnswer
from loreweave.contracts.skill_graph import ContextRequest, GraphAnswer, Level1Node, ScanAnswer, TraverseRequest
from loreweave.faces.mcp.fitted_text import budget_of, longest_fit, told_list, told_text
from loreweave.language.tokens import count_tokens

NOTHING = "Nothing matched."
_TRIES = 6
_SHOWN = 12  # warnings of an ingest
_NAMED = 8  # sections of a note that are left out
_AROUND = 200  # tokens of ids and headings that a pack of a few notes needs

Ask = Callable[[Any], Any]


def tell_context(_: Application, request: ContextRequest, ask: Ask) -> str:
    def told(answer: ContextAnswer) -> tuple[str, list[str]]:
        opened = [node for node in answer.contextPack.nodes if node.content]
        others = [node for node in answer.contextPack.nodes if not node.content]
        tail = [f"- `{node.id}` {node.name}{_dashed(getattr(node, 'description', ''))}" for node in others]
        return _pack(answer, opened, answer.contextPack.entryPoint), tail

    return _within(request, ask, told)


def tell_walk(_: Application, request: TraverseRequest, ask: Ask) -> str:
    def told(answer: TraverseAnswer) -> tuple[str, list[str]]:
        tail = [f"- `{node.id}` {node.name}" for node in answer.unloaded]
        return _pack(answer, answer.path, answer.entryPoint.id), tail

    return _within(request, ask, told)


def _within(request: Any, ask: Ask, told: Callable[[Any], tuple[str, list[str]]]) -> str:
    """Asks for a pack so much smaller that it fits with all that is said around it, and no smaller than that."""
    budget = request.tokenBudget
    room, best = max(budget - _AROUND, budget * 3 // 4), None
    for _ in range(_TRIES):
        asked = told(ask(request.model_copy(update={"tokenBudget": room})))
        spare = budget - count_tokens(asked[0])
        if spare < 0 and best is not None:
            break
        best = asked if spare >= 0 else None
        if 0 <= spare * 20 <= budget or not room or room + spare > budget:
            break
        room = max(0, room + spare)
    text, others = best or asked

    def make(count: int) -> str:
        if not count:
            return text
        more = [f"and {len(others) - count} more"] if count < len(others) else []
        return "\n".join([text, "", "Near, not opened:", *others[:count], *more])

    return longest_fit(budget, make, len(others))


def _pack(answer: Any, opened: Sequence[Any], entry: str) -> str:
    head = f"{named(answer)} · entry `{entry}` · {counted(len(opened), 'note')} opened"
    return "\n\n".join([head, *(map(_opened, opened) if answer.matched else [NOTHING])])


def _opened(node: Any) -> str:
    """A note of a pack: who it is, its text, and which sections are left out of it."""
    left = [part for part in node.sections or () if part.anchor and part.shown != "full"]
    lines = [f"---\n**{node.name}** `{node.id}` · level {node.level}", "", node.content]
    if left:
        anchors = ", ".join(f"`{part.anchor}` ({part.tokens})" for part in left[:_NAMED])
        lines += ["", f"Left out: {anchors}" + (f" and {len(left) - _NAMED} more" if len(left) > _NAMED else "")]
    return "\n".join(lines)


def tell_note(_: Application, request: Any, ask: Ask) -> str:
    note = ask(request)
    facts = [named(note), f"level {note.level}", note.type, note.domain, getattr(note, "path", "")]
    head = [f"**{note.name}** `{note.id}`", " · ".join(fact for fact in facts if fact)]
    if isinstance(note, SectionOfNode):
        head[0] += f" section `{note.section}`" if note.section else ""
    elif isinstance(note, PassagesOfNode):
        head += [] if note.matched else [NOTHING]
    elif isinstance(note, Level1Node):
        head += [note.description] if note.description else []
        head += ["tags: " + ", ".join(note.tags)] if note.tags else []
        head.append(f"linked from {counted(note.inDegree, 'note')}, links to {note.outDegree}")

    def more(tokens: int) -> str:
        return f"About {tokens} tokens more: call again with a larger maxTokens, or for one section by its heading."

    return told_text("\n".join(head), getattr(note, "content", ""), request.maxTokens, more, _links(note))


def _links(note: Any) -> list[str]:
    lines = []
    for title, linked in (("Links to:", getattr(note, "links", ())), ("Linked from:", getattr(note, "backlinks", ()))):
        lines += [title] if linked else []
        lines += [f"- `{other.id}` {other.name}{_dashed(other.context)}" for other in linked]
    return lines


def named(answer: GraphAnswer) -> str:
    return f"graph `{answer.graphId}` revision {answer.revision}"


def counted(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def _dashed(text: str) -> str:
    line = " ".join(text.split())
    return f": {line if len(line) <= 160 else line[:159] + '…'}" if line else ""


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
    head = [f"{named(report)} · score {report.score} of {report.maxScore}", report.summary, _kinds(report.issues)]
    return told_list("\n".join(filter(None, head)), _findings(report.issues), request)


def _kinds(report: Any) -> str:
    return ", ".join(f"{name} {len(found)}" for name, found in report if isinstance(found, list) and found)


def _findings(issues: Issues) -> list[str]:
    lines = [
        f"- broken link ({found.penalty}): {found.source}" + (f":{found.line}" if found.line else "")
        + f" → {found.raw}" + (f", perhaps {found.suggestion}" if found.suggestion else "")
        for found in issues.brokenLinks
    ]  # fmt: skip
    for name in ("missingDescriptions", "missingTypes", "missingDomains", "orphans"):
        lines += [f"- {name} ({found.penalty}): {found.file}" for found in getattr(issues, name)]
    return lines + [f"- circularOnly ({found.penalty}): {', '.join(found.files)}" for found in issues.circularOnly]


def tell_ingest(_: Application, request: Any, ask: Ask) -> str:
    """What came of it; the findings are validate's to list."""
    made: IngestAnswer = ask(request)
    changes, found = made.changes, made.validation
    lines = [
        named(made) + (" · unchanged" if made.unchanged else ""),
        f"{counted(made.metrics.nodeCount, 'note')}, {counted(made.metrics.edgeCount, 'link')}, score {found.score}; "
        f"{changes.added} added, {changes.changed} changed, {changes.removed} removed",
    ]
    if made.siteRoot:
        lines.append(f"Links from the site's root are read below {made.siteRoot}")
    if kinds := _kinds(found):
        lines.append(f"To repair: {kinds}; validate lists them.")
    if made.warningCount:
        lines.append(f"{counted(made.warningCount, 'warning')}:")
        lines += [f"- {told.file + ': ' if told.file else ''}{told.message}" for told in made.warnings[:_SHOWN]]
    return longest_fit(budget_of(request), lambda count: "\n".join(lines[:count]), len(lines))
