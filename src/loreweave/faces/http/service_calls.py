"""Calls to services leave the event loop: reading a disk or ranking a graph must not hold up others."""

from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

from anyio import CapacityLimiter, to_thread
from pydantic import BaseModel
from starlette.responses import Response

from loreweave.contracts.wire import to_json

Answer = TypeVar("Answer")


class ServiceCalls:
    """Two pools: ingests queue among themselves, so that they can never take the last thread of a read."""

    def __init__(self, reads: int = 24, ingests: int = 4) -> None:
        self._reads = CapacityLimiter(reads)
        self._ingests = CapacityLimiter(ingests)

    async def read(self, call: Callable[..., Answer], *arguments: Any) -> Answer:
        return await to_thread.run_sync(partial(call, *arguments), limiter=self._reads)

    async def ingest(self, call: Callable[..., Answer], *arguments: Any) -> Answer:
        return await to_thread.run_sync(partial(call, *arguments), limiter=self._ingests)


def json_answer(answer: BaseModel) -> Response:
    return Response(to_json(answer), media_type="application/json")
