"""What a header says: text, lists, names and dates by their keys."""

import re
from collections.abc import Iterator
from datetime import date

from loreweave.language.headers.header_tree import Value
from loreweave.language.headers.read_header import Header
from loreweave.language.markdown.note_names import split_wikilink

RELATIONS = ("extends", "contradicts")

_WIKILINK = re.compile(r"\[\[([^\[\]]{1,512}+)\]\]")
_ISO_DATE = re.compile(r"(\d{4}-\d{2}-\d{2})(?:[T ]\d{2}:?\d{2}.*)?", re.ASCII | re.DOTALL)

Oddity = tuple[str, str, int | None]  # code, message, line


class HeaderFields:
    """Asks a header for text, lists and dates, and keeps what was odd."""

    def __init__(self, header: Header) -> None:
        self._header = header
        self._asked: set[str] = set()  # fields whose shape was already complained of
        self.warnings: list[Oddity] = [("frontmatter", message, line) for message, line in header.troubles]

    def warn(self, code: str, message: str, line: int | None) -> None:
        """Note something odd about the file."""
        self.warnings.append((code, message, line))

    def text(self, key: str) -> str | None:
        """A text field, None when missing, blank or no text."""
        value = self._header.fields.get(key)
        if isinstance(value, (list, dict)):
            self._complain(key, "text")
            return None
        return (value.strip() or None) if value is not None else None

    def tags(self) -> tuple[str, ...]:
        """Tags without their number sign, each once."""
        value = self._header.fields.get("tags")
        if isinstance(value, dict):
            self._complain("tags", "a list")
            return ()
        if isinstance(value, str):
            parts = value.split(",") if "," in value else value.split()
        else:
            parts = list(_texts(value))
        tags = (part.strip().removeprefix("#").strip() for part in parts)
        return tuple(dict.fromkeys(tag for tag in tags if tag))

    def names(self, key: str) -> tuple[str, ...]:
        """Names of other notes or of this one, brackets taken off, each once."""
        return tuple(dict.fromkeys(split_wikilink(raw)[0] for raw in self._written(key)))

    def relations(self) -> Iterator[tuple[str, str, int]]:
        """(kind, what was written, line) of the two relations that a header can state."""
        for key in RELATIONS:
            line = self._header.lines.get(key, 1)
            yield from ((key, raw, line) for raw in self._written(key))

    def date(self, *keys: str) -> str | None:
        """The first of the fields that holds an ISO date."""
        for key in keys:
            value = self._header.fields.get(key)
            found = _ISO_DATE.fullmatch(value.strip()) if isinstance(value, str) else None
            if found and _is_day(found[1]):
                return found[1]
        return None

    def _written(self, key: str) -> Iterator[str]:
        """What was written for a list of names, one name at a time, blank ones left out."""
        value = self._header.fields.get(key)
        if isinstance(value, dict):
            self._complain(key, "a list of names")
            return
        for text in _texts(value):
            for raw in _WIKILINK.findall(text) or [text]:
                if split_wikilink(raw)[0]:
                    yield raw.strip()

    def _complain(self, key: str, shape: str) -> None:
        if key not in self._asked:
            self._asked.add(key)
            self.warn("frontmatter", f"header field {key!r} is not {shape}", self._header.lines.get(key))


def _texts(value: Value, depth: int = 0) -> Iterator[str]:
    """Texts of a list. Unquoted, `[[a, b]]` is a list in a list to YAML: one name with a comma in it."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        texts = [item for item in value if isinstance(item, str)]
        if depth and len(texts) == len(value) > 1:
            yield ", ".join(texts)
            return
        for item in value:
            yield from _texts(item, depth + 1)


def _is_day(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True
