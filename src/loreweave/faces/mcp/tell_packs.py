"""Packs, walks and single notes as a model reads them: ids, levels, headings and text, whole within the budget."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from loreweave.application import Application
from loreweave.contracts.context_packs import ContextAnswer, TraverseAnswer
from loreweave.contracts.skill_graph import ContextRequest, GraphAnswer, TraverseRequest
from loreweave.faces.mcp.fitted_text import longest_fit, told_text
from loreweave.language.tokens import count_tokens

NOTHING = "Nothing matched."
_TRIES = 6
_AROUND = 200  # tokens of ids and headings that a pack of a few notes needs

Ask = Callable[[Any], Any]


def tell_context(_: Application, request: ContextRequest, ask: Ask) -> str:
    def told(answer: ContextAnswer) -> tuple[str, list[str]]:
        opened = [node for node in answer.contextPack.nodes if node.content]
        others = [node for node in answer.contextPack.nodes if not node.content]
        tail = [f"- `{node.id}` {node.name}{_dashed(getattr(node, 'description', ''))}" for node in others]
        found = bool(opened) or bool(tail and getattr(answer.contextPack, "matched", True))
        return _pack(answer, opened, answer.contextPack.entryPoint, found), tail

    return _within(request, ask, told)


def tell_walk(_: Application, request: TraverseRequest, ask: Ask) -> str:
    def told(answer: TraverseAnswer) -> tuple[str, list[str]]:
        tail = [f"- `{node.id}` {node.name}" for node in answer.unloaded]
        return _pack(answer, answer.path, answer.entryPoint.id, bool(answer.path or tail)), tail

    return _within(request, ask, told)


def _within(request: Any, ask: Ask, told: Callable[[Any], tuple[str, list[str]]]) -> str:
    """Asks for a pack so much smaller that it fits with all that is said around it."""
    budget = request.tokenBudget
    room = max(budget - _AROUND, budget * 3 // 4)
    for _ in range(_TRIES):
        text, others = told(ask(request.model_copy(update={"tokenBudget": room})))
        over = count_tokens(text) - budget
        if over <= 0 or not room:
            break
        room = max(0, room - over)

    def make(count: int) -> str:
        if not count:
            return text
        more = [f"and {len(others) - count} more"] if count < len(others) else []
        return "\n".join([text, "", "Near, not opened:", *others[:count], *more])

    return longest_fit(budget, make, len(others))


def _pack(answer: Any, opened: Sequence[Any], entry: str, found: bool) -> str:
    head = f"{named(answer)} · entry `{entry}` · {counted(len(opened), 'note')} opened"
    if not found or not getattr(answer, "matched", True):
        return f"{head}\n\n{NOTHING}"
    return "\n\n".join([head, *map(_opened, opened)])


def _opened(node: Any) -> str:
    """A note of a pack: who it is, its text, and which sections are left out of it."""
    place = "".join(f" · {node.path}" for _ in [0] if getattr(node, "path", None))
    left = [part for part in getattr(node, "sections", None) or () if getattr(part, "shown", "full") != "full"]
    lines = [f"---\n**{node.name}** `{node.id}` · level {node.level}{place}", "", node.content]
    if left:
        lines += ["", f"Left out: {_anchors(left[:8])}" + (f" and {len(left) - 8} more" if len(left) > 8 else "")]
    return "\n".join(lines)


def tell_note(_: Application, request: Any, ask: Ask) -> str:
    """At a level, or one section of it."""
    note = ask(request)
    facts = [named(note), f"level {note.level}", note.type, note.domain, getattr(note, "path", "")]
    head = [f"**{note.name}** `{note.id}`", " · ".join(fact for fact in facts if fact)]
    if getattr(note, "description", ""):
        head.append(note.description)
    if getattr(note, "tags", ()):
        head.append("tags: " + ", ".join(note.tags))
    if hasattr(note, "inDegree"):
        head.append(f"linked from {counted(note.inDegree, 'note')}, links to {note.outDegree}")
    sections = _anchors(part for part in getattr(note, "sections", ()) if getattr(part, "anchor", None))

    def more(tokens: int) -> str:
        parts = f", or a section of: {sections}" if sections else ", or with a section"
        return f"About {tokens} tokens more: call again with a larger maxTokens{parts}."

    return told_text("\n".join(head), getattr(note, "content", ""), request.maxTokens, more, _links(note))


def _links(note: Any) -> list[str]:
    lines = []
    for title, linked in (("Links to:", getattr(note, "links", ())), ("Linked from:", getattr(note, "backlinks", ()))):
        lines += [title] if linked else []
        lines += [f"- `{other.id}` {other.name}{_dashed(other.context)}" for other in linked]
    return lines


def _anchors(sections: Iterable[Any]) -> str:
    return ", ".join(f"`{part.anchor}` ({part.tokens})" for part in sections)


def named(answer: GraphAnswer) -> str:
    return f"graph `{answer.graphId}` revision {answer.revision}"


def counted(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def _dashed(text: str) -> str:
    line = " ".join(text.split())
    return f": {line if len(line) <= 160 else line[:159] + '…'}" if line else ""
