"""What agents say is heard while they write it, once, and never faster than people can follow."""

import asyncio
import threading

import pytest
from tests.model_server import Asked, Turn, say
from tests.work.builds.build_desk import BuildDesk, Json, found, place
from tests.work.builds.build_desk import task as planned_task

from loreweave.contracts.session_events import AgentOutput, SessionEvent
from loreweave.work.agents.agent_voice import ANEW, AgentVoice

TASK = planned_task("one")["id"]


def words(log: list[Json]) -> str:
    return "".join(event["content"] for event in found(log, "agent_output", task_id=TASK))


@pytest.mark.holds("build.output.stream")
def test_words_are_told_while_the_model_still_writes(desk: BuildDesk) -> None:
    go_on = threading.Event()
    desk.agents[TASK] = lambda asked: say("First words, ", "then more.", between=go_on)
    session_id = desk.start()
    early = desk.log(session_id, until="agent_output")
    assert words(early) == "First words, "
    assert not found(early, "token_usage", agent_name="Builder")
    go_on.set()
    log = desk.log(session_id)
    assert words(log) == "First words, then more."
    last = max(log.index(event) for event in found(log, "agent_output"))
    paid = log.index(found(log, "token_usage", agent_name="Builder")[-1])
    assert last < paid < place(log, "agent_message") < place(log, "task_completed")


@pytest.mark.holds("build.output.again")
@pytest.mark.parametrize(
    ("second", "heard"),
    [
        (("Half a sentence ", "made whole."), "Half a sentence made whole."),
        (("Something else.",), f"Half a {ANEW}Something else."),
        (("Half",), f"Half a {ANEW}Half"),
    ],
)
def test_an_answer_that_broke_off_is_gone_on_with_or_begun_anew(
    desk: BuildDesk, second: tuple[str, ...], heard: str
) -> None:
    told = threading.Event()
    turns = iter([say("Half a ", between=told, fault="reset"), say(*second)])
    desk.agents[TASK] = lambda asked: next(turns)
    session_id = desk.start()
    desk.log(session_id, until="agent_output")
    told.set()
    log = desk.log(session_id)
    assert words(log) == heard
    assert len(desk.requests(task_id=TASK)) == 2
    assert found(log, "task_completed")[0]["summary"] == "".join(second)


@pytest.mark.holds("build.output.stream")
def test_an_attempt_that_fails_in_the_midst_of_a_word_says_so_on_a_line_of_its_own(desk: BuildDesk) -> None:
    tried: list[Asked] = []

    def agent(asked: Asked) -> Turn:
        tried.append(asked)
        return say("Half a", fault="reset") if len(tried) <= 3 else say("Done.")

    desk.agents[TASK] = agent
    log = desk.log(desk.start())
    lines = words(log).splitlines()
    assert lines[-1] == "Done."
    assert any(line.startswith("Attempt 1 failed: ") for line in lines)


@pytest.mark.holds("build.output.stream")
def test_no_second_has_more_than_ten_of_them_and_together_they_are_the_text() -> None:
    told: list[tuple[float, str]] = []

    async def record(key: str, event: SessionEvent) -> None:
        assert isinstance(event, AgentOutput)
        told.append((asyncio.get_running_loop().time(), event.content))

    async def nothing(key: str) -> list[str]:
        return []

    async def speak() -> str:
        voice = AgentVoice(lambda text: AgentOutput(task_id="t", agent_name="A", content=text), record, nothing)
        written = ""
        for number in range(14):  # many short answers, and one that takes longer than a second
            words = await voice.begin_round(f"round/{number}")
            words.begin()
            for count in range(120 if number == 0 else 1):
                piece = f"{number}.{count} "
                written += piece
                words.hear(piece)
                await asyncio.sleep(0.01 if number == 0 else 0)
            if rest := await words.rest():
                await record("", await voice.last_words(rest))
            await words.end()
        return written

    written = asyncio.run(speak())
    assert "".join(content for _, content in told) == written
    assert len(told) > 15, "what is written for longer is told in parts"
    for number, (at, _) in enumerate(told[10:]):
        assert at - told[number][0] >= 1.0
