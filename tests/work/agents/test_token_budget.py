"""Every request counts, a warning comes once, and what is spent is spent."""

import asyncio
from pathlib import Path

import pytest
from tests.model_server import ModelServer, Turn, say
from tests.work.agents.turn_rig import Rig

from loreweave.work.agents.agent_turn import TurnFailed, TurnLimits

LOOK = ("list_files", {"path": "."})


def spending(tokens: int, *calls: tuple[str, dict[str, str]]) -> Turn:
    return Turn(pieces=("So.",), calls=calls, usage={"input_tokens": tokens - 10, "output_tokens": 10})


@pytest.fixture
def rig(tmp_path: Path, model_server: ModelServer) -> Rig:
    return Rig(tmp_path / "work", model_server, limits=TurnLimits(token_budget=1_000))


@pytest.mark.holds("session.tokens.increments")
def test_each_round_is_one_increment_under_the_agents_name(rig: Rig) -> None:
    rig.server.script(spending(100, LOOK), spending(200))
    asyncio.run(rig.run())
    assert [(used.agent_name, used.input_tokens, used.output_tokens) for used in rig.hands.usages] == [
        ("helper", 90, 10),
        ("helper", 190, 10),
    ]
    assert rig.hands.cost() == pytest.approx((280 * 1 + 20 * 5) / 1e6)
    assert rig.hands.of_type("budget_warning") == []


@pytest.mark.holds("session.tokens.warning")
def test_the_warning_comes_once_from_eighty_percent_on(rig: Rig) -> None:
    rig.server.script(spending(799, LOOK), spending(10, LOOK), spending(10, LOOK), spending(10))
    asyncio.run(rig.run())
    kinds = [event.type for event in rig.hands.all_events]
    assert kinds == ["token_usage", "token_usage", "budget_warning", "token_usage", "token_usage"]
    (warning,) = rig.hands.of_type("budget_warning")
    assert (warning.total_tokens, warning.max_budget) == (809, 1_000)
    assert warning.cost_usd == pytest.approx((789 * 1 + 20 * 5) / 1e6)


@pytest.mark.holds("session.tokens.warning")
def test_exactly_eighty_percent_warns(rig: Rig) -> None:
    rig.server.script(spending(800))
    asyncio.run(rig.run())
    assert len(rig.hands.of_type("budget_warning")) == 1


@pytest.mark.holds("session.tokens.end")
def test_once_all_is_spent_no_further_request_is_made(rig: Rig) -> None:
    rig.server.script(spending(1_000, ("write_file", {"path": "a", "content": "b"})), say("Too much."))
    with pytest.raises(TurnFailed) as failed:
        asyncio.run(rig.run())
    assert (failed.value.code, failed.value.message) == ("budget", "The token budget of this session is spent.")
    assert len(rig.server.asked) == 1
    with pytest.raises(TurnFailed):
        asyncio.run(rig.run(key="1/1"))
    assert len(rig.server.asked) == 1


@pytest.mark.holds("session.tokens.end")
def test_a_turn_that_ends_with_its_last_tokens_has_not_failed(rig: Rig) -> None:
    rig.server.script(spending(1_000))
    assert asyncio.run(rig.run()) == "So."
