"""What one document gives to the digest, whatever its neighbours: made once per text, kept in the store."""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from loreweave.entities.digest import DigestSettings, Fact, GlossaryFinding, PageHeading, PageLink, PageSection, Passage
from loreweave.index.bulk_work import Run, without_collection
from loreweave.knowledge.documents.read_document import DocumentReading, read_document
from loreweave.knowledge.documents.read_page import page_of
from loreweave.language.stop_words import STOP_WORDS
from loreweave.language.terms import words

EXTRACTOR = "1"  # raised when the same text would give other sections, facts or summaries
TERMS = "6"  # raised when it would give other terms or passages: what was written about its sections stays valid
SUMMARY_LENGTH = 220
MOST_TERMS = 40


@dataclass(frozen=True, slots=True)
class SectionRecord:
    section: PageSection
    raw_hash: str  # of the source's own bytes
    excerpt: str
    terms: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PageRecord:
    title: str | None
    group: str | None
    description: str | None
    sections: tuple[SectionRecord, ...]
    links: tuple[PageLink, ...]
    glossary: tuple[GlossaryFinding, ...]
    anchors: tuple[tuple[str, int], ...]  # every anchor of the page and the section it stands in
    name: str = ""  # as the graph calls it
    aliases: tuple[str, ...] = ()
    headings: tuple[PageHeading, ...] = ()
    tags: tuple[str, ...] = ()


def record_page(path: str, source: str, slug_scheme: str, heading_depth: int) -> PageRecord:
    return record_of(read_document(path, source), slug_scheme, heading_depth)


def record_of(reading: DocumentReading, slug_scheme: str, heading_depth: int) -> PageRecord:
    page = page_of(reading, slug_scheme, heading_depth)
    data = reading.source.encode()
    records = tuple(_record(section, data, page.description) for section in page.sections)
    about = page.links, page.glossary, page.anchors, page.name, page.aliases, page.headings, page.tags
    return PageRecord(page.title, page.group, page.description, records, *about)


def _record(section: PageSection, data: bytes, description: str | None) -> SectionRecord:
    raw = data[section.start : section.end]
    if description and section.level == 0:  # it opens what is read, searched and shown of the page
        raw += b"\0" + description.encode()
        section = replace(section, text=_described(section.text, description))
    return SectionRecord(section, hashlib.sha256(raw).hexdigest(), excerpt(section.text), _telling_words(section))


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


def _telling_words(section: PageSection) -> tuple[str, ...]:
    """Those of the heading first, then the most frequent; ties in order of appearance."""
    heading = [word for word in words(section.heading or "") if _tells(word)]
    counted = Counter(words(section.text))
    stop = STOP_WORDS  # as `_tells`, without a call for each word of a site
    telling = [word for word in counted if word not in stop and len(word) > 1 and not word.isdecimal()]
    telling.sort(key=counted.__getitem__, reverse=True)
    return tuple(dict.fromkeys([*heading, *telling]))[:MOST_TERMS]


def _tells(word: str) -> bool:
    return len(word) > 1 and word not in STOP_WORDS and not word.isdecimal()


def pack_record(record: PageRecord) -> bytes:
    return json.dumps(
        [
            record.title,
            record.group,
            record.description,
            [_packed(part) for part in record.sections],
            [[link.section, link.target, link.wikilink] for link in record.links],
            [[found.term, found.aliases, found.definition, found.section] for found in record.glossary],
            record.anchors,
            record.name,
            record.aliases,
            [[found.level, found.text, found.anchor, found.start, found.end] for found in record.headings],
            record.tags,
        ],
        ensure_ascii=False,
        separators=(",", ":"),
    ).encode()


def _packed(part: SectionRecord) -> list:
    section = part.section
    facts = [[fact.kind, fact.literal, fact.start, fact.end] for fact in section.facts]
    passages = [[part.heading, part.start, part.end, part.tokens, part.text] for part in section.passages]
    whole = [section.anchor, section.heading, section.level, section.start, section.end, facts, passages]
    return [whole, part.raw_hash, part.excerpt, part.terms]


def unpack_record(data: bytes) -> PageRecord:
    title, group, description, sections, links, glossary, anchors, name, aliases, headings, tags = json.loads(data)
    return PageRecord(
        title,
        group,
        description,
        tuple(_unpacked(description, *part) for part in sections),
        tuple(PageLink(*link) for link in links),
        tuple(GlossaryFinding(term, tuple(others), *rest) for term, others, *rest in glossary),
        tuple((anchor, section) for anchor, section in anchors),
        name,
        tuple(aliases),
        tuple(PageHeading(*heading) for heading in headings),
        tuple(tags),
    )


def outline_of(record: PageRecord) -> tuple[tuple[PageHeading, ...], list[Passage]]:
    """Where the headings and passages of a page stand."""
    return record.headings, [passage for part in record.sections for passage in part.section.passages]


def unpack_outline(data: bytes) -> tuple[tuple[PageHeading, ...], list[Passage]]:
    """The same of a packed record, without unpacking the rest."""
    _, _, _, sections, *_, headings, _ = json.loads(data)
    passages = [Passage(*passage) for whole, *_ in sections for passage in whole[-1]]
    return tuple(PageHeading(*heading) for heading in headings), passages


def _unpacked(description: str | None, whole: list, raw_hash: str, cut: str, terms: list[str]) -> SectionRecord:
    anchor, heading, level, start, end, facts, passages = whole
    held = tuple(Passage(*passage) for passage in passages)
    text = "\n".join([passage.text for passage in held if passage.text])
    if description and level == 0:
        text = _described(text, description)
    section = PageSection(anchor, heading, level, start, end, text, tuple(Fact(*fact) for fact in facts), held)
    return SectionRecord(section, raw_hash, cut, tuple(terms))


CHUNK_BYTES = 256 * 1024
CHUNK_FILES = 200


@dataclass(frozen=True, slots=True)
class PageChunk:
    files: tuple[tuple[str, str], ...]  # (path, source)
    slug_scheme: str
    heading_depth: int

    def __len__(self) -> int:
        """How much there is to read."""
        return sum(len(source) for _, source in self.files)


def record_pages(
    files: Iterable[tuple[str, str]], settings: DigestSettings, run: Run = map
) -> Iterator[list[tuple[str, bytes]]]:
    """Packed records of documents, (path, source) → (path, record), chunk by chunk in the order given."""
    for paths, records in run(record_chunk, _chunks(files, settings)):
        yield list(zip(paths, records, strict=True))


def record_chunk(chunk: PageChunk) -> tuple[list[str], list[bytes]]:
    scheme, depth = chunk.slug_scheme, chunk.heading_depth
    with without_collection():
        records = [pack_record(record_page(path, source, scheme, depth)) for path, source in chunk.files]
    return [path for path, _ in chunk.files], records


def reader_identity(settings: DigestSettings) -> str:
    """What a record depends on besides path and text."""
    return f"{EXTRACTOR}.{TERMS}:{settings.slug_scheme}:{settings.heading_depth}"


def _chunks(files: Iterable[tuple[str, str]], settings: DigestSettings) -> Iterator[PageChunk]:
    chunk: list[tuple[str, str]] = []
    size = 0
    for file in files:
        if chunk and (size + len(file[1]) > CHUNK_BYTES or len(chunk) >= CHUNK_FILES):
            yield PageChunk(tuple(chunk), settings.slug_scheme, settings.heading_depth)
            chunk, size = [], 0
        chunk.append(file)
        size += len(file[1])
    if chunk:
        yield PageChunk(tuple(chunk), settings.slug_scheme, settings.heading_depth)
