"""One request to the model as a value that can be recorded, so that an answered one is never asked again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from loreweave.language.boxed_text import BOX_RULE
from loreweave.seams.models.language_model import ModelLine
from loreweave.seams.models.model_calls import Message, ModelCall, ModelReply, ToolCall
from loreweave.seams.models.model_fault import MESSAGES, ModelFault
from loreweave.work.agents.agent_tools import offered_tools
from loreweave.work.agents.turn_values import TurnFailed, TurnOrder

REPLY_TOKENS = 8_192
RETRIES = 2


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


async def ask_model(line: ModelLine, call: ModelCall) -> dict[str, Any]:
    """A failure is an answer too: recorded, it is not tried again after a crash."""
    try:
        reply = await line.ask(call)
    except ModelFault as fault:
        return {"fault": fault.code}
    return {
        "text": _clean(reply.text),
        "calls": [{"id": found.id, "name": found.name, "arguments": found.arguments} for found in reply.calls],
        "stop": reply.stop,
        "input_tokens": reply.input_tokens,
        "output_tokens": reply.output_tokens,
        "cost_usd": reply.cost_usd,
    }


def read_reply(recorded: dict[str, Any]) -> ModelReply:
    if fault := recorded.get("fault"):
        raise TurnFailed(MESSAGES[fault], code=fault)
    calls = tuple(ToolCall(found["id"], found["name"], found["arguments"]) for found in recorded["calls"])
    return ModelReply(
        text=recorded["text"],
        calls=calls,
        stop=recorded["stop"],
        input_tokens=recorded["input_tokens"],
        output_tokens=recorded["output_tokens"],
        cost_usd=recorded["cost_usd"],
    )


def _clean(text: str) -> str:
    """What a model writes may hold half a surrogate pair, which could not be stored or sent on."""
    return text.encode("utf-8", "replace").decode().replace("\0", "")
