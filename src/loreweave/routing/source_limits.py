"""How many files a caller may send along, and under which paths."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from loreweave.errors import InvalidInput, TooLarge

MOST_PATH = 4_096
_UNSAFE = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_ROOTED = re.compile(r"/|[A-Za-z]:")


@dataclass(frozen=True, slots=True)
class SourceLimits:
    """Inclusive: exactly at a limit is accepted."""

    max_files: int
    max_markdown_bytes: int
    max_entries: int = 10_000

    def checked(self, files: Mapping[str, str]) -> dict[str, str]:
        """The files under clean paths; refused where there are too many, or where a path leads outside."""
        _refuse_above("entries", "There are more than {limit} files", len(files), self.max_entries)
        clean = {_clean(path): text for path, text in files.items()}
        notes = [text for path, text in clean.items() if path.lower().endswith(".md")]
        _refuse_above("files", "There are more than {limit} markdown files", len(notes), self.max_files)
        size = sum(len(text.encode("utf-8", "surrogatepass")) for text in notes)
        _refuse_above("markdown_bytes", "The markdown is larger than {limit} bytes", size, self.max_markdown_bytes)
        return clean


def _refuse_above(what: str, sentence: str, found: int, limit: int) -> None:
    if found > limit:
        raise TooLarge(sentence.format(limit=limit), what=what, limit=limit)


def _clean(raw: str) -> str:
    path = raw.replace("\\", "/")
    parts = [part for part in path.split("/") if part not in ("", ".")]
    unsafe = _UNSAFE.search(path) or _ROOTED.match(path) or ".." in parts or not parts or len(path) > MOST_PATH
    if unsafe:
        raise InvalidInput("files must have relative paths without '..' and control characters", field="files")
    return "/".join(parts)
