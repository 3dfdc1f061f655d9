"""Where a run of a plan stands: which skills are open, in which of their steps, and what it has used up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from loreweave.contracts import session_events as events
from loreweave.contracts.argument_values import shown
from loreweave.contracts.skill_plan import SkillSpec, SkillStep
from loreweave.work.skill_plans.event_journal import EventJournal
from loreweave.work.skill_plans.plan_failure import PlanFailure
from loreweave.work.skill_plans.plan_hands import PlanHands
from loreweave.work.skill_plans.plan_limits import MOST_FRAMES, MOST_RUN_STEPS, MOST_WRITTEN
from loreweave.work.skill_plans.read_workspace import read_workspace
from loreweave.work.skill_plans.skill_context import SkillContext
from loreweave.work.skill_plans.templates import fill


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
