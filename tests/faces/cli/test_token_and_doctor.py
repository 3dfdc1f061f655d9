"""Tokens by hand, and a check of the installation."""

from pathlib import Path

import pytest
from tests.model_server import ModelServer


@pytest.mark.holds("house.commands.token")
def test_a_token_is_created_listed_and_revoked(lore) -> None:
    made = lore("token", "create", "mira")
    assert made.code == 0
    assert "not shown again" in made.err
    secret = made.json["token"]
    (listed,) = lore("token", "list").json["tokens"]
    assert (listed["id"], listed["user"], listed["revokedAt"]) == (made.json["id"], "mira", None)
    assert secret not in lore("token", "list").out.decode()
    mistyped = lore("token", "revoke", listed["id"][:-1])
    assert (mistyped.code, f"Did you mean {listed['id']}?" in mistyped.err) == (1, True)
    assert lore("token", "revoke", listed["id"]).json["revokedAt"] is not None


def test_a_user_must_have_a_name(lore) -> None:
    assert lore("token", "create", " ").code == 2


@pytest.mark.holds("house.commands.doctor")
def test_a_sound_installation_is_sound(lore) -> None:
    done = lore("doctor")
    checks = {check["name"]: check for check in done.json["checks"]}
    assert list(checks) == [
        *("data folder", "database", "embedder", "model", "key", "page", "git", "pytest"),
        *("workspace root", "sandbox", "serial", "engine", "clients"),
    ]
    assert done.code == 0, done.out
    assert done.json["ok"] is True


@pytest.mark.holds("house.commands.doctor", "house.embedding.static-default")
def test_the_default_embedder_loads(lore, monkeypatch) -> None:
    monkeypatch.delenv("LORE_EMBEDDER")
    checks = {check["name"]: check for check in lore("doctor").json["checks"]}
    assert checks["embedder"]["ok"], checks["embedder"]
    assert "256 dimensions" in checks["embedder"]["detail"]


@pytest.mark.holds("house.commands.doctor")
def test_what_is_needed_and_broken_fails_the_check(lore, tmp_path: Path) -> None:
    (tmp_path / "data" / "lore.db").mkdir(parents=True)
    done = lore("doctor")
    assert done.code == 1
    broken = [check["name"] for check in done.json["checks"] if check["needed"] and not check["ok"]]
    assert broken == ["database", "engine"]


@pytest.mark.holds("session.cli.doctor")
def test_the_doctor_tells_of_all_that_sessions_need(lore, tmp_path: Path) -> None:
    lore("token", "create")
    checks = {check["name"]: check for check in lore("doctor").json["checks"]}
    assert "demo needs no key" in checks["model"]["detail"]
    assert checks["key"]["detail"] == "not needed for none"
    assert checks["workspace root"]["detail"] == f"{tmp_path / 'data' / 'workspaces'} can be made"
    assert checks["engine"]["detail"].endswith("; sessions: 0, running: 0")
    assert (tmp_path / "data" / "engine.db").exists() is False


@pytest.mark.holds("session.cli.doctor")
@pytest.mark.parametrize(
    ("status", "ok", "detail"), [(200, True, "valid"), (401, False, "invalid: The model provider")]
)
def test_the_doctor_asks_whether_the_key_is_right(
    lore, model_server: ModelServer, monkeypatch, status: int, ok: bool, detail: str
) -> None:
    model_server.models_status = status
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-secret")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", model_server.base_url)
    done = lore("doctor")
    checks = {check["name"]: check for check in done.json["checks"]}
    assert (checks["key"]["ok"], checks["key"]["detail"].startswith(detail)) == (ok, True)
    assert b"sk-secret" not in done.out
    assert done.code == 0


@pytest.mark.holds("session.cli.doctor")
def test_without_a_sandbox_the_doctor_says_how_to_get_one(lore, monkeypatch) -> None:
    monkeypatch.setenv("LORE_SANDBOX", "off")
    checks = {check["name"]: check for check in lore("doctor").json["checks"]}
    assert (checks["sandbox"]["ok"], checks["sandbox"]["needed"]) == (False, False)
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setenv("LORE_SANDBOX", "auto")
    lacking = lore("doctor")
    checks = {check["name"]: check for check in lacking.json["checks"]}
    assert "limits only" in checks["sandbox"]["detail"]
    assert "apt-get install bubblewrap" in checks["sandbox"]["detail"]
    assert lacking.code == 0
    monkeypatch.setenv("LORE_SANDBOX", "required")
    assert lore("doctor").code == 1


@pytest.mark.holds("session.cli.doctor")
def test_a_workspace_root_that_is_a_file_fails_the_check(lore, tmp_path: Path, monkeypatch) -> None:
    (tmp_path / "root").write_text("", encoding="utf-8")
    monkeypatch.setenv("LORE_WORKSPACE_ROOT", str(tmp_path / "root"))
    done = lore("doctor")
    assert [check["name"] for check in done.json["checks"] if check["needed"] and not check["ok"]] == ["workspace root"]


@pytest.mark.holds("house.storage.backup", "house.storage.deep-look")
def test_a_library_is_backed_up_given_up_and_brought_back(lore, sample: str, tmp_path: Path) -> None:
    kept = tmp_path / "kept.db"
    assert lore("backup", str(kept)).json == {"graphs": 1, "memories": 0, "sessions": 0, "workspaces": 0}
    again = lore("backup", str(kept))
    assert (again.code, "is there already" in again.err) == (1, True)
    assert lore("delete", sample).code == 0
    assert lore("restore", str(kept)).json == {"graphs": 1, "memories": 0, "sessions": 0, "workspaces": 0}
    assert [graph["graphId"] for graph in lore("graphs").json["graphs"]] == [sample]
    refused = lore("restore", str(kept))
    assert (refused.code, "--replace" in refused.err) == (1, True)
    assert lore("restore", str(kept), "--replace").code == 0
    checks = {check["name"]: check["detail"] for check in lore("doctor", "--deep").json["checks"]}
    assert checks["database"].endswith("every text as it was stored")
