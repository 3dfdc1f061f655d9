"""Whether the provider takes our key, asked in the background so that nobody waits for it."""

from __future__ import annotations

import asyncio
import threading
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from loreweave.clock import Clock
from loreweave.errors import LoreError
from loreweave.seams.models.language_model import MESSAGES
from loreweave.seams.models.open_model import ModelKeys, provider_address

KeyStatus = Literal["valid", "invalid", "missing", "unchecked"]

CHECK_SECONDS = 5.0
KEPT = timedelta(minutes=10)
KEPT_TROUBLE = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class KeyState:
    """What is known just now. `usable`: a model could be called now; the message holds no key."""

    status: KeyStatus
    usable: bool = False
    message: str | None = None


_UNCHECKED = KeyState("unchecked")
_UNTOLD = KeyState("unchecked", True, "The model provider does not say whether the key is right.")
_REFUSED = KeyState("invalid", False, MESSAGES["model_key_refused"])
_AWAY = KeyState("unchecked", False, MESSAGES["model_unreachable"])


class KeyCheck:
    """Asks once it is asked, and again when what it knows is old. `state` never waits."""

    def __init__(self, spec: str, keys: ModelKeys, clock: Clock) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        known = _known_without_asking(spec, keys)
        self._address = None if known else provider_address(spec, keys)
        self._state = known or _UNCHECKED
        self._due: datetime | None = None
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._asking: asyncio.Task[KeyState] | None = None
        self._closed = False

    def state(self) -> KeyState:
        with self._lock:
            idle = self._thread is None or not self._thread.is_alive()
            # One that is due later than can be was set before the clock jumped back.
            due = self._due is None or not timedelta() < self._due - self._clock.now() <= KEPT
            if self._address is not None and idle and due and not self._closed:
                self._thread = threading.Thread(target=self._check, name="loreweave-key-check", daemon=True)
                self._thread.start()
            return self._state

    def close(self) -> None:
        with self._lock:
            self._closed = True
            thread = self._thread
            if self._loop is not None and self._asking is not None:
                self._loop.call_soon_threadsafe(self._asking.cancel)
        if thread is not None:
            thread.join()

    def _check(self) -> None:
        with suppress(asyncio.CancelledError):
            asyncio.run(self._ask())

    async def _ask(self) -> None:
        assert self._address is not None
        with self._lock:
            if self._closed:
                return
            self._loop = asyncio.get_running_loop()
            self._asking = asyncio.create_task(_asked(*self._address))
        try:
            found = await self._asking
        finally:
            with self._lock:
                self._loop = self._asking = None
        with self._lock:
            self._state = found
            self._due = self._clock.now() + (KEPT if found.status == "valid" else KEPT_TROUBLE)


def _known_without_asking(spec: str, keys: ModelKeys) -> KeyState | None:
    """What needs no key, and what lacks one."""
    if spec.strip() in ("none", "demo"):
        return KeyState("unchecked" if keys.anthropic_key.strip() else "missing", spec.strip() == "demo")
    try:
        provider_address(spec, keys)
    except LoreError as trouble:
        return KeyState("missing", False, trouble.message)
    return None


async def _asked(kind: str, _model: str, key: str, base_url: str) -> KeyState:
    """By the list of models, which nobody is billed for; asked by hand, as a provider's own client takes a second to
    load, and many servers are never asked for more."""
    import httpx2

    path, headers = "/models", {"authorization": f"Bearer {key}"}
    if kind == "anthropic":
        path, headers = "/v1/models?limit=1", {"x-api-key": key, "anthropic-version": "2023-06-01"}
    try:
        async with asyncio.timeout(CHECK_SECONDS), httpx2.AsyncClient(follow_redirects=True) as client:
            status = (await client.get(base_url.rstrip("/") + path, headers=headers)).status_code
    except Exception:
        return _AWAY
    if status in (401, 403):
        return _REFUSED
    if status in (404, 405, 501):
        return _UNTOLD  # a gateway that offers no list; it would have refused a wrong key
    return KeyState("valid", True) if status < 400 else _AWAY
