"""A turn that is cut off at any moment and run again goes the same way and repeats nothing."""

import asyncio
from pathlib import Path

import pytest
from tests.examples import DEEP
from tests.model_server import Asked, ModelServer, Turn, call, say
from tests.waits import eventually
from tests.work.agents.turn_rig import PowerCut, RememberingHands, Rig

from loreweave.work.agents.agent_turn import TurnFailed, TurnLimits

APPEND = ["python", "-c", "open('log', 'a').write('x')"]
STORY = (
    call(("write_file", {"path": "a.txt", "content": "one"}), ("run_command", {"argv": APPEND})),
    call(("read_file", {"path": "a.txt"}), ("edit_file", {"path": "a.txt", "old": "one", "new": "two"})),
    call(
        ("ask_user", {"questions": [{"question": "Which?", "header": "Colour"}]}),
        ("run_command", {"argv": ["cat", "/etc/passwd"]}),
        ("run_command", {"argv": ["pip", "download", "owls"]}),
        ("run_command", {"argv": APPEND}),
    ),
    say("Done."),
)


def told(asked: Asked) -> Turn:
    """The turn that follows from how often the model has spoken before."""
    return STORY[sum(message["role"] == "assistant" for message in asked.body["messages"])]


def rig_at(folder: Path, server: ModelServer) -> Rig:
    server.script(*[told] * 100)
    answers = {"Colour": {"Colour": "green"}, "Permission": {"Permission": "Deny"}}
    return Rig(folder, server, RememberingHands(answers=answers))


@pytest.mark.holds("session.agent.replay")
def test_after_a_cut_at_any_moment_no_answered_round_is_asked_and_no_finished_call_done_again(
    tmp_path: Path, model_server: ModelServer
) -> None:
    whole = rig_at(tmp_path / "whole", model_server)
    assert asyncio.run(whole.run()) == "Done."
    last_request = model_server.asked[-1].text
    for cut in range(1, whole.hands.kept + 1, 1 if DEEP else 2):
        model_server.asked.clear()
        rig = rig_at(tmp_path / f"cut-{cut}", model_server)
        rig.hands.cut = cut
        with pytest.raises(PowerCut):
            asyncio.run(rig.run())
        rig.hands.cut = -1
        rig.tools = rig.with_tools()  # what was in memory is gone
        assert asyncio.run(rig.run()) == "Done."
        assert len(model_server.asked) == len(STORY)
        assert (rig.root / "log").read_text() == "xx"
        assert (rig.root / "a.txt").read_text() == "two"
        assert rig.hands.ran == whole.hands.ran
        assert list(rig.hands.events) == list(whole.hands.events)
        assert model_server.asked[-1].text == last_request


@pytest.mark.holds("session.agent.replay")
def test_steps_are_called_in_the_same_order_on_every_run(tmp_path: Path, model_server: ModelServer) -> None:
    rig = rig_at(tmp_path / "work", model_server)
    asyncio.run(rig.run())
    first = list(rig.hands.called)
    rig.hands.called.clear()
    rig.tools = rig.with_tools()
    asyncio.run(rig.run())
    assert rig.hands.called == first == list(dict.fromkeys(first))
    assert len(model_server.asked) == len(STORY)


@pytest.mark.holds("session.agent.replay")
def test_a_turn_that_succeeded_with_its_last_tokens_succeeds_again(tmp_path: Path, model_server: ModelServer) -> None:
    rig = rig_at(tmp_path / "work", model_server)
    rig.limits = TurnLimits(token_budget=18 * len(STORY))
    assert asyncio.run(rig.run()) == "Done."
    rig.tools = rig.with_tools()
    assert asyncio.run(rig.run()) == "Done."


@pytest.mark.holds("session.agent.replay")
def test_a_failure_is_recorded_and_not_tried_again(tmp_path: Path, model_server: ModelServer) -> None:
    rig = Rig(tmp_path / "work", model_server)
    model_server.script(say(status=400), say("Too late."))
    for _ in range(2):
        with pytest.raises(TurnFailed, match="refused the request"):
            asyncio.run(rig.run())
    assert len(model_server.asked) == 1


@pytest.mark.holds("session.agent.cancelled")
def test_cancelling_a_turn_closes_the_connection_and_ends_its_command(
    tmp_path: Path, model_server: ModelServer
) -> None:
    rig = Rig(tmp_path / "work", model_server)
    code = "import time; open('begun', 'w').close(); time.sleep(1000)"
    model_server.script(call(("run_command", {"argv": ["python", "-c", code]})))

    async def run() -> None:
        task = asyncio.create_task(rig.run())
        await asyncio.to_thread(
            eventually, lambda: task.done() or (rig.root / "begun").exists(), "the command to begin"
        )
        assert not task.done()
        task.cancel()
        await asyncio.wait({task})
        assert task.cancelled()

    asyncio.run(run())
    assert [name for name in rig.hands.steps if "call" in name] == []
