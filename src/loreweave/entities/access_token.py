"""An access token as it is kept: never the secret itself."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class AccessToken:
    id: str
    user: str
    secret_hash: str  # SHA-256 of the secret, hex
    created_at: str
    revoked_at: str | None = None
