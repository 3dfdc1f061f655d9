"""The place where sessions are worked on: opened when needed, and closed for good."""

import threading

import pytest
from tests.journeys.session_server import ask_step, plan_of
from tests.pace import PATIENCE

from loreweave.application import Application
from loreweave.errors import Unavailable
from loreweave.seams.storage.executor_shelf import all_beats


@pytest.mark.holds("session.log.closing")
def test_a_closed_workshop_is_not_opened_again(sqlite_application: Application) -> None:
    workshop = sqlite_application.workshop
    session_id = sqlite_application.skills.run(plan_of(ask_step())).session_id
    workshop.close()
    with pytest.raises(Unavailable):
        _ = workshop.engine
    workshop.open_soon()
    for thread in threading.enumerate():
        if thread.name == "loreweave-opening":
            thread.join(PATIENCE)
    names = {thread.name for thread in threading.enumerate()}
    assert not names & {"loreweave-engine", "loreweave-beat"}
    assert sqlite_application.sessions.get(session_id).state == "executing"  # for whoever opens it next


@pytest.mark.holds("session.crash.only-the-dead")
def test_an_open_workshop_gives_signs_of_life(application: Application) -> None:
    executor_id = application.workshop.engine.executor_id
    counts: set[int] = set()
    while len(counts) < 2:
        with application.store.read() as connection:
            counts.add(all_beats(connection).get(executor_id, 0))
    assert max(counts) >= 1
