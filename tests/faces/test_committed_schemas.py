"""The committed schemas are what the code says today."""

import importlib.util
import json
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]


def load_writer() -> ModuleType:
    spec = importlib.util.spec_from_file_location("write_schemas", ROOT / "scripts" / "write_schemas.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def generated() -> dict[str, str]:
    return load_writer().generated()


@pytest.mark.holds("house.docs.committed-schemas")
@pytest.mark.parametrize("name", ["openapi.json", "mcp-tools.json", "mcp-tools-structured.json", "session_events.json"])
def test_a_committed_schema_is_up_to_date(generated: dict[str, str], name: str) -> None:
    committed = (ROOT / "schema" / name).read_text(encoding="utf-8")
    assert committed == generated[name], "run scripts/write_schemas.py"


def test_every_reference_of_the_document_leads_somewhere(generated: dict[str, str]) -> None:
    document = json.loads(generated["openapi.json"])
    known = {f"#/components/schemas/{name}" for name in document["components"]["schemas"]}
    assert set(references(document)) <= known


def test_every_operation_describes_its_request_and_its_answers(generated: dict[str, str]) -> None:
    document = json.loads(generated["openapi.json"])
    operations = [operation for path in document["paths"].values() for operation in path.values()]
    assert len(operations) > 70
    for operation in operations:
        assert operation["summary"]
        assert set(operation["responses"]) == {"200", "4XX", "5XX"}
        refused = operation["responses"]["4XX"]["content"]["application/json"]["schema"]
        assert refused == {"$ref": "#/components/schemas/ErrorShape"}
    bodies = [operation for operation in operations if "requestBody" in operation]
    assert len(bodies) >= 40


def references(value: object) -> list[str]:
    if isinstance(value, dict):
        own = [value["$ref"]] if isinstance(value.get("$ref"), str) else []
        return own + [found for item in value.values() for found in references(item)]
    return [found for item in value for found in references(item)] if isinstance(value, list) else []
