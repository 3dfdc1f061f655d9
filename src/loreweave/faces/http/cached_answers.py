"""Reads of a graph: an ETag made of the answer's own bytes, and 304 when the caller already has them.

The tag is taken from the bytes and not from the revision, because two answers at one revision may differ:
a fused graph becomes stale when one of its sources moves on.
"""

from hashlib import sha256

from starlette.requests import Request
from starlette.responses import Response


def cached_answer(request: Request, body: bytes, media_type: str = "application/json", **headers: str) -> Response:
    """The answer, or 304 when If-None-Match names it."""
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
