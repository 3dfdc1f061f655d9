"""The running server against its own description: no request gets an answer of another shape."""

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import hypothesis
import jsonschema_rs
import pytest
import schemathesis
from schemathesis.specs.openapi.checks import negative_data_rejection, positive_data_acceptance
from tests.examples import DEEP, examples
from tests.faces.loopback import Loopback, on_loopback, said_event
from tests.faces.served import served
from tests.pace import PATIENCE

from loreweave.application import open_application
from loreweave.contracts import session_events as events
from loreweave.settings import Settings

SCHEMAS = Path(__file__).resolve().parents[3] / "schema"
OURS = r"^/api/(sessions|skills|workspace|templates|health)"
schema = schemathesis.openapi.from_path(SCHEMAS / "openapi.json").include(path_regex=OURS)
# Every bound of every field in turn takes longer to write down than all other tests to collect.
schema.config.phases.coverage.enabled = DEEP


@pytest.fixture
def loopback(tmp_path: Path) -> Iterator[Loopback]:
    settings = Settings(data_dir=tmp_path / "data", embedder="none")
    with closing(open_application(settings, start_method="forkserver")) as application, on_loopback(application) as it:
        yield it


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """In a process of its own: its dice would disturb those of the generator."""
    with served(tmp_path_factory.mktemp("data"), LORE_EMBEDDER="none") as address:
        yield address


@pytest.mark.holds("session.http.garbage")
@schema.parametrize()
@hypothesis.settings(max_examples=examples(15))
def test_no_request_gets_an_answer_that_is_not_described(case: schemathesis.Case, address: str) -> None:
    # Some rules, of paths above all, cannot be said in a schema, and null may stand for what is absent: which requests
    # are taken is held elsewhere, here only what comes back.
    taken = [positive_data_acceptance, negative_data_rejection]
    response = case.call_and_validate(base_url=address, timeout=PATIENCE, excluded_checks=taken)
    if response.status_code >= 400:
        assert set(response.json()) >= {"error", "code"}


@pytest.mark.holds("session.http.event-schema")
def test_frames_keep_to_the_committed_schema(loopback: Loopback) -> None:
    session_id = loopback.new_log()
    agent = events.Agent(name="Ada", role="builder", persona="", status="idle")
    loopback.record(
        session_id,
        "some",
        said_event(1),
        events.AgentStatusChanged(agent=agent),
        events.AgentMessage.model_validate({"from": "Ada", "to": "team", "content": "Done"}),
        events.PlanReady(tasks=[], agents=[agent], explanation=""),
        events.DeployComplete(target="preview"),
        events.SessionComplete(summary="", outcome="partial"),
    )
    known = jsonschema_rs.validator_for(json.loads((SCHEMAS / "session_events.json").read_text()))
    frames: list[Any] = loopback.application.sessions.events(session_id).events
    assert len(frames) == 7
    for frame in frames:
        known.validate(frame)
        for missing in ("seq", "ts", "type"):
            assert not known.is_valid({name: value for name, value in frame.items() if name != missing})
