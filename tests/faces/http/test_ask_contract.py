"""The running server against the contract's own OpenAPI document."""

from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest
import schemathesis
from schemathesis.specs.openapi.checks import response_schema_conformance
from tests.examples import DEEP, examples
from tests.faces.asked_documents import write_documents
from tests.faces.served import served

from loreweave.application import open_application
from loreweave.settings import Settings

CONTRACT = Path(__file__).resolve().parents[3] / "docs" / "contracts" / "002-ask.openapi.yaml"
schema = schemathesis.openapi.from_path(CONTRACT)
schema.config.phases.coverage.enabled = DEEP  # every bound of every field in turn


@pytest.fixture(scope="module", params=["none", "demo"])
def address(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server with documents, without a model and with one."""
    folder = tmp_path_factory.mktemp("contract")
    application = open_application(Settings(data_dir=folder / "data", embedder="none"))
    application.graphs.ingest_folder(write_documents(folder / "docs"), name="docs")
    application.close()
    with served(folder / "data", LORE_MODEL=request.param, LORE_EMBEDDER="none") as address:
        yield address


@pytest.mark.holds("ask.http.contract")
@schema.parametrize()
@hypothesis.settings(max_examples=examples(25))
def test_no_request_breaks_the_contract(case: schemathesis.Case, address: str) -> None:
    response = case.call(base_url=address)
    # The contract describes a stream as one string, the tool would hold every event to that; the events' own
    # shapes are held where answers are tested.
    streams = "text/event-stream" in response.headers.get("content-type", [""])[0]
    case.validate_response(response, excluded_checks=[response_schema_conformance] if streams else [])
