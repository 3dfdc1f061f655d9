"""What a request to save or to load may hold."""

from typing import Any

import pytest

from loreweave.contracts.session import WorkspaceLoadRequest, WorkspaceSaveRequest
from loreweave.errors import InvalidInput
from loreweave.faces.request_values import read_request

WRONG: list[tuple[str, dict[str, Any]]] = [
    ("workspace_path", {}),
    ("workspace_path", {"workspace_path": 1}),
    ("workspace_path", {"workspace_path": None}),
    ("workspace_path", {"workspace_path": ""}),
    ("workspace_path", {"workspace_path": "a" * 501}),
    ("workspace_json", {"workspace_path": "a", "workspace_json": []}),
    ("workspace_json", {"workspace_path": "a", "workspace_json": "{}"}),
    ("skills", {"workspace_path": "a", "skills": {}}),
    ("skills.1", {"workspace_path": "a", "skills": [{}, "x"]}),
    ("rules", {"workspace_path": "a", "rules": "[]"}),
    ("portals", {"workspace_path": "a", "portals": 1}),
    ("portals", {"workspace_path": "a", "portals": False}),
    ("other", {"workspace_path": "a", "other": 1}),
]


@pytest.mark.holds("session.workspace.wrong-type")
@pytest.mark.parametrize(("field", "values"), WRONG)
def test_a_wrong_type_is_refused_by_its_field(field: str, values: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput) as refused:
        read_request(WorkspaceSaveRequest, values)
    assert refused.value.facts["field"] == field
    assert "Input should" not in refused.value.message


@pytest.mark.holds("session.workspace.wrong-type")
def test_a_path_is_all_that_loading_takes() -> None:
    assert read_request(WorkspaceLoadRequest, {"workspace_path": "a"}).workspace_path == "a"
    with pytest.raises(InvalidInput):
        read_request(WorkspaceLoadRequest, {"workspace_path": "a", "skills": []})


@pytest.mark.holds("session.workspace.wrong-type")
def test_null_is_the_same_as_absent() -> None:
    given = {"workspace_path": "a", "workspace_json": None, "skills": None, "rules": None, "portals": None}
    assert read_request(WorkspaceSaveRequest, given) == read_request(WorkspaceSaveRequest, {"workspace_path": "a"})
