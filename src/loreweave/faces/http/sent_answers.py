"""How answers come about and travel: made off the event loop, tagged by their bytes, packed for whoever takes it."""

from collections.abc import Callable
from functools import partial
from hashlib import sha256
from typing import Any, TypeVar

from anyio import CapacityLimiter, to_thread
from pydantic import BaseModel
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware.gzip import GZipResponder, IdentityResponder
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from loreweave.contracts.wire import to_json

Answer = TypeVar("Answer")


class ServiceCalls:
    """Calls to services leave the event loop: reading a disk or ranking a graph must not hold up others.

    Two pools: ingests queue among themselves, so that they can never take the last thread of a read.
    """

    def __init__(self, reads: int = 24, ingests: int = 4) -> None:
        self._reads = CapacityLimiter(reads)
        self._ingests = CapacityLimiter(ingests)

    async def read(self, call: Callable[..., Answer], *arguments: Any) -> Answer:
        return await to_thread.run_sync(partial(call, *arguments), limiter=self._reads)

    async def ingest(self, call: Callable[..., Answer], *arguments: Any) -> Answer:
        return await to_thread.run_sync(partial(call, *arguments), limiter=self._ingests)


def json_answer(answer: BaseModel) -> Response:
    return Response(to_json(answer), media_type="application/json")


def cached_answer(request: Request, body: bytes, media_type: str = "application/json", **headers: str) -> Response:
    """The answer, or 304 when If-None-Match names it.

    The tag is made of the bytes and not of the revision: a fused graph becomes stale when one of its sources moves on.
    """
    tag = f'"{sha256(body).hexdigest()[:32]}"'
    known = {"ETag": tag, "Cache-Control": "private, no-cache", "Vary": "Accept-Encoding", **headers}
    if matches(request.headers.getlist("if-none-match"), tag):
        # All headers again: a browser takes those of a 304 for the page it kept, its policy too.
        return Response(status_code=304, headers=known)
    return Response(body, media_type=media_type, headers=known)


def matches(conditions: list[str], tag: str) -> bool:
    """Weak comparison over a list of tags; `*` matches whatever there is."""
    wanted = [part.strip() for line in conditions for part in line.split(",")]
    return any(part == "*" or part.removeprefix("W/") == tag for part in wanted)


MINIMUM_BYTES = 4096
LEVEL = 5  # what more would save is not worth the time a large export takes


class CompressedAnswers:
    """Large answers as gzip. /mcp is left alone: its streams must not wait for a buffer."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] == "/mcp":
            await self._app(scope, receive, send)
            return
        pack: Send | None = None

        async def packed(message: Message) -> None:
            nonlocal pack
            if pack is None:
                pack = send if _is_small(message) else _packing(scope, send)
            await pack(message)

        await self._app(scope, receive, packed)


def _is_small(start: Message) -> bool:
    """Whether an answer says that it is not worth packing, as most do."""
    length = next((value for name, value in start.get("headers", ()) if name == b"content-length"), None)
    return length is not None and int(length) < MINIMUM_BYTES


def _packing(scope: Scope, send: Send) -> Send:
    responder = IdentityResponder(_nobody, MINIMUM_BYTES)
    responder.send = send
    if takes_gzip(Headers(scope=scope).getlist("accept-encoding")):
        responder = GZipResponder(_nobody, MINIMUM_BYTES, compresslevel=LEVEL)
        responder.send = partial(_send_with_weak_tag, send)
    return responder.send_with_compression


async def _nobody(scope: Scope, receive: Receive, send: Send) -> None:
    """The responders are handed what an app sends; they start none."""


def takes_gzip(lines: list[str]) -> bool:
    """Whether gzip is named, or meant by `*`, and not with a weight of nothing."""
    weights: dict[str, bool] = {}
    for part in ",".join(lines).split(","):
        name, _, parameter = part.partition(";")
        key, _, weight = parameter.partition("=")
        refused = key.strip().lower() == "q" and not weight.strip().strip("0.")
        weights[name.strip().lower()] = not refused
    return weights.get("gzip", weights.get("*", False))


async def _send_with_weak_tag(send: Send, message: Message) -> None:
    """A strong tag promises equal bytes, and packed bytes are others; conditions compare weakly all the same."""
    if message["type"] == "http.response.start":
        headers = MutableHeaders(raw=message["headers"])
        tag = headers.get("etag", "")
        if headers.get("content-encoding") == "gzip" and tag.startswith('"'):
            headers["ETag"] = f"W/{tag}"
    await send(message)
