"""Sessions for a person on a terminal. What plans and agents say is shown as text: nothing in it works."""

import json
from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel
from rich.console import Console, Group, RenderableType
from rich.panel import Panel

from loreweave.contracts.project_spec import ProvenanceAnswer, TakenLook
from loreweave.contracts.session import SessionAnswer, SessionSummary
from loreweave.faces.cli.terminal.question_prompts import gate_lines, question_lines
from loreweave.faces.cli.terminal.terminal_text import facts, plain, short_time, table

SHOWN_TEXT = 200  # characters of a text in a line of events
SHORT_ID = 8
SHOWN_QUESTION = 80  # of what an agent asked
SHOWN_ANCHORS, SHOWN_ANCHOR = 2, 32  # of the sections that a note was shown with
_OWN = ("type", "seq", "ts")


def show_sessions(found: Sequence[SessionSummary]) -> None:
    columns = ("session", "kind", "state", "outcome", "goal", "begun")
    rows = (  # a beginning of the id is enough for every command
        (s.id[:SHORT_ID], s.kind, _standing(s.state, s.waits), s.outcome or "-", s.goal, short_time(s.created_at))
        for s in found
    )
    empty = plain("No session yet: try `lore run PLAN.json` or `lore build SPEC.json`.")
    Console().print(table(columns, rows) if found else empty)


def _standing(state: str, waits: bool) -> str:
    return "waits for you" if waits else state


def show_answer(answer: BaseModel) -> None:
    if isinstance(answer, SessionAnswer):
        show_session(answer)
    else:
        Console().print(plain(getattr(answer, "status", answer)))


def show_session(session: SessionAnswer) -> None:
    Console().print(Group(*_parts(session)))


def _parts(session: SessionAnswer) -> list[RenderableType]:
    shown: list[tuple[str, Any]] = [
        ("kind", session.kind),
        ("state", _standing(session.state, bool(session.questions or session.gates))),
    ]
    shown += [("outcome", session.outcome)] if session.outcome else []
    shown += [("error", session.error)] if session.error else []
    if session.tokens and session.tokens.total_tokens:
        shown.append(("tokens", f"{session.tokens.total_tokens} of {session.tokens.max_budget}"))
    shown.append(("begun", short_time(session.created_at)))
    shown += [("ended", short_time(session.ended_at))] if session.ended_at else []
    parts: list[RenderableType] = [facts(shown, session.id)]
    for task in session.tasks:
        told = f": {task.summary or task.error}" if task.summary or task.error else ""
        parts.append(plain(f"{task.status:>11}  {task.name} ({task.agent_name}){told}"))
    shown_at = [("folder", session.nugget_dir), ("page", session.url)]
    parts += [plain(f"{name}: {where}") for name, where in shown_at if where]
    for gate in session.gates:
        told = f"answer with: lore sessions answer {session.id} y"
        parts += map(plain, [f"waits at {gate.task_id}:", *gate_lines(gate.model_dump()), told])
    for asked in session.questions:
        until = f" until {short_time(asked.deadline)}" if asked.deadline else ""
        place = f"waits at {asked.step_id or asked.task_id}{until}"
        lines = [line for each in asked.questions for line in question_lines(each.model_dump())]
        step = f" --step {asked.step_id}" if asked.step_id and len(session.questions) > 1 else ""
        told = " ANSWER" * len(asked.questions)
        parts += map(plain, [f"{place}:", *lines, f"answer with: lore sessions answer {session.id}{told}{step}"])
    parts += [plain(f"warning: {warning}") for warning in session.warnings]
    if session.skill and session.skill.result is not None:
        parts.append(Panel(plain(session.skill.result), title="result", title_align="left"))
    return parts


def show_why(found: ProvenanceAnswer, *, reasons: bool) -> None:
    known = found.knowledge
    read = f"It read {known.graph_id}, revision {known.revision}." if known else "It read no graph of its own."
    lines = [f"{found.goal or found.session_id}", read]
    lines += ["", "the plan", *_looks(found.plan, reasons)] if found.plan else []
    for task in found.tasks:
        told = f" · {task.status}" if task.status else ""
        lines += ["", f"{task.task_id} {task.name}{told}" + (f" · commit {task.commit[:12]}" if task.commit else "")]
        lines += _looks(task.looks, reasons)
        if not task.looks:
            lines.append("  looked nothing up")
        lines += [f"  remembered as {task.remembered_as[:8]}"] if task.remembered_as else []
    Console().print(plain("\n".join(lines)), soft_wrap=True)


def _looks(looks: Sequence[TakenLook], reasons: bool) -> list[str]:
    lines = []
    for look in looks:
        lines.append(f"  {_look_named(look)}")
        for node in look.nodes:
            lines.append(f"    {node.id}, {node.tokens:,} tokens{_anchors(node.sections)}")
            lines += [f"      {node.reason}"] if reasons else []
        lines += [f"    memory {memory.id[:8]} {memory.name}" for memory in look.memories]
    return lines


def _look_named(look: TakenLook) -> str:
    when = f"attempt {look.attempt}" if look.attempt else "before it began"
    asked = "for it" if look.tool == "context" else f"“{_short(look.asked, SHOWN_QUESTION)}”"
    return f"{when}: opened the skill {look.skill}" if look.skill else f"{when}: {look.tool} {asked}"


def _anchors(sections: Sequence[str]) -> str:
    """The first of them; JSON has all."""
    more = f" and {len(sections) - SHOWN_ANCHORS} more" if len(sections) > SHOWN_ANCHORS else ""
    shown = ", ".join(f"#{_short(anchor, SHOWN_ANCHOR)}" for anchor in sections[:SHOWN_ANCHORS])
    return f": {shown}{more}" if sections else ", whole"


def event_line(frame: str) -> str:
    """A frame in few words: its number, its kind, and what it tells."""
    event = json.loads(frame)
    told = " ".join(f"{name}={_short(value)}" for name, value in event.items() if name not in _OWN)
    return str(plain(f"{event['seq']:>4} {event['type']} {told}")).replace("\n", " ").rstrip()


def _short(value: Any, most: int = SHOWN_TEXT) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= most else text[:most] + "…"
