"""One glossary from what was found in the pages and what somebody gave."""

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import replace

from loreweave.entities.digest import GlossaryTerm


def term_key(text: str) -> str:
    """Under which a term is the same term."""
    return unicodedata.normalize("NFC", text).strip().casefold()


def merge_glossary(given: Iterable[GlossaryTerm], found: Iterable[GlossaryTerm]) -> tuple[GlossaryTerm, ...]:
    """Sorted by term. Equal terms are one: first definition, all aliases. What was given replaces what was found,
    but for the section in which it was found."""
    first = _joined(given)
    second = _joined(found)
    kept = {**second, **first}
    for key in first.keys() & second.keys():
        if first[key].section is None:
            kept[key] = replace(first[key], section=second[key].section)
    return tuple(kept[key] for key in sorted(kept))


def _joined(entries: Iterable[GlossaryTerm]) -> dict[str, GlossaryTerm]:
    kept: dict[str, GlossaryTerm] = {}
    for entry in entries:
        key = term_key(entry.term)
        first = kept.setdefault(key, entry)
        if first is not entry:
            known = {term_key(alias) for alias in first.aliases}
            more = tuple(alias for alias in entry.aliases if term_key(alias) not in known)
            kept[key] = replace(first, aliases=(*first.aliases, *more)) if more else first
    return kept


def find_term(glossary: Sequence[GlossaryTerm], wanted: str) -> GlossaryTerm | None:
    """A term before any alias, then in the order of the list."""
    key = term_key(wanted)
    for entry in glossary:
        if term_key(entry.term) == key:
            return entry
    return next((entry for entry in glossary if any(term_key(alias) == key for alias in entry.aliases)), None)
