"""A skill run as a session: its plan, run with the hands that record, ask and let agents work."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from loreweave.contracts.session_events import SessionEvent
from loreweave.contracts.skill_plan import SkillRunRequest
from loreweave.work.sessions.session_run import SessionRun
from loreweave.work.skill_plans.plan_hands import SkillTurn
from loreweave.work.skill_plans.run_plan import run_plan

AgentWork = Callable[[SessionRun, str, SkillTurn], Awaitable[str]]


class SkillHands:
    """What a plan does to the world goes into its session's log."""

    def __init__(self, run: SessionRun, ask_seconds: float, let_agent_work: AgentWork) -> None:
        self._run = run
        self._ask_seconds = ask_seconds
        self._let_agent_work = let_agent_work

    async def record(self, key: str, *events: SessionEvent) -> None:
        await self._run.record(key, *events)

    async def ask(
        self, key: str, event: Callable[[str], SessionEvent], *, place: str, headers: Sequence[str]
    ) -> dict[str, Any] | None:
        asked = await self._run.ask(key, event, place=place, headers=headers, timeout_s=self._ask_seconds)
        return asked.answers

    async def run_agent(self, key: str, turn: SkillTurn) -> str:
        return await self._let_agent_work(self._run, key, turn)


class SkillSession:
    """The body of every session of the kind `skill`."""

    def __init__(self, ask_seconds: float, let_agent_work: AgentWork) -> None:
        self._ask_seconds = ask_seconds
        self._let_agent_work = let_agent_work

    async def __call__(self, run: SessionRun) -> None:
        request = SkillRunRequest.model_validate_json(run.given)
        hands = SkillHands(run, self._ask_seconds, self._let_agent_work)
        await run_plan(request.plan, request.allSkills, run.session_id, hands)
