"""One glossary from what was found in the pages and what somebody gave."""

import unicodedata
from collections.abc import Iterable, Sequence

from loreweave.entities.digest import GlossaryTerm


def term_key(text: str) -> str:
    """Under which a term is the same term."""
    return unicodedata.normalize("NFC", text).strip().casefold()


def merge_glossary(given: Iterable[GlossaryTerm], found: Iterable[GlossaryTerm]) -> tuple[GlossaryTerm, ...]:
    """Sorted by term. Equal terms are one: first definition, all aliases. What was given replaces what was found."""
    kept: dict[str, GlossaryTerm] = {}
    for entry in given:
        kept.setdefault(term_key(entry.term), entry)
    replaced = set(kept)
    for entry in found:
        key = term_key(entry.term)
        if key not in replaced:
            kept[key] = _joined(kept[key], entry) if key in kept else entry
    return tuple(kept[key] for key in sorted(kept, key=lambda key: (key, kept[key].term)))


def _joined(first: GlossaryTerm, other: GlossaryTerm) -> GlossaryTerm:
    aliases = tuple(dict.fromkeys((*first.aliases, *other.aliases)))
    return GlossaryTerm(first.term, aliases, first.definition, first.section)


def find_term(glossary: Sequence[GlossaryTerm], wanted: str) -> GlossaryTerm | None:
    """A term before any alias, then in the order of the list."""
    key = term_key(wanted)
    for entry in glossary:
        if term_key(entry.term) == key:
            return entry
    return next((entry for entry in glossary if any(term_key(alias) == key for alias in entry.aliases)), None)
