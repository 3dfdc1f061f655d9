"""Building a digest: what the documents give by themselves, what is still to be written about them, and a build."""

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from loreweave.bulk_work import in_batches
from loreweave.contracts.skill_graph import PageSettings
from loreweave.entities.digest import Digest, DigestSection, Distilled, PageRecord
from loreweave.errors import InvalidInput
from loreweave.knowledge.digest.assemble_digest import DigestAssembly, assemble
from loreweave.knowledge.digest.digest_file import clean_text, glossary_of, merge_glossary, suggestions_of
from loreweave.knowledge.documents.source_paths import shown

# What is read, and what a corpus file that was filled in still holds.
_KNOWN = ("context", "glossary", "summaries", "suggestions", "contentHash", "sections")


def take_written(
    digest: Digest, before: Distilled, given: Mapping[str, Any], *, sent: Collection[str] | None = None
) -> tuple[Distilled, list[str]]:
    """What is given replaces what was; given empty, it takes that away. Also a sentence for each thing not taken.

    An answer to the sections `sent` only adds: context and suggestions stay, glossary terms join those there are.
    """
    adds = sent is not None
    _check(given)
    refused = [f"{name[:80]} is nothing that can be given; it was left out." for name in given if name not in _KNOWN]
    summaries = dict(before.summaries)
    summaries |= _summaries(given.get("summaries") or (), digest, sent, refused)
    context, glossary, suggestions = before.context, before.glossary, before.suggestions
    if given.get("context") is not None and not (adds and context):
        context = clean_text(given["context"]) or None
    if given.get("suggestions") is not None and not (adds and suggestions):
        suggestions = suggestions_of(given["suggestions"]) or None
    if given.get("glossary") is not None:
        entries = glossary_of(given["glossary"]) or ()
        if len(entries) < len(given["glossary"]):
            refused.append("Glossary entries without term or definition were left out.")
        glossary = merge_glossary(glossary, entries) if adds and glossary else merge_glossary(entries, ())
    return Distilled(context, glossary, suggestions, summaries), refused


def _check(given: Mapping[str, Any]) -> None:
    if not isinstance(given, Mapping):
        raise InvalidInput("What was written about the sections is no JSON object", field="assemble")
    if given.get("context") is not None and not isinstance(given["context"], str):
        raise InvalidInput("context must be text", field="context")
    for name in ("glossary", "summaries", "suggestions"):
        if given.get(name) is not None and not isinstance(given[name], list):
            raise InvalidInput(f"{name} must be a list", field=name)


def _summaries(
    entries: Sequence[Any], digest: Digest, sent: Collection[str] | None, refused: list[str]
) -> dict[str, tuple[str, str]]:
    """Summaries by id. Doubled, unknown or outdated ids are refused one by one."""
    hashes = {part.id: part.hash for part in digest.sections if sent is None or part.id in sent}
    taken: dict[str, tuple[str, str]] = {}
    for entry in entries:
        identity = entry.get("id") if isinstance(entry, dict) else None
        summary = entry.get("summary") if isinstance(entry, dict) else None
        if not isinstance(identity, str):
            refused.append("A summary without id was left out.")
        elif identity not in hashes:
            refused.append(f"There is no section {shown(identity)}; its summary was left out.")
        elif not isinstance(summary, str) or not clean_text(summary):
            refused.append(f"The summary of {shown(identity)} says nothing; it was left out.")
        elif identity in taken:
            refused.append(f"The section {shown(identity)} was given twice; the first summary counts.")
        elif entry.get("hash", hashes[identity]) != hashes[identity]:
            refused.append(f"The section {shown(identity)} has changed since; its summary was left out.")
        else:
            taken[identity] = (hashes[identity], clean_text(summary))
    return taken


def without_lost_sections(distilled: Distilled, digest: Digest) -> Distilled:
    """A section that is gone leaves no summary behind, nor does a text that has changed since."""
    hashes = {section.id: section.hash for section in digest.sections}
    kept = {key: value for key, value in distilled.summaries.items() if hashes.get(key) == value[0]}
    return Distilled(distilled.context, distilled.glossary, distilled.suggestions, kept)


REQUEST_BYTES = 200_000  # of text in one request to a model

Distil = Callable[[Sequence[Mapping[str, Any]]], Mapping[str, Any]]


@dataclass(slots=True)
class Source:
    """The documents to be digested."""

    records: Mapping[str, PageRecord]  # by path
    settings: PageSettings
    text_of: Callable[[str], str]  # the source of the document at a path
    assembly: DigestAssembly | None = None  # the last one, which saves work for the next

    def assemble(self, distilled: Distilled) -> Digest:
        self.assembly = assemble(self.records, self.settings, distilled, self.assembly)
        return self.assembly.digest


@dataclass(slots=True)
class Built:
    digest: Digest  # without suggestions of its own: those need a search
    distilled: Distilled
    sent: int = 0  # sections whose text was sent to be distilled


def undistilled(digest: Digest) -> list[DigestSection]:
    return [section for section in digest.sections if not section.distilled]


def corpus(source: Source, sections: Iterable[DigestSection]) -> list[dict[str, Any]]:
    """What is sent of sections: the raw text under its id, url, title and hash."""
    texts: dict[str, bytes] = {}
    found = []
    for section in sections:
        if section.path not in texts:
            texts = {section.path: source.text_of(section.path).encode()}  # one at a time: they come page by page
        raw = texts[section.path][section.start : section.end].decode()
        found.append({"id": section.id, "url": section.url, "title": section.title, "text": raw, "hash": section.hash})
    return found


Tell = Callable[[str], None]  # a sentence for the one who builds, beside the report


@dataclass(frozen=True, slots=True)
class BuildOptions:
    out: Path | None = None  # where the digest goes; a folder has a place of its own for it
    model: str | None = None  # None: the one of the settings, if any
    key_free: bool = False  # no model, whatever the settings say
    refresh: bool = False  # nothing that was written before counts
    assemble: bytes | None = None  # JSON that somebody wrote about the sections
    corpus: Path | None = None  # where to put what is still to be distilled; nothing is built then
    tree: Path | None = None  # where to put the digest as Markdown files, too
    settings: PageSettings | None = None  # of a folder; None: those of its digest, else the defaults

    @property
    def asks_model(self) -> bool:
        return not self.key_free and self.assemble is None and self.corpus is None


def run_build(source: Source, before: Distilled, options: BuildOptions, distil: Distil | None, tell: Tell) -> Built:
    """The digest with what somebody wrote about it. Without `distil` nothing is asked of anybody; with it, only
    sections without a summary of their present text are sent, or all of them to be written anew."""
    distilled = Distilled() if options.refresh else before
    digest = source.assemble(distilled)
    built = Built(digest, without_lost_sections(distilled, digest))
    refused: list[str] = []
    if options.assemble is not None:
        built.distilled, refused = take_written(digest, built.distilled, _given(options.assemble))
    elif distil is not None:
        unwritten = corpus(source, undistilled(digest))
        for batch in in_batches(
            unwritten, lambda section: len(section["text"].encode()), REQUEST_BYTES, len(unwritten)
        ):
            sent = {section["id"] for section in batch.items}
            built.distilled, left = take_written(digest, built.distilled, distil(batch.items), sent=sent)
            built.sent += len(batch.items)
            refused += left
    if options.assemble is not None or built.sent:
        built.digest = source.assemble(built.distilled)
    for sentence in refused:
        tell(sentence)
    return built


def _given(data: bytes) -> Any:
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        raise InvalidInput("What was written about the sections is no JSON", field="assemble") from None
