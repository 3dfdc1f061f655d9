"""What a request cost, as events, and when a session has spent enough."""

from __future__ import annotations

from loreweave.contracts.session_events import BudgetWarning, TokenUsage
from loreweave.seams.models.model_calls import ModelReply
from loreweave.work.agents.turn_values import TurnHands

WARNING_PERCENT = 80
WARNING_KEY = "budget-warning"  # one in a session


def is_spent(hands: TurnHands, budget: int) -> bool:
    return hands.spent() >= budget


async def record_usage(hands: TurnHands, key: str, agent_name: str, reply: ModelReply, budget: int) -> None:
    """One increment a request, and the warning as soon as the sum is high enough."""
    usage = TokenUsage(
        agent_name=agent_name,
        input_tokens=reply.input_tokens,
        output_tokens=reply.output_tokens,
        cost_usd=reply.cost_usd,
    )
    await hands.record(key, usage)
    total = hands.spent()
    if total * 100 >= budget * WARNING_PERCENT:
        await hands.record(WARNING_KEY, BudgetWarning(total_tokens=total, max_budget=budget, cost_usd=hands.cost()))
