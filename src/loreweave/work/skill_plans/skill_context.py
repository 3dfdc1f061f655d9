"""What a running skill knows: its own entries, and those of the skills it was called by."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

Entry = str | list[str]


@dataclass(slots=True)
class SkillContext:
    """Reads go up the chain of callers, writes stay here."""

    parent: SkillContext | None = None
    entries: dict[str, Entry] = field(default_factory=dict)

    def find(self, key: str) -> Entry:
        """What is known nowhere is the empty text."""
        context: SkillContext | None = self
        while context is not None:
            if key in context.entries:
                return context.entries[key]
            context = context.parent
        return ""

    def text(self, key: str) -> str:
        found = self.find(key)
        return found if isinstance(found, str) else ", ".join(found)


def as_entry(value: Any) -> Entry:
    """An answer as it is kept: a text or a list of texts, whatever JSON it came as."""
    return [_as_text(one) for one in value] if isinstance(value, list) else _as_text(value)


def _as_text(value: Any) -> str:
    if value is None:
        return ""
    return storable(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))


def storable(text: str) -> str:
    """What came from people and models, without the signs that no event could carry."""
    return text.replace("\0", "\ufffd").encode("utf-16", "surrogatepass").decode("utf-16", "replace")
