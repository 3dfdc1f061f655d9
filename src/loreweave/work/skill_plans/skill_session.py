"""A skill run as a session: its plan, run with hands that record, ask and let agents work."""

from collections.abc import Callable, Sequence
from typing import Any

from loreweave.contracts.session_events import SessionEvent
from loreweave.work.agents.agent_tools import SessionGrants
from loreweave.work.sessions.session_run import SessionRun
from loreweave.work.skill_plans.plan_hands import SkillTurn
from loreweave.work.skill_plans.read_plan import kept_run
from loreweave.work.skill_plans.run_plan import run_plan
from loreweave.work.skill_plans.skill_agent import RunWide, SkillAgent, TurnRun


class SkillHands:
    """What a plan does to the world goes into its session's log."""

    def __init__(self, run: SessionRun, agent: SkillAgent, run_wide: RunWide) -> None:
        self._run = run
        self._agent = agent
        self._run_wide = run_wide
        self._people = TurnRun(run, agent.ask_seconds)

    async def record(self, key: str, *events: SessionEvent) -> None:
        await self._run.record(key, *events)

    async def ask(
        self, key: str, event: Callable[[str], SessionEvent], *, place: str, headers: Sequence[str]
    ) -> dict[str, Any] | None:
        return await self._people.ask(key, event, place=place, headers=headers)

    async def run_agent(self, key: str, turn: SkillTurn) -> str:
        return await self._agent.work(self._run, key, turn, self._run_wide)


class SkillSession:
    """The body of every session of the kind `skill`."""

    def __init__(self, agent: SkillAgent) -> None:
        self._agent = agent

    async def __call__(self, run: SessionRun) -> None:
        request = kept_run(run.given)
        run_wide = RunWide({skill.id: skill for skill in request.allSkills}, SessionGrants())
        await run_plan(request.plan, request.allSkills, run.session_id, SkillHands(run, self._agent, run_wide))
