"""One agent at work: it is asked, uses tools, is asked again, until it says something and asks for nothing more.

Every request to the model and every call of a tool is a durable step. What is decided between them follows from what
the steps recorded, so a turn that is run again after a crash goes the same way and repeats nothing.
"""

from __future__ import annotations

import json
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from loreweave.errors import LoreError
from loreweave.language.strange_text import boxed
from loreweave.seams.models.language_model import (
    MESSAGES,
    LanguageModel,
    Message,
    ModelLine,
    ModelReply,
    ModelSaid,
    ToolCall,
    ToolSaid,
    UserSaid,
)
from loreweave.work.agents.agent_tools import TurnFailed, TurnHands, TurnLimits, TurnOrder
from loreweave.work.agents.model_round import (
    OutOfTime,
    ask_model,
    finish_within,
    is_spent,
    read_reply,
    record_usage,
    round_call,
)
from loreweave.work.agents.permission_gate import (
    DENIALS_FOR_GOOD,
    HEADER,
    count_denial,
    is_told,
    permission_question,
    take_answer,
    told,
)
from loreweave.work.agents.permission_policy import Verdict
from loreweave.work.agents.tool_requests import read_questions, read_request
from loreweave.work.agents.use_tool import ToolOutcome, use_tool

__all__ = ["TurnFailed", "TurnHands", "TurnLimits", "TurnOrder", "run_turn"]

CALLS_A_ROUND = 16
NOBODY = "Nobody answered."
_CUT_OFF = "Your answer was cut off here. Go on with your task, with less at once."
_SPENT = "The token budget of this session is spent."


async def run_turn(order: TurnOrder, hands: TurnHands, model: LanguageModel, limits: TurnLimits) -> str:
    """The agent's last text. `TurnFailed` says in one sentence why there is none."""
    async with model.opened() as line:
        return await _Turn(order, hands, line, limits).run()


@dataclass
class _Turn:
    order: TurnOrder
    hands: TurnHands
    line: ModelLine
    limits: TurnLimits
    messages: list[Message] = field(default_factory=list)
    worked: float = 0.0  # seconds
    denied_for_good: int = 0

    @property
    def place(self) -> str:
        return self.order.told_as or self.order.task or self.order.key

    async def run(self) -> str:
        self.messages.append(UserSaid(self.order.prompt.strip() or "Nothing was asked."))  # empty ones are refused
        last = ""
        for number in range(1, self.limits.rounds + 1):
            key = f"{self.order.key}/round/{number}"
            reply = await self._round(key)
            last = reply.text.strip() or last
            if not reply.calls and reply.stop != "length":
                if number == 1 and not last:
                    raise TurnFailed(MESSAGES["model_empty"], code="model_empty")
                return last
            self.messages.append(ModelSaid(reply.text, reply.calls))
            if not reply.calls:
                self.messages.append(UserSaid(_CUT_OFF))
            for place, call in enumerate(reply.calls, 1):
                self.messages.append(await self._answered(f"{key}/call/{place}", place, call))
        raise TurnFailed(f"The agent did not finish within {self.limits.rounds} rounds.", code="rounds")

    async def _round(self, key: str) -> ModelReply:
        voice = self.order.voice

        async def ask() -> dict[str, Any]:
            # Judged here and not outside: a round that was answered stays answered, whatever was spent since.
            if is_spent(self.hands, self.limits.token_budget):
                return {"fault": "budget"}
            words = await voice.begin_round(key) if voice is not None else None
            return await ask_model(self.line, round_call(self.order, self.messages, self.limits.seconds), words)

        recorded = await self._step(key, ask)
        if recorded.get("fault") == "budget":
            raise TurnFailed(_SPENT, code="budget")
        reply = read_reply(recorded)
        untold = recorded.get("untold")
        told = [await voice.last_words(untold)] if voice is not None and untold else []
        await record_usage(self.hands, f"{key}/usage", self.order.agent_name, reply, self.limits.token_budget, *told)
        if reply.stop == "refused":
            raise TurnFailed(MESSAGES["model_declined"], code="model_declined")
        return reply

    async def _step(self, name: str, work: Callable[[], Awaitable[dict[str, Any]]]) -> dict[str, Any]:
        """Durable, and timed: how long it took is recorded too, so that a replay runs out of time where it did."""

        async def timed() -> dict[str, Any]:
            started = time.monotonic()
            try:
                value = await finish_within(self.limits.seconds - self.worked, work)
            except OutOfTime:
                value = {"late": True}
            return {"value": value, "seconds": time.monotonic() - started}

        recorded = await self.hands.step(name, timed)
        self.worked += recorded["seconds"]
        value: dict[str, Any] = recorded["value"]
        if value.get("late"):
            raise TurnFailed(f"The agent did not finish within {self.limits.seconds:g} seconds.", code="time")
        return value

    async def _answered(self, key: str, place: int, call: ToolCall) -> ToolSaid:
        """A call that makes no sense is answered with a failure that the model can act on."""
        if place > CALLS_A_ROUND:
            return ToolSaid(call, "Too many calls at once.", failed=True)
        if call.name == "ask_user" and not self.order.tools.reading_only:
            return await self._ask_people(key, call)
        outcome = await self._used(key, call, allowed=False)
        if outcome.decision is not None and outcome.decision.kind == "asked":
            outcome = await self._ask_leave(key, call, outcome.decision)
        return ToolSaid(call, outcome.text, outcome.failed)

    async def _used(self, key: str, call: ToolCall, *, allowed: bool) -> ToolOutcome:
        async def use() -> dict[str, Any]:
            return (await use_tool(self.order.tools, call, self.place, allowed=allowed)).as_json()

        outcome = ToolOutcome.from_json(await self._step(key, use))
        decision = outcome.decision
        if decision is None:
            return outcome
        if is_told(decision) and (not allowed or decision.kind == "denied_for_good"):
            await self.hands.record(f"{key}/permission", told(decision, self.place))
        self._count(decision, allowed)
        return outcome

    def _count(self, decision: Verdict, allowed: bool) -> None:
        if not allowed:
            count_denial(self.order.tools, self.place, decision)
        if decision.kind == "denied_for_good":
            self.denied_for_good += 1
            if self.denied_for_good >= DENIALS_FOR_GOOD:
                message = f"The agent reached for what is not its own {DENIALS_FOR_GOOD} times."
                raise TurnFailed(message, code="permission")

    async def _ask_leave(self, key: str, call: ToolCall, decision: Verdict) -> ToolOutcome:
        question = permission_question(read_request(call), decision)
        answers = await self.hands.ask(
            f"{key}/leave",
            lambda question_id: self.order.question_event(question_id, [question]),
            place=self.place,
            headers=[HEADER],
        )
        if take_answer(self.order.tools.grants, decision.grant, answers):
            return await self._used(f"{key}/allowed", call, allowed=True)
        return ToolOutcome(f"Denied: {decision.reason} " + (NOBODY if answers is None else "A person refused it."))

    async def _ask_people(self, key: str, call: ToolCall) -> ToolSaid:
        try:
            questions = read_questions(call)
        except LoreError as trouble:
            return ToolSaid(call, f"{trouble.message}.", failed=True)
        answers = await self.hands.ask(
            f"{key}/question",
            lambda question_id: self.order.question_event(question_id, questions),
            place=self.place,
            headers=[question.header for question in questions],
        )
        if answers is None:
            return ToolSaid(call, NOBODY)
        return ToolSaid(call, boxed("answers", json.dumps(answers, ensure_ascii=False, sort_keys=True)))
