"""A GitHub repository as a source: a strictly checked address, an archive fetched within bounds."""

import asyncio
import re
import ssl
import threading
from collections.abc import Callable, Coroutine
from functools import cache
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any

from loreweave.errors import InvalidInput, LoreError, NotFound, TooLarge, Unavailable

if TYPE_CHECKING:
    import httpx

DEADLINE_SECONDS = 30.0
_GRACE_SECONDS = 0.25  # for an orderly end before the thread is left to itself
_ADDRESS = re.compile(r"https://github\.com/([A-Za-z0-9_][\w-]{0,99})/([\w.-]{1,100}?)(?:\.git|/)?", re.ASCII)
_BRANCH = re.compile(r"[A-Za-z0-9._/-]{1,255}")
_GITHUB_HOSTS = frozenset({"github.com", "codeload.github.com"})
_GITHUB_CONTENT = ".githubusercontent.com"
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_MAX_REDIRECTS = 5
_HEADERS = {"User-Agent": "loreweave", "Accept": "application/zip, */*;q=0.5", "Accept-Encoding": "identity"}


def parse_repository(url: str) -> tuple[str, str]:
    """Owner and repository of https://github.com/<owner>/<repo>, with `.git` or a final slash or neither."""
    match = _ADDRESS.fullmatch(url)
    owner, repository = match.groups() if match else ("", "")
    if not match or repository in (".", "..") or repository.endswith(".git"):
        message = "The source must have the form https://github.com/<owner>/<repository>"
        raise InvalidInput(message, field="source")
    return owner, repository


def check_branch(branch: str | None) -> str:
    """The reference to fetch: the branch if it is a sound name, HEAD if there is none."""
    if branch is None:
        return "HEAD"
    sound = _BRANCH.fullmatch(branch) and branch[0] != "-" and ".." not in branch
    if not sound or any(part in ("", ".") for part in branch.split("/")):
        message = "The branch may hold letters, digits and ._/- only, without '..' and no '-' in front"
        raise InvalidInput(message, field="branch")
    return branch


def fetch_repository(
    owner: str, repository: str, reference: str, *, archive_url: str, max_bytes: int, deadline: float = DEADLINE_SECONDS
) -> bytes:
    """The repository's archive. Blocks for at most `deadline` seconds, whatever the other side does."""
    url = archive_url
    for name, value in (("{owner}", owner), ("{repo}", repository), ("{ref}", reference)):
        url = url.replace(name, value)
    return _within(deadline, lambda: _download(url, max_bytes))


def _within(deadline: float, download: Callable[[], Coroutine[Any, Any, bytes]]) -> bytes:
    """Runs a download in a thread of its own, since even looking up a host's name can outlast any timeout."""
    outcome: SimpleQueue[bytes | LoreError] = SimpleQueue()

    def run() -> None:
        outcome.put(_outcome(asyncio.wait_for(download(), deadline)))

    threading.Thread(target=run, name="fetch-repository", daemon=True).start()
    try:
        found = outcome.get(timeout=deadline + _GRACE_SECONDS)
    except Empty:
        found = Unavailable("GitHub did not answer in time")
    if isinstance(found, LoreError):
        raise found
    return found


def _outcome(download: Coroutine[Any, Any, bytes]) -> bytes | LoreError:
    try:
        return asyncio.run(download)
    except LoreError as refusal:
        return refusal
    except TimeoutError:
        return Unavailable("GitHub did not answer in time")
    except Exception:  # whatever a network can do wrong is one thing to the caller
        return Unavailable(
            "GitHub could not be reached: look at this computer's network or proxy and try again, or ingest a folder "
            "or a ZIP of the repository"
        )


async def _download(url: str, max_bytes: int) -> bytes:
    """Follows redirects by hand: granted only within GitHub or to where we came from."""
    import httpx

    origin = current = httpx.URL(url)
    for _ in range(_MAX_REDIRECTS + 1):
        # One client an address: no cookie travels on. Proxies and keys of the environment are left alone.
        async with (
            httpx.AsyncClient(trust_env=False, verify=_authorities(), timeout=None, headers=_HEADERS) as client,
            client.stream("GET", current) as answer,
        ):
            if answer.status_code not in _REDIRECTS:
                return await _body(answer, max_bytes)
            current = redirect_target(origin, current, answer.headers.get("Location", ""))
    raise Unavailable("GitHub redirects in circles")


@cache
def _authorities() -> ssl.SSLContext:
    """Whose certificates are believed; costly to load, so once."""
    import httpx

    return httpx.create_ssl_context(trust_env=False)


def redirect_target(origin: "httpx.URL", current: "httpx.URL", location: str) -> "httpx.URL":
    """Where a redirect leads, if it leads to the first address's origin or to a host of GitHub over https."""
    target = current.join(location)
    host = target.raw_host.decode("ascii")
    of_github = host in _GITHUB_HOSTS or host.endswith(_GITHUB_CONTENT)
    secure = target.scheme == "https" and target.port in (None, 443)
    same = _origin(target) == _origin(origin)
    if not location or target.userinfo or not (same or (of_github and secure)):
        raise Unavailable("GitHub redirects to an address that is not its own")
    return target


def _origin(url: "httpx.URL") -> tuple[str, bytes, int | None]:
    return url.scheme, url.raw_host, url.port or {"http": 80, "https": 443}.get(url.scheme)


async def _body(answer: "httpx.Response", max_bytes: int) -> bytes:
    """The body as it came, counted while it comes: leaving early closes the connection."""
    if answer.status_code == 404:
        raise NotFound("There is no such repository or branch on GitHub")
    if answer.status_code != 200 or answer.headers.get("Content-Encoding", "identity") != "identity":
        raise Unavailable(f"GitHub answered {answer.status_code} instead of an archive")
    announced = answer.headers.get("Content-Length", "0")
    received = bytearray()
    if len(announced) < 16 and int(announced) <= max_bytes:
        async for chunk in answer.aiter_raw():
            received += chunk
            if len(received) > max_bytes:
                break
        else:
            return bytes(received)
    raise TooLarge(f"The archive is larger than {max_bytes:,} bytes", what="zip_bytes", limit=max_bytes)
