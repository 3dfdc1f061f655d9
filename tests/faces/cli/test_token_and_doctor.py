"""Tokens by hand, and a check of the installation."""

from pathlib import Path

import pytest


@pytest.mark.holds("house.commands.token")
def test_a_token_is_created_listed_and_revoked(lore) -> None:
    made = lore("token", "create", "mira")
    assert made.code == 0
    assert "not shown again" in made.err
    secret = made.json["token"]
    (listed,) = lore("token", "list").json["tokens"]
    assert (listed["id"], listed["user"], listed["revokedAt"]) == (made.json["id"], "mira", None)
    assert secret not in lore("token", "list").out.decode()
    assert lore("token", "revoke", listed["id"]).json["revokedAt"] is not None


def test_a_user_must_have_a_name(lore) -> None:
    assert lore("token", "create", " ").code == 2


@pytest.mark.holds("house.commands.doctor")
def test_a_sound_installation_is_sound(lore) -> None:
    done = lore("doctor")
    checks = {check["name"]: check for check in done.json["checks"]}
    assert list(checks) == ["data folder", "database", "embedder", "model", "page", "git", "sandbox"]
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
    assert broken == ["database"]
