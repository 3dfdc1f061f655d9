"""What a session is, folded from its events, and how these are written. Pure: equal events, equal session."""

import json
from collections.abc import Callable
from typing import Any

from loreweave.contracts import session_events as events
from loreweave.contracts.session import OpenGate, OpenQuestion, SessionState, SessionView, SkillProgress, SpentTokens


def first_view(session_id: str, kind: events.SessionKind, max_budget: int, created_at: str) -> SessionView:
    """A session before its first event. A skill run has begun; a build waits for its start."""
    begun = kind == "skill"
    return SessionView(
        id=session_id,
        kind=kind,
        state="executing" if begun else "idle",
        outcome=None,
        error=None,
        tasks=[],
        agents=[],
        explanation=None,
        deployment_target=None,
        nugget_dir=None,
        url=None,
        gates=[],
        questions=[],
        tokens=no_tokens(max_budget) if begun else None,
        skill=None,
        warnings=[],
        created_at=created_at,
        ended_at=None,
    )


def no_tokens(max_budget: int) -> SpentTokens:
    return SpentTokens(input_tokens=0, output_tokens=0, total_tokens=0, max_budget=max_budget, cost_usd=0.0)


def apply_event(view: SessionView, event: events.SessionEvent, ts: str) -> SessionView:
    """The session after this event; the same value where the event changes nothing of it."""
    change = _CHANGES.get(type(event))
    changed = change(view, event) if change else None
    if not changed:
        return view
    if isinstance(event, Settling) and _tests_begin(view, changed, event):
        changed["state"] = "testing"
    if changed.get("state") == "done":
        changed |= {"ended_at": ts, "gates": [], "questions": []}
    return view.model_copy(update=changed)


Changed = dict[str, Any]
Settling = events.TaskCompleted | events.TaskFailed | events.GateAnswered


def _planning(view: SessionView, event: events.PlanningStarted) -> Changed:
    changed: Changed = {"state": "planning", "tokens": no_tokens(event.max_budget or 0)}
    changed["tests_follow"] = event.tests_follow
    return changed | ({"warnings": event.warnings} if event.warnings else {})


def _tests_begin(view: SessionView, changed: Changed, event: Settling) -> bool:
    """Nothing is left to do, and nobody is asked: neither about a task that failed nor at a gate after the only one."""
    now = {"state": view.state, "tasks": view.tasks, **changed}
    if view.tests_follow is None or now["state"] != "executing":
        return False
    if isinstance(event, events.TaskCompleted):
        is_asked = view.tests_follow == "gates" and len(view.tasks) == 1
    else:
        is_asked = event.reason == "attempts" if isinstance(event, events.TaskFailed) else not event.approved
    kinds = {task.status for task in now["tasks"]}
    return not is_asked and "done" in kinds and kinds <= {"done", "failed"}


def _told(event: events.SessionEvent, *names: str) -> Changed:
    return {name: getattr(event, name) for name in names}


def _task(view: SessionView, task_id: str, **update: Any) -> Changed:
    return {"tasks": [task.model_copy(update=update) if task.id == task_id else task for task in view.tasks]}


def _task_completed(view: SessionView, event: events.TaskCompleted) -> Changed:
    rests_on = {"provenance": event.provenance} if event.provenance is not None else {}
    return _task(view, event.task_id, status="done", summary=event.summary, **rests_on)


def _committed(view: SessionView, event: events.CommitCreated) -> Changed:
    tasks = [task for task in view.tasks if task.id == event.task_id]
    rests_on = tasks[0].provenance.model_copy(update={"commit": event.sha}) if tasks else None
    return _task(view, event.task_id, commit=event.sha, provenance=rests_on)


def _gate_opened(view: SessionView, event: events.HumanGate) -> Changed:
    before = view.gates[0].opened_in if view.gates else view.state
    told = event.model_dump(include={"gate_id", "task_id", "question", "context"})
    return {"state": "reviewing", "gates": [*view.gates, OpenGate(**told, opened_in=before)]}


def _gate_closed(view: SessionView, event: events.GateAnswered) -> Changed:
    gates = [gate for gate in view.gates if gate.gate_id != event.gate_id]
    closed = [gate for gate in view.gates if gate.gate_id == event.gate_id]
    state: SessionState = "reviewing" if gates or not closed else closed[0].opened_in
    return {"state": state, "gates": gates} if closed else {}


def _asked(view: SessionView, event: events.UserQuestion | events.SkillQuestion) -> Changed:
    place = {"step_id": event.step_id} if isinstance(event, events.SkillQuestion) else {"task_id": event.task_id}
    question = OpenQuestion(question_id=event.question_id, questions=event.questions, deadline=event.deadline, **place)
    return {"questions": [*view.questions, question]}


