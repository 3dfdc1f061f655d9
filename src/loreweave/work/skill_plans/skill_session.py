"""A skill run as a session: its plan, run with hands that record, ask and let an agent do a step.

An agent works in a folder of its own that is gone afterwards.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from loreweave.contracts.session_events import QuestionPayload, SessionEvent, SkillQuestion
from loreweave.contracts.skill_plan import SkillSpec
from loreweave.errors import NotFound
from loreweave.seams.host.confined_folder import ConfinedFolder
from loreweave.work.agents.agent_tools import AgentHouse, AgentTools, SessionGrants, TurnFailed, TurnOrder
from loreweave.work.agents.agent_turn import run_turn
from loreweave.work.sessions.session_run import SessionRun
from loreweave.work.skill_plans.plan_faults import PlanFailure
from loreweave.work.skill_plans.plan_run import SkillTurn
from loreweave.work.skill_plans.read_plan import kept_run
from loreweave.work.skill_plans.run_plan import run_plan
from loreweave.work.workspaces.workspace_service import WorkspaceService

SYSTEM = (
    "You do one step of a skill for a person. Use the tools where they help; your workspace is empty at first and is "
    "thrown away afterwards, so everything that counts must be in your last message. Answer with the result alone."
)


@dataclass(frozen=True)
class SkillAgent(AgentHouse):
    """What every agent of a skill run is given."""

    workspaces: WorkspaceService

    async def work(self, run: SessionRun, key: str, turn: SkillTurn, run_wide: "RunWide") -> str:
        """The agent's last text; a step that fails, or cannot be tried at all, fails its run."""
        try:
            return await self._work(run, key, turn, run_wide)
        except TurnFailed as failure:
            raise PlanFailure(failure.message) from None

    async def _work(self, run: SessionRun, key: str, turn: SkillTurn, run_wide: "RunWide") -> str:
        model = await self.model()
        folder = await asyncio.to_thread(self.workspaces.open_scratch, run.session_id, key)
        tools = await asyncio.to_thread(self._tools, folder, run, turn.step_id, run_wide, model.name == "demo")
        order = TurnOrder(
            purpose="skill",
            session_id=run.session_id,
            task=turn.step_id,
            agent_name=turn.skill_name or turn.skill_id,
            system=SYSTEM,
            prompt=turn.prompt,
            tools=tools,
            key=key,
            question_event=_question_of(turn),
        )
        text = await run_turn(order, TurnRun(run, self.ask_seconds), model, self.limits)
        await asyncio.to_thread(self.workspaces.remove_scratch, run.session_id, key)
        return text

    def _tools(
        self, folder: ConfinedFolder, run: SessionRun, step_id: str, run_wide: "RunWide", demo: bool
    ) -> AgentTools:
        lookups = self.lookups_for(run.session_id, step_id, 1)
        if run_wide.skills:
            lookups = replace(lookups, read_skill=run_wide.read_skill)
        return AgentTools(
            folder=folder,
            sandbox=self.open_sandbox(),
            programs=self.open_programs(),
            grants=run_wide.grants,
            lookups=lookups,
            demo=demo,
        )


@dataclass(frozen=True)
class RunWide:
    """What all agents of one run share: its skills, and what a person allowed them."""

    skills: dict[str, SkillSpec]
    grants: SessionGrants

    def read_skill(self, id: str) -> str:
        skill = self.skills.get(id)
        if skill is None:
            raise NotFound(f"There is no skill {id[:200]!r} in this run")
        return f"{skill.name}\n\n{skill.prompt}"


class TurnRun:
    """A session as an agent's turn sees it."""

    def __init__(self, run: SessionRun, ask_seconds: float) -> None:
        self._run = run
        self._ask_seconds = ask_seconds
        self.record = run.record
        self.step = run.step
        self.spent = run.spent
        self.cost = run.cost

    async def ask(
        self, key: str, event: Callable[[str], SessionEvent], *, place: str, headers: Sequence[str]
    ) -> dict[str, Any] | None:
        return await self._run.ask(key, event, place=place, headers=headers, timeout_s=self._ask_seconds or None)


def _question_of(turn: SkillTurn) -> Callable[[str, list[QuestionPayload]], SessionEvent]:
    def event(question_id: str, questions: list[QuestionPayload]) -> SessionEvent:
        return SkillQuestion(skill_id=turn.skill_id, step_id=turn.step_id, question_id=question_id, questions=questions)

    return event


class SkillHands(TurnRun):
    """What a plan does to the world goes into its session's log."""

    def __init__(self, run: SessionRun, agent: SkillAgent, run_wide: RunWide) -> None:
        super().__init__(run, agent.ask_seconds)
        self._agent = agent
        self._run_wide = run_wide

    async def run_agent(self, key: str, turn: SkillTurn) -> str:
        return await self._agent.work(self._run, key, turn, self._run_wide)


async def skill_session(agent: SkillAgent, run: SessionRun) -> None:
    """The body of every session of the kind `skill`."""
    request = kept_run(run.given)
    run_wide = RunWide({skill.id: skill for skill in request.allSkills}, SessionGrants())
    await run_plan(request.plan, request.allSkills, run.session_id, SkillHands(run, agent, run_wide))
