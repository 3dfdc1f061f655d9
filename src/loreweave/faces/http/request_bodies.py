"""Strict JSON bodies: bounded while they are read, one object, nothing that JSON does not know."""

import json
from typing import Any, TypeVar

import pydantic_core
from pydantic import BaseModel
from starlette.requests import ClientDisconnect, Request

from loreweave.errors import InvalidInput, TooLarge
from loreweave.faces.http.error_responses import UnsupportedMediaType
from loreweave.faces.request_values import read_request, shown_name

Body = TypeVar("Body", bound=BaseModel)
MAX_JSON_BYTES = 1024 * 1024


async def json_request(request: Request, model: type[Body], limit: int = MAX_JSON_BYTES) -> Body:
    """The body as a checked request."""
    return read_request(model, await json_object(request, limit))


async def json_object(request: Request, limit: int = MAX_JSON_BYTES) -> dict[str, Any]:
    """The body as one JSON object."""
    if content_type(request) != "application/json":
        raise UnsupportedMediaType("The body must be application/json", allowed=["application/json"])
    return parse_object(await bounded_body(request, limit))


def content_type(request: Request) -> str:
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


def announced_length(request: Request) -> int | None:
    """What Content-Length says; the server below us has already refused what is no number."""
    text = request.headers.get("content-length", "")
    return int(text) if text.isascii() and text.isdigit() else None


async def bounded_body(request: Request, limit: int) -> bytes:
    """The whole body, refused by its announced length first and then while it is counted."""
    if (announced_length(request) or 0) > limit:
        raise body_too_large(limit)
    body = bytearray()
    try:
        async for chunk in request.stream():
            body += chunk
            if len(body) > limit:
                raise body_too_large(limit)
    except ClientDisconnect:  # nobody is left to read this, and it is no fault of ours
        raise InvalidInput("The body broke off") from None
    return bytes(body)


def body_too_large(limit: int) -> TooLarge:
    return TooLarge(f"The body is larger than {limit} bytes", what="body_bytes", limit=limit)


def parse_object(body: bytes) -> dict[str, Any]:
    """Refuses NaN, Infinity, deep nesting, lone surrogates, bad UTF-8, repeated names; all but one object."""
    try:
        value = pydantic_core.from_json(body, allow_inf_nan=False)
        # Depth and numbers are known to be harmless by now.
        json.loads(body, object_pairs_hook=_distinct_names)
    except (ValueError, RecursionError) as trouble:
        raise InvalidInput(f"The body is not valid JSON: {trouble}") from None
    if not isinstance(value, dict):
        raise InvalidInput("The body must be a JSON object")
    return value


def _distinct_names(pairs: list[tuple[str, Any]]) -> None:
    seen: set[str] = set()
    for name, _ in pairs:
        if name in seen:
            raise InvalidInput(f"{shown_name(name)} is given twice", field=shown_name(name))
        seen.add(name)
