"""Where a run of a plan stands: what it may do to the world, what its skills know, which of them are open, in which of
their steps, and what it has used up."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from loreweave.contracts import session_events as events
from loreweave.contracts.session_events import SessionEvent
from loreweave.contracts.skill_plan import SkillSpec, SkillStep
from loreweave.language.strange_text import shown
from loreweave.work.skill_plans.plan_faults import MOST_FILLED, MOST_FRAMES, MOST_RUN_STEPS, MOST_WRITTEN, PlanFailure
from loreweave.work.skill_plans.read_workspace import read_workspace

TOGETHER = 50  # events
KEY = re.compile(r"\{\{([\w.-]+)\}\}")  # letters and digits of every script
Entry = str | list[str]


@dataclass(frozen=True, slots=True)
class SkillTurn:
    """One agent's work for a step. The prompt is filled in already."""

    skill_id: str
    skill_name: str
    step_id: str
    prompt: str


class PlanHands(Protocol):
    """Every key is the same on every run of the same plan with the same answers, and stands for one call."""

    async def record(self, key: str, *events: SessionEvent) -> None: ...

    async def ask(
        self, key: str, event: Callable[[str], SessionEvent], *, place: str, headers: Sequence[str]
    ) -> dict[str, Any] | None:
        """What was answered; None where nobody did in time. `headers` are the names an answer may have, best first."""

    async def run_agent(self, key: str, turn: SkillTurn) -> str:
        """The agent's last text; `PlanFailure` says why there is none."""


class EventJournal:
    """Keeps events of steps that need nobody together and writes them at once: a write costs more than such a step.

    It writes at points that only the plan and its answers decide, so every run writes the same under the same key.
    """

    def __init__(self, hands: PlanHands) -> None:
        self._hands = hands
        self._key = ""
        self._events: list[SessionEvent] = []

    def note(self, key: str, *events: SessionEvent) -> None:
        if not self._events:
            self._key = key
        self._events += events

    async def settle(self) -> None:
        """Writes where much has gathered."""
        if len(self._events) >= TOGETHER:
            await self.flush()

    async def flush(self) -> None:
        """Before anyone is waited for: whoever watches must see why nothing moves."""
        if self._events:
            events, self._events = self._events, []
            await self._hands.record(self._key, *events)


@dataclass(slots=True)
class SkillContext:
    """What a running skill knows. Reads go up the chain of callers, writes stay here."""

    parent: SkillContext | None = None
    entries: dict[str, Entry] = field(default_factory=dict)

    def text(self, key: str) -> str:
        """A list is its texts joined; what is known nowhere is the empty text."""
        context: SkillContext | None = self
        while context is not None:
            if key in context.entries:
                found = context.entries[key]
                return found if isinstance(found, str) else ", ".join(found)
            context = context.parent
        return ""


def as_entry(value: Any) -> Entry:
    """An answer as it is kept: a text or a list of texts, whatever JSON it came as."""
    return [_as_text(one) for one in value] if isinstance(value, list) else _as_text(value)


def _as_text(value: Any) -> str:
    if value is None:
        return ""
    return storable(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))


def storable(text: str) -> str:
    """What came from people and models, without the signs that no event could carry."""
    return text.replace("\0", "\ufffd").encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def fill(template: str, find: Callable[[str], str]) -> str:
    """Every key replaced by what `find` says. What comes in that way is text: no key in it is looked for again."""
    parts: list[str] = []
    length = 0
    end = 0
    for match in KEY.finditer(template):
        found = find(match[1])
        parts += (template[end : match.start()], found)
        length += match.start() - end + len(found)
        end = match.end()
        if length > MOST_FILLED:  # at once: templates that double one another must not eat the memory
            break
    if length + len(template) - end > MOST_FILLED:
        raise PlanFailure(f"A text grew beyond {MOST_FILLED:,} characters when its templates were filled in.")
    return "".join([*parts, template[end:]])


@dataclass(slots=True)
class Frame:
    """One skill under way. `path` begins the keys of all its events."""

    number: int
    skill_id: str
    skill_name: str
    path: str
    context: SkillContext = field(default_factory=SkillContext)
    result: str = ""


@dataclass(frozen=True, slots=True)
class OpenStep:
    frame: Frame
    step: SkillStep
    key: str

    def event(self, status: events.StepStatus) -> events.SkillStep:
        return events.SkillStep(
            skill_id=self.frame.skill_id, step_id=self.step.id, step_type=self.step.type, status=status
        )


@dataclass(slots=True)
class OpenList:
    """Steps that follow one another: a skill's own, or those of a branch. `path` begins their keys."""

    frame: Frame
    steps: Sequence[SkillStep]
    path: str
    taken: int = 0


@dataclass(slots=True)
class PlanRun:
    """Stacks instead of recursion: a failure finds every open step here, and depth costs nothing."""

    hands: PlanHands
    journal: EventJournal
    skills: dict[str, SkillSpec]
    frames: list[Frame] = field(default_factory=list)
    lists: list[OpenList] = field(default_factory=list)
    open_steps: list[OpenStep] = field(default_factory=list)
    _flows: dict[str, list[SkillStep]] = field(default_factory=dict)
    _steps_run: int = 0
    _written: int = 0

    def enter(self, frame: Frame) -> None:
        self.frames.append(frame)
        started = events.SkillStarted(skill_id=frame.skill_id, skill_name=frame.skill_name, frame=frame.number)
        self.journal.note(f"{frame.path}started", started)

    def leave(self) -> Frame:
        frame = self.frames.pop()
        completed = events.SkillCompleted(skill_id=frame.skill_id, result=frame.result, frame=frame.number)
        self.journal.note(f"{frame.path}completed", completed)
        return frame

    def begin(self, opened: OpenStep) -> None:
        self._steps_run += 1
        if self._steps_run > MOST_RUN_STEPS:
            raise PlanFailure(f"The run was ended after {MOST_RUN_STEPS:,} steps.")
        self.open_steps.append(opened)
        self.journal.note(f"{opened.key}/started", opened.event("started"))

    def complete(self) -> None:
        done = self.open_steps.pop()
        self.journal.note(f"{done.key}/completed", done.event("completed"))

    def fill(self, frame: Frame, template: str) -> str:
        return self.weigh(fill(template, frame.context.text))

    def weigh(self, text: str) -> str:
        """Counts what the run has written: many steps with large texts must not fill memory and log."""
        self._written += len(text)
        if self._written > MOST_WRITTEN:
            raise PlanFailure(f"The run was ended after its steps had written {MOST_WRITTEN:,} characters.")
        return text

    def called_skill(self, skill_id: str) -> SkillSpec:
        """The skill that a step calls, if it may be entered from here."""
        skill = self.skills.get(skill_id)
        name = shown(skill_id)
        if any(frame.skill_id == skill_id for frame in self.frames):
            chain = " → ".join([*(shown(frame.skill_id) for frame in self.frames), name])
            raise PlanFailure(f"The skill '{name}' would call itself: {chain}.")
        if skill is None:
            raise PlanFailure(f"The skill '{name}' is not among the skills of this run.")
        if len(self.frames) == MOST_FRAMES:
            raise PlanFailure(f"The skill '{name}' would be more than {MOST_FRAMES} skills deep.")
        return skill

    def flow(self, skill: SkillSpec) -> list[SkillStep]:
        if skill.id not in self._flows:
            self._flows[skill.id] = read_workspace(skill)
        return self._flows[skill.id]
