"""Which files of a source count, under which path and as what: alike for ZIP, repository and folder."""

import json
import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

from loreweave.contracts.skill_graph import IngestWarning
from loreweave.entities.note import DIGEST, NOTE
from loreweave.errors import InvalidInput, NoMarkdown, TooLarge
from loreweave.language.markdown.note_slugs import is_ignored
from loreweave.language.slug import slug

DIGEST_PATH = ".ask/digest.json"
DIGEST_VERSION = 1
MAX_PATH_BYTES = 4096  # what a file system can hold; longer names exist only in hostile archives
MAX_NAME_BYTES = 255

# Ten thousand long names must not take long: whole strings are searched, not letters looked at.
_EXTENSION = re.compile(r"\.(?:md|mdx|markdown)\Z", re.IGNORECASE | re.ASCII)
_LONGEST_EXTENSION = len(".markdown")
_FORBIDDEN = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")  # control characters; bytes that were no UTF-8
_UNSHOWABLE = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff\u2028-\u202e\u2066-\u2069]")
_EMPTY_PARTS = re.compile(r"(?:(?<=/)|^)(?:\.?/)+")
_DRIVE = re.compile(r"[A-Za-z]:")


@dataclass(frozen=True, slots=True)
class Root:
    """Where the source begins: what every path below it starts with, and the wrapper folder if any."""

    prefix: str  # "" or ends with "/"
    wrapper: str | None


def kind_of(path: str) -> str | None:
    """NOTE or DIGEST for a clean path below the root; None for what is not read."""
    if path == DIGEST_PATH:
        return DIGEST
    return None if is_ignored(path) else kind_by_name(path)


def kind_by_name(path: str) -> str | None:
    """NOTE by the extension alone, for a path known not to be ignored."""
    return NOTE if _EXTENSION.search(path[-_LONGEST_EXTENSION:]) else None


def clean_path(raw: str) -> str | None:
    """The path a raw name of an archive stands for, without empty parts; None when it is unsafe."""
    return None if raw[:1] in ("/", "\\") or _DRIVE.match(raw) else clean_relative(raw)


def clean_relative(raw: str) -> str | None:
    """As clean_path, for names known to be relative to the root: a colon is then an ordinary letter."""
    if len(raw) > MAX_PATH_BYTES or not (raw.isprintable() or _FORBIDDEN.search(raw) is None):
        return None
    path = raw.replace("\\", "/")
    if "//" in path or "./" in path or path.startswith("/"):
        path = _EMPTY_PARTS.sub("", path)
    if "/../" in f"/{path}/":
        return None
    encoded = path.encode()
    too_long = len(encoded) > MAX_PATH_BYTES or max(map(len, encoded.split(b"/"))) > MAX_NAME_BYTES
    return None if too_long else path


def shown(raw: str) -> str:
    """A raw name fit for a report: nothing that could steer a terminal or break an encoder, never long."""
    text = raw if len(raw) <= 300 else raw[:299] + "…"
    return text if text.isprintable() else _UNSHOWABLE.sub("\ufffd", text)


def in_order(warnings: Iterable[IngestWarning]) -> tuple[IngestWarning, ...]:
    return tuple(sorted(warnings, key=lambda warning: (warning.file, warning.code)))


def clean_subdirectory(text: str | None) -> str | None:
    """The subdirectory with slashes, None when none is meant; refused when it could lead outside."""
    if text is None or not text.strip():
        return None
    path = clean_path(text)
    if path is None:
        message = "The subdirectory must be a relative path without '..' and control characters"
        raise InvalidInput(message, field="subdirectory")
    path = path.removesuffix("/.").rstrip("/")
    return None if path in ("", ".") else path


def find_root(paths: Collection[str], subdirectory: str | None, *, wrapped: bool = False) -> Root:
    """Finds wrapper and subdirectory among the clean paths of all files.

    `wrapped` says that the outermost folder is a wrapper whatever it is called and holds.
    """
    marked = [path for path in paths if path.endswith(DIGEST_PATH) or kind_by_name(path)]
    usable = [path for path in marked if kind_of(path)]
    if wrapped or usable:
        wrapper = _single_top(paths if wrapped else usable)
    else:
        wrapper = _single_top(marked) if subdirectory else _oddly_named_top(paths)
    above = f"{wrapper}/" if wrapper else ""
    if subdirectory is None:
        return Root(above, wrapper)
    for prefix in dict.fromkeys((f"{above}{subdirectory}/", f"{subdirectory}/")):
        if any(path.startswith(prefix) for path in marked):
            return Root(prefix, wrapper)
    raise NoMarkdown(f"No markdown was found under {shown(subdirectory)}", field="subdirectory")


def _oddly_named_top(paths: Iterable[str]) -> str | None:
    """The only folder there is, although below the root its name would be ignored."""
    top = _single_top(path for path in paths if "/" in path and not path.startswith("__MACOSX/"))
    return None if top == "node_modules" else top


def _single_top(paths: Iterable[str]) -> str | None:
    """The one folder that holds all paths, if there is one."""
    top: str | None = None
    for path in paths:
        first, slash, _ = path.partition("/")
        if not slash or (top is not None and first != top):
            return None
        top = first
    return top


def read_digest(data: bytes) -> dict[str, Any]:
    """The digest that travels with documents, parsed; refused where it is none of ours or of another version."""
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        raise InvalidInput("The digest is no JSON.", field="digest") from None
    if not isinstance(found, dict) or found.get("version") != DIGEST_VERSION:
        raise InvalidInput(f"The digest is not of version {DIGEST_VERSION}; build it anew.", field="digest")
    return found


MAX_ENTRIES = 10_000


@dataclass(frozen=True, slots=True)
class ReadingLimits:
    """What ZIP files and repositories are held to, inclusive; folders have none of these."""

    max_zip_bytes: int
    max_files: int
    max_markdown_bytes: int
    max_entries: int = MAX_ENTRIES

    def check(self, what: str, found: int) -> None:
        limit = getattr(self, f"max_{what}")
        if found > limit:
            raise TooLarge(_TOO_LARGE[what].format(limit=limit), what=what, limit=limit)


_TOO_LARGE = {
    "zip_bytes": "The archive is larger than {limit:,} bytes",
    "files": "The source holds more than {limit:,} markdown files",
    "markdown_bytes": "The markdown is larger than {limit:,} bytes",
}


MAX_GRAPH_ID = 200  # characters of a graph id


def graph_id(name: str | None, source_name: str | None) -> str:
    """The id of the graph ingested under `name` from a source that calls itself `source_name`."""
    return _short(slug(name or "") or slug(source_name or "")) or "graph"


def _short(name: str) -> str:
    """Cut at a word, so that an id can always be asked for again."""
    if len(name) <= MAX_GRAPH_ID:
        return name
    cut = name[:MAX_GRAPH_ID]
    return cut.rpartition("-")[0] or cut


def first_name(*names: str | None) -> str:
    """The first of several names that can name a graph, "" when none can."""
    return next((name for name in names if name and slug(name)), "")


def archive_stem(filename: str | None) -> str | None:
    """The stem of an uploaded file's name, whatever folders a browser or a stranger put before it."""
    base = (filename or "").replace("\\", "/").rpartition("/")[2]
    return (base[:-4] if base.lower().endswith(".zip") else base) or None
