"""Building a digest: what the documents give by themselves, and what is still to be written about them."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from loreweave.entities.digest import Digest, DigestSection, DigestSettings, Distilled
from loreweave.knowledge.asking.digest.assemble_digest import DigestAssembly, assemble
from loreweave.knowledge.asking.digest.page_record import PageRecord
from loreweave.knowledge.asking.digest.take_written import take_written, without_lost_sections

REQUEST_BYTES = 200_000  # of text in one request to a model

Distil = Callable[[Sequence[Mapping[str, Any]]], Mapping[str, Any]]


@dataclass(slots=True)
class Source:
    """The documents to be digested."""

    records: Mapping[str, PageRecord]  # by path
    settings: DigestSettings
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
    refused: list[str] = field(default_factory=list)


def build_digest(source: Source, before: Distilled, distil: Distil | None, *, refresh: bool = False) -> Built:
    """Without `distil` nothing is asked of anybody. With it, only sections without a summary of their present text
    are sent; `refresh` sends all."""
    distilled = Distilled() if refresh else before
    digest = source.assemble(distilled)
    built = Built(digest, without_lost_sections(distilled, digest))
    if distil is None:
        return built
    for batch in _batches(corpus(source, undistilled(digest))):
        taken = take_written(digest, built.distilled, distil(batch), sent={section["id"] for section in batch})
        built.sent += len(batch)
        built.refused += taken.refused
        built.distilled = taken.distilled
    if built.sent:
        built.digest = source.assemble(built.distilled)
    return built


def assemble_written(source: Source, before: Distilled, given: Mapping[str, Any], *, refresh: bool = False) -> Built:
    """The digest with what somebody wrote about it."""
    distilled = Distilled() if refresh else before
    digest = source.assemble(distilled)
    taken = take_written(digest, without_lost_sections(distilled, digest), given)
    built = source.assemble(taken.distilled)
    return Built(built, taken.distilled, refused=taken.refused)


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


def _batches(sections: Sequence[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    batch: list[dict[str, Any]] = []
    size = 0
    for section in sections:
        length = len(section["text"].encode())
        if batch and size + length > REQUEST_BYTES:
            yield batch
            batch, size = [], 0
        batch.append(section)
        size += length
    if batch:
        yield batch
