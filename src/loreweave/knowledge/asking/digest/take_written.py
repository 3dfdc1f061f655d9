"""What a model, an agent or a person returns about sections: taken where it fits, refused by name where it does not."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from loreweave.entities.digest import Digest, Distilled
from loreweave.errors import InvalidInput
from loreweave.knowledge.asking.digest.digest_file import clean_text, glossary_of, suggestions_of
from loreweave.knowledge.asking.digest.merge_glossary import merge_glossary

_FIELDS = ("context", "glossary", "summaries", "suggestions")


@dataclass(slots=True)
class Taken:
    distilled: Distilled
    refused: list[str] = field(default_factory=list)  # sentences, one for each thing not taken


def take_written(digest: Digest, before: Distilled, given: Mapping[str, Any], *, adds: bool = False) -> Taken:
    """What is given replaces what was. With `adds` only what is new is taken: context and suggestions stay,
    glossary terms join those there are."""
    _check(given)
    hashes = {section.id: section.hash for section in digest.sections}
    refused: list[str] = []
    summaries = dict(before.summaries)
    seen: set[str] = set()
    for entry in given.get("summaries") or ():
        identity, summary = _summary(entry)
        if identity is None or summary is None:
            refused.append("A summary without id or text was left out.")
        elif identity in seen:
            refused.append(f"The section {identity} was given twice; the first summary counts.")
        elif identity not in hashes:
            refused.append(f"There is no section {identity}; its summary was left out.")
        else:
            seen.add(identity)
            summaries[identity] = (hashes[identity], summary)
    glossary = glossary_of(given.get("glossary"))
    if adds and before.glossary is not None:
        glossary = merge_glossary(before.glossary, glossary or ())
    context = clean_text(given["context"]) if given.get("context") else None
    suggestions = suggestions_of(given.get("suggestions"))
    if adds:
        context, suggestions = before.context or context, before.suggestions or suggestions
    distilled = Distilled(
        context=before.context if context is None else context,
        glossary=before.glossary if glossary is None else glossary,
        suggestions=before.suggestions if suggestions is None else suggestions,
        summaries=summaries,
    )
    return Taken(distilled, refused)


def _check(given: Mapping[str, Any]) -> None:
    for name in given:
        if name not in _FIELDS:
            raise InvalidInput(f"Unknown field {name[:80]}", field=name[:80])
    if given.get("context") is not None and not isinstance(given["context"], str):
        raise InvalidInput("context must be text", field="context")
    for name in _FIELDS[1:]:
        if given.get(name) is not None and not isinstance(given[name], list):
            raise InvalidInput(f"{name} must be a list", field=name)


def _summary(entry: Any) -> tuple[str | None, str | None]:
    if not isinstance(entry, dict):
        return None, None
    identity, summary = entry.get("id"), entry.get("summary")
    if not isinstance(identity, str) or not isinstance(summary, str) or not clean_text(summary):
        return None, None
    return identity, clean_text(summary)


def without_lost_sections(distilled: Distilled, digest: Digest) -> Distilled:
    """A section that is gone leaves no summary behind, nor does a text that has changed since."""
    hashes = {section.id: section.hash for section in digest.sections}
    kept = {key: value for key, value in distilled.summaries.items() if hashes.get(key) == value[0]}
    return Distilled(distilled.context, distilled.glossary, distilled.suggestions, kept)
