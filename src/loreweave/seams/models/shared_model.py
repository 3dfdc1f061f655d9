"""One open line that many pieces of work share: a client for each of them would cost time and sockets."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

from loreweave.seams.models.language_model import LanguageModel, ModelLine


class SharedModel:
    """A model whose line is opened at its first use and stays open until `close`.

    Connections belong to an event loop, so all of it happens on one; work on any other loop gets a line of its own.
    """

    def __init__(self, model: LanguageModel) -> None:
        self._model = model
        self._stack = AsyncExitStack()
        self._opening: asyncio.Task[ModelLine] | None = None

    @property
    def name(self) -> str:
        return self._model.name

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[ModelLine]:
        opening = self._opening
        if opening is None or (opening.done() and (opening.cancelled() or opening.exception())):
            opening = self._opening = asyncio.create_task(self._stack.enter_async_context(self._model.opened()))
        if opening.get_loop() is not asyncio.get_running_loop():
            async with self._model.opened() as line:
                yield line
            return
        # Whoever came first may be cancelled while the others still wait for the line.
        yield await asyncio.shield(opening)

    async def close(self) -> None:
        """On the loop that used it."""
        opening, self._opening = self._opening, None
        if opening is not None:
            await asyncio.wait({opening})
        await self._stack.aclose()
