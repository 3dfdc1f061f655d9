"""Large answers are sent as gzip to whoever takes it. /mcp is left alone: its streams must not wait for a buffer."""

from functools import partial

from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware.gzip import GZipResponder, IdentityResponder
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MINIMUM_BYTES = 4096
LEVEL = 5  # what more would save is not worth the time a large export takes


class CompressedAnswers:
    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] == "/mcp":
            await self._app(scope, receive, send)
        elif takes_gzip(Headers(scope=scope).getlist("accept-encoding")):
            responder = GZipResponder(self._app, MINIMUM_BYTES, compresslevel=LEVEL)
            await responder(scope, receive, partial(_send_with_weak_tag, send))
        else:
            await IdentityResponder(self._app, MINIMUM_BYTES)(scope, receive, send)


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