def _spent(view: SessionView, event: events.TokenUsage) -> Changed:
    before = view.tokens or no_tokens(0)
    return {
        "tokens": SpentTokens(
            input_tokens=before.input_tokens + event.input_tokens,
            output_tokens=before.output_tokens + event.output_tokens,
            total_tokens=before.total_tokens + event.input_tokens + event.output_tokens,
            max_budget=before.max_budget,
            cost_usd=before.cost_usd + event.cost_usd,
        )
    }


def _failed(view: SessionView, event: events.SessionError) -> Changed:
    if event.recoverable:
        return {}
    ended: Changed = {"state": "done", "outcome": event.outcome or "failed", "error": event.message}
    if event.outcome == "stopped":
        ended["tasks"] = [_stopped(task) for task in view.tasks]
    return ended


def _stopped(task: events.Task) -> events.Task:
    running = task.status == "in_progress"
    return task.model_copy(update={"status": "failed", "reason": "stopped"}) if running else task


def _skill_started(view: SessionView, event: events.SkillStarted) -> Changed:
    if event.frame != 1:
        return {}
    return {"skill": SkillProgress(skill_id=event.skill_id, status="running", result=None, error=None)}


def _skill_completed(view: SessionView, event: events.SkillCompleted) -> Changed:
    if event.frame != 1:
        return {}
    done = SkillProgress(skill_id=event.skill_id, status="completed", result=event.result, error=None)
    return {"state": "done", "outcome": "success", "skill": done}


def _skill_failed(view: SessionView, event: events.SkillError) -> Changed:
    failed = SkillProgress(skill_id=event.skill_id, status="failed", result=None, error=event.message)
    return {"state": "done", "outcome": event.outcome, "error": event.message, "skill": failed}


_CHANGES: dict[type, Callable[[SessionView, Any], Changed]] = {
    events.SessionStarted: lambda view, event: {"warnings": event.warnings} if event.warnings else {},
    events.PlanningStarted: _planning,
    events.PlanReady: lambda view, event: _told(event, "tasks", "agents", "explanation", "deployment_target"),
    events.WorkspaceCreated: lambda view, event: {"state": "executing", "nugget_dir": event.nugget_dir},
    events.TaskStarted: lambda view, event: _task(view, event.task_id, status="in_progress"),
    events.TaskCompleted: _task_completed,
    events.TaskFailed: lambda view, event: _task(
        view, event.task_id, status="failed", **_told(event, "error", "reason", "retry_count")
    ),
    events.CommitCreated: _committed,
    events.AgentStatusChanged: lambda view, event: {
        "agents": [event.agent if agent.name == event.agent.name else agent for agent in view.agents]
    },
    events.ContextLoaded: lambda view, event: _task(
        view, event.task_id, provenance=events.Provenance(nodes=[node.id for node in event.nodes])
    ),
    events.HumanGate: _gate_opened,
    events.GateAnswered: _gate_closed,
    events.UserQuestion: _asked,
    events.SkillQuestion: _asked,
    events.QuestionAnswered: lambda view, event: {
        "questions": [each for each in view.questions if each.question_id != event.question_id]
    },
    events.TokenUsage: _spent,
    events.TestResult: lambda view, event: {"state": "testing"} if view.state == "executing" else {},
    events.DeployStarted: lambda view, event: {"state": "deploying"},
    events.DeployComplete: lambda view, event: {"url": event.url},
    events.SessionComplete: lambda view, event: {"state": "done", "outcome": event.outcome},
    events.SessionError: _failed,
    events.SkillStarted: _skill_started,
    events.SkillCompleted: _skill_completed,
    events.SkillError: _skill_failed,
}


def sendable(event: events.SessionEvent) -> tuple[events.SessionEvent, str]:
    """The event as it can be stored and sent, and its text."""
    try:
        return event, event.model_dump_json(by_alias=True)
    except ValueError:
        # Half of a character that was cut in two, as a model may write it, is told as a question mark.
        written = json.dumps(event.model_dump(mode="python", by_alias=True), ensure_ascii=False)
        text = written.encode("utf-8", "replace").decode("utf-8")
        return events.SESSION_EVENTS.validate_json(text), text


def frame_of(text: str, seq: int, ts: str) -> str:
    """What is kept of an event, and sent: its text with number and time."""
    return f'{text[:-1]},"seq":{seq},"ts":"{ts}"}}'
