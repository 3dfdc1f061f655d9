"""What one document gives to the digest, whatever its neighbours: made once per text, kept in the store."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

from pydantic_core import from_json, to_json

from loreweave.bulk_work import Batch, Run, in_batches, without_collection
from loreweave.contracts.skill_graph import PageSettings
from loreweave.entities.digest import Fact, GlossaryFinding, PageHeading, PageLink, PageRecord, PageSection, Passage
from loreweave.language.markdown.note_names import speaks_for_folder, without_label
from loreweave.language.stop_words import STOP_WORDS
from loreweave.language.terms import words

if TYPE_CHECKING:  # whoever unpacks a record does not load what makes one
    from loreweave.knowledge.documents.find_sections import PassageCutter, SectionFinder, SectionPlan
    from loreweave.knowledge.documents.read_document import DocumentReading
    from loreweave.language.markdown.page_outline import PageOutline
    from loreweave.language.markdown.prepare_text import PreparedText
    from loreweave.language.stretch_tokens import StretchTokens

SUMMARY_LENGTH = 220
MOST_TERMS = 40


def given_title(path: str, record: PageRecord) -> str:
    """What the document calls itself; empty where only its address can stand for that."""
    return record.title or (record.name if speaks_for_folder(path) else "")


def record_page(path: str, source: str, settings: PageSettings) -> PageRecord:
    from loreweave.knowledge.documents.read_document import read_document
    from loreweave.language.stretch_tokens import stretch_tokens

    reading = read_document(path, source)
    [tokens] = stretch_tokens([reading.prepared.parsed.source])
    return record_of(reading, tokens, settings)


def record_of(reading: DocumentReading, tokens: StretchTokens, settings: PageSettings) -> PageRecord:
    """Sections, facts, links and terms of a document that was parsed and counted."""
    from loreweave.knowledge.documents.find_facts import FactFinder
    from loreweave.knowledge.documents.find_sections import PassageCutter, SectionFinder
    from loreweave.knowledge.documents.find_terms import find_terms

    fields, outline, parsed = reading.fields, reading.outline, reading.prepared.parsed
    description = _field(reading, "description")
    finder = SectionFinder(outline, parsed, settings.slugScheme, settings.headingDepth, description is not None)
    plans = finder.sections()
    facts = FactFinder(outline, parsed).find(finder, len(plans))
    cutter = PassageCutter(outline, parsed, finder.given, tokens)
    title = _field(reading, "title") or reading.first_title or _field(reading, "name")
    return PageRecord(
        title,
        _field(reading, "group"),
        description,
        tuple(_section(plan, facts[number], cutter, description) for number, plan in enumerate(plans)),
        _links(outline, finder),
        find_terms(reading, title, finder),
        _anchors(reading.prepared, outline, finder),
        reading.name,
        reading.aliases,
        cutter.headings,
        fields.tags(),
    )


def _section(plan: SectionPlan, facts: tuple[Fact, ...], cutter: PassageCutter, description: str | None) -> PageSection:
    raw, text = cutter.source[plan.start : plan.end], plan.text
    if description and plan.heading is None:  # it opens what is read, searched and shown of the page
        raw += b"\0" + description.encode()
        text = _described(text, description)
    heading = plan.heading.text if plan.heading else None
    level = plan.heading.level if plan.heading else 0
    about = hashlib.sha256(raw).hexdigest(), excerpt(text), _telling_words(heading, text)
    return PageSection(plan.anchor, heading, level, plan.start, plan.end, text, facts, cutter.cut(plan), *about)


def _anchors(prepared: PreparedText, outline: PageOutline, finder: SectionFinder) -> tuple[tuple[str, int], ...]:
    """Those of headings, then ids that raw HTML gives to places, then the ids of blocks."""
    places = [*outline.places, *((prepared.parsed.parsed_place(place), name) for place, name in prepared.block_ids)]
    found = dict(finder.anchors())
    for place, name in places:
        found.setdefault(name, max(0, finder.number(place)))
    return tuple(found.items())


def _field(reading: DocumentReading, key: str) -> str | None:
    value = reading.header.fields.get(key)
    return (" ".join(value.split()) or None) if isinstance(value, str) else None


def _links(outline: PageOutline, finder: SectionFinder) -> tuple[PageLink, ...]:
    placed = ((finder.number(link.start), link) for link in outline.links)
    return tuple(
        PageLink(max(0, number), without_label(link.target) if link.wikilink else link.target, link.wikilink)
        for number, link in placed
    )


def _described(text: str, description: str) -> str:
    return f"{description}\n\n{text}".strip()


def excerpt(text: str, length: int = SUMMARY_LENGTH) -> str:
    """The beginning of a text in one line, cut at a word."""
    read = length * 4
    line = " ".join(text[:read].split())
    while len(line) <= length and read < len(text):  # hardly anything but blanks so far
        read *= 4
        line = " ".join(text[:read].split())
    if len(line) <= length:
        return line
    cut = line[: length - 1]
    head, blank, _ = cut.rpartition(" ")
    return (head if blank and line[length - 1] != " " else cut).rstrip() + "…"


def _telling_words(heading: str | None, text: str) -> tuple[str, ...]:
    """Those of the heading first, then the most frequent; ties in order of appearance."""
    counted = Counter(words(text))
    ordered = dict.fromkeys([*words(heading or ""), *sorted(counted, key=counted.__getitem__, reverse=True)])
    telling = (word for word in ordered if len(word) > 1 and word not in STOP_WORDS and not word.isdecimal())
    return tuple(islice(telling, MOST_TERMS))


def pack_record(record: PageRecord) -> bytes:
    """Lists in lists; the text of a section is that of its passages, and not kept twice."""
    sections = [[[*part[:5], part.facts, part.passages], *part[8:]] for part in record.sections]
    return to_json([*record[:3], sections, *record[4:]])


def unpack_record(data: bytes) -> PageRecord:
    title, group, description, sections, links, glossary, anchors, name, aliases, headings, tags = from_json(data)
    return PageRecord(
        title,
        group,
        description,
        tuple(_unpacked(description, *part) for part in sections),
        tuple(map(PageLink._make, links)),
        tuple(GlossaryFinding(term, tuple(others), *rest) for term, others, *rest in glossary),
        tuple(map(tuple, anchors)),
        name,
        tuple(aliases),
        tuple(map(PageHeading._make, headings)),
        tuple(tags),
    )


def outline_of(record: PageRecord) -> tuple[tuple[PageHeading, ...], list[Passage]]:
    """Where the headings and passages of a page stand."""
    return record.headings, [passage for part in record.sections for passage in part.passages]


def unpack_outline(data: bytes) -> tuple[tuple[PageHeading, ...], list[Passage]]:
    """The same of a packed record, without unpacking the rest."""
    _, _, _, sections, *_, headings, _ = from_json(data)
    passages = [Passage._make(passage) for whole, *_ in sections for passage in whole[-1]]
    return tuple(map(PageHeading._make, headings)), passages


def _unpacked(description: str | None, whole: list, raw_hash: str, cut: str, terms: list[str]) -> PageSection:
    anchor, heading, level, start, end, facts, passages = whole
    held = tuple(map(Passage._make, passages))
    text = "\n".join([passage.text for passage in held if passage.text])
    if description and level == 0:
        text = _described(text, description)
    found = tuple(map(Fact._make, facts)), held
    return PageSection(anchor, heading, level, start, end, text, *found, raw_hash, cut, tuple(terms))


CHUNK_BYTES, CHUNK_FILES = 256 * 1024, 200


def record_pages(
    files: Iterable[tuple[str, str]], settings: PageSettings, run: Run = map
) -> Iterable[list[tuple[str, bytes]]]:
    """Packed records of documents, (path, source) → (path, record), chunk by chunk in the order given."""
    return run(partial(record_chunk, settings), in_batches(files, lambda file: len(file[1]), CHUNK_BYTES, CHUNK_FILES))


def record_chunk(settings: PageSettings, chunk: Batch[tuple[str, str]]) -> list[tuple[str, bytes]]:
    with without_collection():
        return [(path, pack_record(record_page(path, source, settings))) for path, source in chunk.items]
