"""Design files over HTTP: saved, loaded, and kept inside the workspace root."""

import json
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

JSON = {"Content-Type": "application/json"}
DESIGN = {
    "workspace_json": {"blocks": {"blocks": []}},
    "skills": [{"id": "s", "name": "Skill"}],
    "rules": [{"id": "r"}],
    "portals": [{"id": "p"}],
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "root"


@pytest.fixture
def client(make_client: Any, root: Path) -> TestClient:
    return make_client(workspace_root=root)


def save(client: TestClient, **body: Any) -> Any:
    return client.post("/api/workspace/save", json=body)


def load(client: TestClient, path: Any) -> Any:
    return client.post("/api/workspace/load", json={"workspace_path": path})


@pytest.mark.holds("session.http.workspace")
def test_what_is_saved_is_loaded_again(client: TestClient, root: Path) -> None:
    saved = save(client, workspace_path="games/pong", **DESIGN)
    assert (saved.status_code, saved.json()) == (200, {"status": "saved"})
    expected = {("workspace" if name == "workspace_json" else name): value for name, value in DESIGN.items()}
    assert load(client, "games/pong").json() == expected
    assert load(client, str(root / "games" / "pong")).json() == expected
    assert json.loads((root / "games/pong/skills.json").read_text()) == DESIGN["skills"]
    assert save(client, workspace_path="games/pong", rules=[]).status_code == 200
    assert load(client, "games/pong").json() == {**expected, "rules": []}


@pytest.mark.holds("session.http.workspace")
def test_what_was_never_saved_is_empty_and_an_absent_folder_404(client: TestClient, root: Path) -> None:
    save(client, workspace_path="empty")
    assert load(client, "empty").json() == {"workspace": {}, "skills": [], "rules": [], "portals": []}
    assert load(client, "elsewhere").status_code == 404
    (root / "empty" / "rules.json").write_text("{")
    unreadable = load(client, "empty")
    assert unreadable.status_code == 400
    assert "rules.json" in unreadable.json()["error"]


@pytest.mark.holds("session.http.workspace")
@pytest.mark.parametrize(
    ("path", "status"),
    [
        *((path, 400) for path in ("../x", "a/../../x", "~/x", "a\0b", "", "x" * 501, 7, None, ["a"])),
        *((path, 403) for path in ("/etc", "/", ".lore/x", "link/x", ".")),
    ],
)
def test_a_path_that_leads_elsewhere_is_refused_and_nothing_is_written(
    client: TestClient, root: Path, tmp_path: Path, path: Any, status: int
) -> None:
    root.mkdir()
    (tmp_path / "outside").mkdir()
    (root / "link").symlink_to(tmp_path / "outside")
    for answer in (save(client, workspace_path=path, **DESIGN), load(client, path)):
        assert answer.status_code == status
        shape = answer.json()
        assert shape.get("field") == "workspace_path" or "is a link" in shape["error"]
        assert str(tmp_path) not in shape["error"]
    assert list((tmp_path / "outside").iterdir()) == []
    assert [entry.name for entry in root.iterdir()] == ["link"]


@pytest.mark.holds("session.http.workspace")
@pytest.mark.parametrize(
    ("field", "value"),
    [("workspace_json", []), ("skills", {}), ("skills", [1]), ("rules", "x"), ("portals", 1), ("colour", "red")],
)
def test_a_wrong_type_is_400_in_its_fields_name(client: TestClient, root: Path, field: str, value: Any) -> None:
    answer = save(client, workspace_path="a", **{field: value})
    assert answer.status_code == 400
    assert answer.json()["field"].split(".")[0] == field
    assert not (root / "a").exists()


@pytest.mark.holds("session.http.workspace", "session.http.bodies")
@pytest.mark.parametrize("door", ["save", "load"])
def test_bodies_are_bounded_and_objects(client: TestClient, door: str) -> None:
    address = f"/api/workspace/{door}"
    assert client.post(address, content=b" " * (1024 * 1024 + 1), headers=JSON).status_code == 413
    for body in (b"", b"[]", b"null", b"{"):
        assert client.post(address, content=body, headers=JSON).status_code == 400
    assert client.post(address, content=b"{}", headers={"Content-Type": "text/plain"}).status_code == 415
    assert client.get(address).headers["allow"] == "POST"
