"""Who is asking, and how often: access tokens and the sliding hour of ingests."""

import hashlib
import hmac
from dataclasses import dataclass
from datetime import datetime

from loreweave.clock import Clock, format_time
from loreweave.entities.access_token import AccessToken
from loreweave.errors import InvalidInput, NotFound, RateLimited
from loreweave.language.edits import nearest_ids
from loreweave.seams.storage import access_shelf
from loreweave.seams.storage.store import Connection, Store

HOUR = 3_600_000  # milliseconds
SECRET_BYTES = 32
PREFIX = "lore"
MAX_USER_NAME = 200


@dataclass(frozen=True, slots=True)
class NewToken:
    """A token at the only moment its secret is known."""

    id: str
    user: str
    secret: str


class AccessService:
    """Tokens are kept as hashes; attempts to ingest are kept as times, so that a restart forgets neither."""

    def __init__(self, store: Store, clock: Clock, ingests_per_hour: int) -> None:
        self._store = store
        self._clock = clock
        self._limit = ingests_per_hour

    def create_token(self, user: str) -> NewToken:
        """A new token; its secret is told here and never again."""
        import secrets  # only here: a cold read of a graph does without it

        user = user.strip()
        if not user or len(user) > MAX_USER_NAME or not user.isprintable():
            raise InvalidInput(f"A user name has 1 to {MAX_USER_NAME} printable characters", field="user")
        token_id = secrets.token_hex(6)
        secret = f"{PREFIX}_{token_id}_{secrets.token_urlsafe(SECRET_BYTES)}"
        token = AccessToken(token_id, user, _hash(secret), format_time(self._clock.now()))
        with self._store.write() as connection:
            access_shelf.add_token(connection, token)
        return NewToken(token_id, user, secret)

    def tokens(self) -> list[AccessToken]:
        with self._store.read() as connection:
            return access_shelf.all_tokens(connection)

    def living(self) -> frozenset[str]:
        """The ids of all tokens that somebody could sign in with."""
        return frozenset(token.id for token in self.tokens() if token.revoked_at is None)

    def revoke(self, token_id: str) -> AccessToken:
        with self._store.write() as connection:
            if _find(connection, token_id) is None:
                refusal = NotFound(f"There is no token {token_id}", id=token_id)
                tokens = access_shelf.all_tokens(connection)
                named = [token.id for token in tokens if token.user == token_id and token.revoked_at is None]
                if near := named or nearest_ids(token_id, (token.id for token in tokens)):
                    refusal.facts["nearest"] = near
                raise refusal
            access_shelf.revoke_token(connection, token_id, format_time(self._clock.now()))
            found = _find(connection, token_id)
        assert found is not None
        return found

    def token_of(self, secret: str) -> AccessToken | None:
        """The living token with this secret: the id finds the row, the hash decides, in constant time."""
        parts = secret.split("_", 2)
        if len(parts) != 3 or parts[0] != PREFIX:
            return None
        with self._store.read() as connection:
            token = _find(connection, parts[1])
        known = hmac.compare_digest(_hash(secret), token.secret_hash if token else "")
        return token if token and known and token.revoked_at is None else None

    def check_ingest(self, user: str) -> None:
        """Refuses when this user's hour is full; counts nothing."""
        if self._limit:
            now = _milliseconds(self._clock.now())
            with self._store.read() as connection:
                self._refuse_when_full(connection, user, now)

    def count_ingest(self, user: str) -> None:
        """Counts one ingest, or refuses it; two that arrive together cannot both take the last place."""
        if not self._limit:
            return
        now = _milliseconds(self._clock.now())
        with self._store.lock("ingest rate"), self._store.write() as connection:
            access_shelf.forget_attempts(connection, now - HOUR, now + HOUR)
            self._refuse_when_full(connection, user, now)
            access_shelf.add_attempt(connection, user, now)

    def _refuse_when_full(self, connection: Connection, user: str, now: int) -> None:
        """A place is free again when the oldest attempt that fills the hour leaves it.

        What was counted while the clock ran ahead says nothing about this hour.
        """
        attempts = [at for at in access_shelf.attempts_since(connection, user, now - HOUR) if at <= now]
        if len(attempts) < self._limit:
            return
        wait = attempts[len(attempts) - self._limit] + HOUR - now
        seconds = max(1, -(-wait // 1000))
        message = f"The limit is {self._limit} ingests an hour; try again in {seconds} s"
        raise RateLimited(message, limit=self._limit, retryAfter=seconds)


def _find(connection: Connection, token_id: str) -> AccessToken | None:
    return None if "\0" in token_id else access_shelf.find_token(connection, token_id)


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogateescape")).hexdigest()


def _milliseconds(time: datetime) -> int:
    return int(time.timestamp() * 1000)
