"""Reading many documents at once: the work is cut into chunks that any map can run."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from loreweave.entities.digest import DigestSettings
from loreweave.knowledge.asking.digest.page_record import EXTRACTOR, TERMS, pack_record, record_page
from loreweave.knowledge.asking.digest.without_collection import without_collection
from loreweave.knowledge.asking.parallel_run import Run

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
