"""What an agent says, told while it is written, and told once.

A round that breaks off is asked again, by a repeated request or after a crash. What was told of it stays told: where
the new answer begins with the same words, the telling goes on after them; where it does not, one sentence says that the
answer begins anew. So whoever puts the pieces together reads a story that is right.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field

from loreweave.contracts.session_events import SessionEvent
from loreweave.seams.models.language_model import ModelFault

MOST = 10  # events in any second
SLACK = 0.05  # seconds that recording may take
PAUSE = 0.125  # seconds between two while an answer is written: some of the ten are left for the ends of rounds
PATIENCE = 5.0  # seconds for a database that is away
LONGEST_REPLY = 1_000_000  # characters; no model that keeps to what it is asked for comes near
ANEW = "\n(The answer broke off here; it begins anew.)\n"


@dataclass
class AgentVoice:
    """One task's, in all its attempts. `told_before` gives the pieces that were told of a round before a crash."""

    event: Callable[[str], SessionEvent]
    record: Callable[[str, SessionEvent], Awaitable[None]]
    told_before: Callable[[str], Awaitable[list[str]]]
    times: deque[float] = field(default_factory=lambda: deque(maxlen=MOST))

    async def tell(self, key: str, text: str) -> None:
        await self._wait_for_turn()
        await self.record(key, self.event(text))
        self.times.append(_now())

    async def last_words(self, text: str) -> SessionEvent:
        """Recorded by whoever asks for it, together with what else belongs to the end of a round."""
        await self._wait_for_turn()
        self.times.append(_now())
        return self.event(text)

    async def _wait_for_turn(self) -> None:
        """Until one more event makes no more than the most in a second."""
        if len(self.times) == MOST:
            await asyncio.sleep(max(0.0, self.times[0] + 1.0 + SLACK - _now()))

    async def begin_round(self, key: str) -> RoundWords:
        return RoundWords(self, key, await self.told_before(key))


class RoundWords:
    """The words of one round, as they come. Told are those that a pause has gone by for; the end tells the rest."""

    def __init__(self, voice: AgentVoice, key: str, told_before: list[str]) -> None:
        self._voice = voice
        self._key = key
        self._count = len(told_before)
        self._before = "".join(told_before).rpartition(ANEW)[2]  # told of an answer that broke off
        self._text = ""
        self._told = 0  # characters of the text
        self._news = asyncio.Event()
        self._over = asyncio.Event()
        self._telling: asyncio.Task[None] | None = None

    def begin(self) -> None:
        """The model is asked, perhaps again."""
        self._before = self._before or self._text[: self._told]
        self._text, self._told = "", 0

    def hear(self, piece: str) -> None:
        self._text += storable(piece)
        if len(self._text) > LONGEST_REPLY:
            raise ModelFault("model_malformed")
        self._news.set()
        if self._telling is None:
            self._telling = asyncio.create_task(self._tell())
        elif self._telling.done():
            self._telling.result()  # the session is over: nobody needs the rest

    async def rest(self) -> str:
        """What is still to be told once the answer is whole."""
        self._over.set()
        self._news.set()
        if self._telling is not None:
            await self._telling
        due = self._due()
        return ANEW + self._text if self._before else due

    async def end(self) -> None:
        """However the round ended, nothing more is told of it; what is being recorded is recorded."""
        self._over.set()
        self._news.set()
        if self._telling is not None:
            await asyncio.wait({self._telling}, timeout=PATIENCE)
            if not self._telling.done():
                self._telling.cancel()
            elif not self._telling.cancelled():
                self._telling.exception()  # whoever records next meets it too

    async def _tell(self) -> None:
        """Ends between two events and never within one, so that what was told is known."""
        while not self._over.is_set():
            await self._news.wait()
            self._news.clear()
            if not self._over.is_set() and (due := self._due()):
                self._count += 1
                self._told = len(self._text)
                await self._voice.tell(f"{self._key}/said/{self._count}", due)
                with suppress(TimeoutError):
                    async with asyncio.timeout(PAUSE):
                        await self._over.wait()

    def _due(self) -> str:
        """What was not told yet; nothing while the words are still those that were told before."""
        if self._before:
            if self._text.startswith(self._before):
                self._told, self._before = len(self._before), ""
            elif self._before.startswith(self._text):
                return ""
            else:
                self._before = ""
                return ANEW + self._text
        return self._text[self._told :]


def storable(text: str) -> str:
    """What a model writes may hold half a surrogate pair, which could not be stored or sent on."""
    return text.encode("utf-8", "replace").decode().replace("\0", "")


def _now() -> float:
    return asyncio.get_running_loop().time()
