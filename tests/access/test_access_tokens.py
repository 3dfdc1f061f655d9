"""Access tokens: shown once, kept as hashes, gone when revoked."""

import hashlib

import pytest

from loreweave.application import Application
from loreweave.errors import InvalidInput, NotFound


@pytest.mark.holds("house.commands.token")
def test_a_token_names_its_user(application: Application) -> None:
    token = application.access.create_token("mira")
    assert application.access.token_of(token.secret).user == "mira"


def test_the_secret_has_256_random_bits_and_only_its_hash_is_kept(application: Application) -> None:
    token = application.access.create_token("mira")
    (kept,) = application.access.tokens()
    assert len(token.secret.split("_", 2)[2]) == 43  # 32 bytes in base64
    assert kept.secret_hash == hashlib.sha256(token.secret.encode()).hexdigest()
    assert token.secret not in repr(kept)


def test_two_tokens_of_one_user_are_apart(application: Application) -> None:
    first, second = application.access.create_token("mira"), application.access.create_token("mira")
    application.access.revoke(first.id)
    assert application.access.token_of(first.secret) is None
    assert application.access.token_of(second.secret).user == "mira"


@pytest.mark.parametrize(
    "change",
    [
        lambda secret: secret + "x",
        lambda secret: secret[:-1],
        lambda secret: secret.split("_", 2)[2],
        lambda secret: "",
        lambda secret: "lore__",
        lambda secret: "lore_\0_x",
        lambda secret: secret.replace("lore", "Lore"),
        lambda secret: "lore_" + "é" * 40 + "_x",
    ],
)
def test_nothing_but_the_secret_itself_is_accepted(application: Application, change) -> None:
    token = application.access.create_token("mira")
    assert application.access.token_of(change(token.secret)) is None


def test_revoking_keeps_the_token_in_the_list_with_its_time(application: Application) -> None:
    token = application.access.create_token("mira")
    first = application.access.revoke(token.id).revoked_at
    assert first is not None
    assert application.access.revoke(token.id).revoked_at == first
    assert [kept.id for kept in application.access.tokens()] == [token.id]
    assert not application.access.living()


def test_revoking_an_unknown_token_is_not_found(application: Application) -> None:
    with pytest.raises(NotFound):
        application.access.revoke("nobody")


def test_who_names_a_user_is_told_the_tokens_of_that_user(application: Application) -> None:
    gone, living = application.access.create_token("mira"), application.access.create_token("mira")
    application.access.create_token("noor")
    application.access.revoke(gone.id)
    with pytest.raises(NotFound) as refused:
        application.access.revoke("mira")
    assert refused.value.facts["nearest"] == [living.id]


@pytest.mark.parametrize("user", ["", "   ", "a\nb", "x" * 201, "a\0b"])
def test_a_user_has_a_printable_name(application: Application, user: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        application.access.create_token(user)
    assert refused.value.facts["field"] == "user"
    assert application.access.tokens() == []
