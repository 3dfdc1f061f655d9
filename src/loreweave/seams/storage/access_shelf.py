"""The shelf of access: every statement about tokens and about who ingested when."""

from dataclasses import astuple

from loreweave.entities.access_token import AccessToken
from loreweave.seams.storage.store import Connection, insertion, one_row

_TOKEN = "id, user_name, secret_hash, created_at, revoked_at"


def add_token(connection: Connection, token: AccessToken) -> None:
    connection.execute(insertion("tokens", _TOKEN), astuple(token))


def all_tokens(connection: Connection) -> list[AccessToken]:
    return [AccessToken(*row) for row in connection.rows(f"SELECT {_TOKEN} FROM tokens ORDER BY created_at, id")]


def find_token(connection: Connection, token_id: str) -> AccessToken | None:
    row = one_row(connection, f"SELECT {_TOKEN} FROM tokens WHERE id = ?", (token_id,))
    return AccessToken(*row) if row else None


def revoke_token(connection: Connection, token_id: str, revoked_at: str) -> None:
    connection.execute("UPDATE tokens SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL", (revoked_at, token_id))


def attempts_since(connection: Connection, user: str, milliseconds: int) -> list[int]:
    """When this user ingested, after a moment, oldest first."""
    sql = "SELECT at FROM ingest_attempts WHERE user_name = ? AND at > ? ORDER BY at"
    return [row[0] for row in connection.rows(sql, (user, milliseconds))]


def add_attempt(connection: Connection, user: str, milliseconds: int) -> None:
    connection.execute(insertion("ingest_attempts", "user_name, at"), (user, milliseconds))


def forget_attempts(connection: Connection, before: int, after: int) -> None:
    """Drops what no sliding hour can reach any more, whoever it was, and what a clock wrote that ran ahead."""
    connection.execute("DELETE FROM ingest_attempts WHERE at <= ? OR at > ?", (before, after))
