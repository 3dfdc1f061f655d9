"""What a request brings: strict JSON bodies, bounded while they are read, and values of the query string."""

import json
from collections.abc import Callable
from typing import Any

import pydantic_core
from starlette.requests import ClientDisconnect, HTTPConnection, Request

from loreweave.contracts.argument_values import refusal
from loreweave.errors import InvalidInput, TooLarge
from loreweave.faces.http.error_responses import UnsupportedMediaType
from loreweave.faces.request_values import Pairs, lenient_json, name_given_twice, unknown_field
from loreweave.language.strange_text import shown

MAX_JSON_BYTES = 1024 * 1024


async def json_object(request: Request, limit: int = MAX_JSON_BYTES) -> dict[str, Any]:
    """The body as one JSON object."""
    refuse_other_than_json(request, also="")  # what does not say what it is may be JSON
    return parse_object(await bounded_body(request, limit))


async def optional_object(request: Request) -> dict[str, Any]:
    """The same; none means an empty one."""
    return _parsed(request, await bounded_body(request, MAX_JSON_BYTES), parse_object)


async def lenient_object(request: Request) -> dict[str, Any]:
    """The same, for arguments whose own reader names the field of whatever is wrong."""
    return _parsed(request, await bounded_body(request, MAX_JSON_BYTES), _parse_arguments)


def _parsed(request: Request, body: bytes, parse: Callable[[bytes], dict[str, Any]]) -> dict[str, Any]:
    if not body.strip():
        return {}
    refuse_other_than_json(request, also="")
    return parse(body)


def refuse_other_than_json(request: Request, also: str = "application/json") -> None:
    if content_type(request) not in ("application/json", also):
        raise UnsupportedMediaType("The body must be application/json", allowed=["application/json"])


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
    return TooLarge(f"The body is larger than {limit:,} bytes", what="body_bytes", limit=limit)


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


def _distinct_names(pairs: Pairs) -> None:
    twice = name_given_twice(pairs)
    if twice is not None:
        raise InvalidInput(f"{shown(twice)} is given twice", field=shown(twice))


def _parse_arguments(body: bytes) -> dict[str, Any]:
    """One JSON object. NaN, infinity and half surrogate pairs get through: their field is named by whoever reads it."""
    try:
        value = lenient_json(body.decode(), _distinct_arguments)
    except ValueError as trouble:
        raise refusal("body", f"The body is not valid JSON: {trouble}") from None
    if not isinstance(value, dict):
        raise refusal("body", "The body must be a JSON object")
    return value


def _distinct_arguments(pairs: Pairs) -> dict[str, Any]:
    twice = name_given_twice(pairs)
    if twice is not None:
        raise refusal(shown(twice), f"{shown(twice)} is given twice")
    return dict(pairs)


MOST_DIGITS = 18  # what every database keeps; a larger number is as good as the largest of these


def graph_asked(request: HTTPConnection) -> str | None:
    return asked_once(request, "graph") or None


def asked_once(request: HTTPConnection, name: str) -> str | None:
    values = request.query_params.getlist(name)
    if len(values) > 1:
        raise InvalidInput(f"{name} is given twice", field=name)
    return values[0] if values else None


def whole_number(request: HTTPConnection, name: str, default: int, low: int = 0, high: int | None = None) -> int:
    """Digits and nothing else, so that one number is written one way."""
    text = asked_once(request, name)
    if text is None:
        return default
    if text.isascii() and text.isdigit():
        digits = text.lstrip("0") or "0"
        number = int(digits) if len(digits) <= MOST_DIGITS else 10**MOST_DIGITS
        if low <= number and (high is None or number <= high):
            return number
    bounds = f"of at least {low}" if high is None else f"from {low:,} to {high:,}"
    raise InvalidInput(f"{name} must be a whole number {bounds}", field=name)


def only_asked(request: HTTPConnection, *known: str) -> None:
    """Refuses what nobody would read."""
    for name in request.query_params:
        if name not in known:
            raise unknown_field(shown(name), known)
