"""Errors become answers: one shape for every failure, whoever noticed it."""

import json
import logging
from collections.abc import Mapping

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from loreweave import errors
from loreweave.errors import LoreError, trace_of

log = logging.getLogger("loreweave.http")

STATUS: dict[type[LoreError], int] = {
    errors.InvalidInput: 400,
    errors.BadArchive: 400,
    errors.InvalidSkillFile: 400,
    errors.Unauthorized: 401,
    errors.Forbidden: 403,
    errors.NotFound: 404,
    errors.Conflict: 409,
    errors.TooLarge: 413,
    errors.NoMarkdown: 422,
    errors.RateLimited: 429,
    errors.IndexUnavailable: 500,
    errors.Unavailable: 503,
}
# What the framework itself refuses, in our words.
FRAMEWORK = {
    400: ("The request cannot be read", "invalid_input"),
    404: ("There is nothing at this address", "not_found"),
    405: ("This address does not know that method", "method_not_allowed"),
    413: ("The request is too large", "too_large"),
    415: ("This content type is not read here", "unsupported_media_type"),
}


class UnsupportedMediaType(LoreError):
    """A body of a type that this address does not read: only HTTP knows such a thing."""

    code = "unsupported_media_type"


class MethodNotAllowed(LoreError):
    """A method this address does not know; fact `allow`."""

    code = "method_not_allowed"


class TooSlow(LoreError):
    """A request that did not arrive in time."""

    code = "too_slow"


STATUS[TooSlow] = 408
STATUS[UnsupportedMediaType] = 415
STATUS[MethodNotAllowed] = 405


def error_response(error: LoreError) -> Response:
    """The answer to a refusal."""
    status = next((STATUS[kind] for kind in type(error).__mro__ if kind in STATUS), 500)
    headers = {}
    if "retryAfter" in error.facts:
        headers["Retry-After"] = str(error.facts["retryAfter"])
    if status == 401:
        headers["WWW-Authenticate"] = 'Bearer realm="loreweave"'
    if status == 405:
        headers["Allow"] = ", ".join(error.facts["allow"])
    return shape_response(status, error.shape(), headers)


def unexpected_response(trouble: BaseException) -> Response:
    """The answer when the fault is ours: the details stay in the log."""
    log.error("a request failed unexpectedly\n%s", trace_of(trouble))
    return shape_response(500, {"error": "Something went wrong inside the server", "code": "internal_error"})


def shape_response(status: int, shape: Mapping[str, object], headers: Mapping[str, str] | None = None) -> Response:
    body = json.dumps(shape, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace") + b"\n"
    return Response(body, status_code=status, headers=dict(headers or {}), media_type="application/json")


async def _on_lore_error(request: Request, trouble: Exception) -> Response:
    assert isinstance(trouble, LoreError)
    return error_response(trouble)


async def _on_http_exception(request: Request, trouble: Exception) -> Response:
    assert isinstance(trouble, HTTPException)
    sentence, code = FRAMEWORK.get(trouble.status_code, ("The request was refused", "refused"))
    allowed = (trouble.headers or {}).get("Allow")
    if trouble.status_code == 405 and allowed:
        return error_response(MethodNotAllowed(sentence, allow=sorted(allowed.split(", "))))
    return shape_response(trouble.status_code, {"error": sentence, "code": code}, trouble.headers)


ERROR_HANDLERS = {LoreError: _on_lore_error, HTTPException: _on_http_exception}
