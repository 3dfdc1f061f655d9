"""Skill runs for the faces: started, and answered."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from loreweave.contracts.session import AnswerTaken
from loreweave.contracts.skill_plan import GraphSkills, SkillRunRequest, StartedSkill
from loreweave.errors import NotFound
from loreweave.knowledge.graph.graph_library import GraphLibrary
from loreweave.seams.engine.engine import Engine
from loreweave.work.sessions.session_log import SessionLog
from loreweave.work.sessions.session_service import SessionService
from loreweave.work.skill_plans.read_plan import keep_run, kept_run, read_answer, read_run, warnings_of
from loreweave.work.skill_plans.read_workspace import step_ids


@dataclass(frozen=True, eq=False, repr=False)
class SkillService:
    """`engine`: opens it when first asked; `fail_at`: where a test may end the process."""

    sessions: SessionService
    log: SessionLog
    engine: Callable[[], Engine]
    max_budget: int
    fail_at: Callable[[str], None]
    open_library: Callable[[], GraphLibrary]

    def from_graph(self, graph_id: str, node_id: str) -> GraphSkills:
        from loreweave.work.skill_plans.skills_from_graph import skills_from_graph

        return skills_from_graph(self.open_library(), graph_id, node_id)

    def run(self, value: Any) -> StartedSkill:
        """`{plan, allSkills?, fromGraph?, request_id?}`: everything is checked before the session exists.

        Sent again with its `request_id` it answers the session there is, which is started if it was not.
        """
        request = self._with_graph(read_run(value))
        self.engine()  # before anything is written down: where nothing can run, nothing is promised
        session_id = self.log.create(
            *("skill", request.plan.skillName, keep_run(request), self.max_budget),
            warnings=warnings_of(value),
            request_id=request.request_id,
        ).result()
        self.fail_at("session.created")
        self.sessions.set_going(self.engine(), session_id)
        return StartedSkill(session_id=session_id)

    def _with_graph(self, request: SkillRunRequest) -> SkillRunRequest:
        """What the graph makes of a note is written down with the run: later changes do not reach it."""
        if request.fromGraph is None:
            return request
        made = self.from_graph(request.fromGraph.graphId, request.fromGraph.nodeId).skills
        own = {skill.id for skill in request.allSkills}
        skills = [*request.allSkills, *(skill for skill in made if skill.id not in own)]
        return request.model_copy(update={"allSkills": skills})

    def answer(self, session_id: str, value: Any) -> AnswerTaken:
        """`{step_id, answers}`."""
        row = self.sessions.row(session_id)
        request = read_answer(value)
        if row.kind == "skill":
            self._know_step(row.given, request.step_id)
        question_id = value.get("question_id")
        return self.sessions.answer_step(
            session_id, request.step_id, request.answers, question_id if isinstance(question_id, str) else None
        )

    def _know_step(self, given: str, step_id: str) -> None:
        request = kept_run(given)
        if step_id not in step_ids(request.plan, request.allSkills):
            raise NotFound(f"No plan of this run has a step {step_id[:200]!r}", step_id=step_id[:200])
