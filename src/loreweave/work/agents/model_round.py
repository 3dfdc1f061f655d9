"""One request to the model: asked in time, recorded so that it is never asked again, and paid for."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, TypeVar

from loreweave.contracts.session_events import BudgetWarning, SessionEvent, TokenUsage
from loreweave.language.strange_text import BOX_RULE
from loreweave.seams.models.language_model import (
    MESSAGES,
    Message,
    ModelCall,
    ModelFault,
    ModelLine,
    ModelReply,
    ToolCall,
)
from loreweave.work.agents.agent_tools import Purse, TurnFailed, TurnHands, TurnOrder, offered_tools
from loreweave.work.agents.agent_voice import LONGEST_REPLY, RoundWords, storable

REPLY_TOKENS = 8_192
LONGEST_CALLS = 8_000_000  # characters of what the calls of one reply are given
RETRIES = 2
Found = TypeVar("Found")
_SPENT = ("input_tokens", "output_tokens", "cost_usd")
WARNING_PERCENT = 80
WARNING_KEY = "budget-warning"  # one in a session


@cache
def prompt_file(name: str) -> str:
    """What models are given as instructions lies in files, so that it can be read and reviewed as text."""
    return (files("loreweave.work.agents") / "prompts" / f"{name}.md").read_text("utf-8").strip()


def round_call(order: TurnOrder, messages: Sequence[Message], silence: float) -> ModelCall:
    return ModelCall(
        purpose=order.purpose,
        system=f"{order.system}\n\n{BOX_RULE}".strip(),
        messages=tuple(messages),
        tools=offered_tools(order.tools),
        max_tokens=REPLY_TOKENS,
        timeout_seconds=silence,
        retries=RETRIES,
        session=order.session_id,
        task=order.task,
        brief={"prompt": order.prompt, **order.brief},
    )


async def ask_model(line: ModelLine, call: ModelCall, words: RoundWords | None = None) -> dict[str, Any]:
    """A failure is an answer too: recorded, it is not tried again after a crash. `untold`: what `words` did not tell
    while it came; where nobody listened, all of it."""
    try:
        reply = await line.ask(call, words)
        untold = await words.rest() if words is not None else storable(reply.text)
        if len(reply.text) > LONGEST_REPLY or len(str([call.arguments for call in reply.calls])) > LONGEST_CALLS:
            return {"fault": "model_malformed"}
    except ModelFault as fault:
        return {"fault": fault.code}
    finally:
        if words is not None:
            await words.end()
    calls = [{"id": found.id, "name": found.name, "arguments": found.arguments} for found in reply.calls]
    spent = {name: getattr(reply, name) for name in _SPENT}
    return {"text": storable(reply.text), "untold": untold, "calls": calls, "stop": reply.stop, **spent}


def read_reply(recorded: dict[str, Any]) -> ModelReply:
    if fault := recorded.get("fault"):
        raise TurnFailed(MESSAGES[fault], code=fault)
    calls = tuple(ToolCall(**found) for found in recorded["calls"])
    return ModelReply(recorded["text"], calls, recorded["stop"], **{name: recorded[name] for name in _SPENT})


class OutOfTime(Exception):
    """The work was cancelled because its time was over."""


async def finish_within(seconds: float, work: Callable[[], Awaitable[Found]]) -> Found:
    """The work is over when this returns, whatever happened. Its seconds pass while the computer is awake: a lid that
    is closed, or a clock that is set, neither ends nor lengthens it."""
    if seconds <= 0:
        raise OutOfTime
    task = asyncio.ensure_future(work())
    try:
        await asyncio.wait({task}, timeout=seconds)
        if not task.done():
            raise OutOfTime
        return task.result()
    finally:
        if not task.done():
            task.cancel()
            await asyncio.wait({task})


def is_spent(hands: TurnHands, budget: int) -> bool:
    return hands.spent() >= budget


async def record_usage(
    purse: Purse, key: str, agent_name: str, reply: ModelReply, budget: int, *told: SessionEvent
) -> None:
    """One increment a request, after what it told, and the warning as soon as the sum is high enough."""
    usage = TokenUsage(agent_name=agent_name, **{name: getattr(reply, name) for name in _SPENT})
    await purse.record(key, *told, usage)
    total = purse.spent()
    if total * 100 >= budget * WARNING_PERCENT:
        await purse.record(WARNING_KEY, BudgetWarning(total_tokens=total, max_budget=budget, cost_usd=purse.cost()))
