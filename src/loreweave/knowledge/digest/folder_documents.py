"""The documents of a folder, read without any store."""

import hashlib
import json
import os
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from loreweave.entities.digest import DigestSettings, PageRecord
from loreweave.entities.note import DIGEST
from loreweave.errors import Unavailable
from loreweave.index.bulk_work import Run
from loreweave.knowledge.digest.build_digest import Source
from loreweave.knowledge.documents.folder import list_folder
from loreweave.knowledge.documents.page_record import record_pages, unpack_record
from loreweave.language.markdown.decode_text import decode_text
from loreweave.private_folder import FILE_MODE, private_folder
from loreweave.seams.host.walk_below import replace_file

_FORMAT = 1
_LEVEL = 1  # fast


@dataclass(frozen=True, slots=True)
class CachedRecord:
    hash: str  # of the document's bytes
    compressed: bytes

    @property
    def packed(self) -> bytes:
        return zlib.decompress(self.compressed)


def cached_record(found: str, packed: bytes) -> CachedRecord:
    return CachedRecord(found, zlib.compress(packed, _LEVEL))


def load_records(file: Path, reader: str) -> dict[str, CachedRecord]:
    """By path; nothing where there is no cache, or one of another reader or format."""
    try:
        head, _, body = file.read_bytes().partition(b"\n")
        known = json.loads(head)
        if known["format"] != _FORMAT or known["reader"] != reader or known["check"] != zlib.crc32(body):
            return {}
        records = {}
        here = 0
        for path, found, length in known["records"]:
            records[path] = CachedRecord(found, body[here : here + length])
            here += length
    except (OSError, ValueError, KeyError, TypeError):
        return {}
    return records


def keep_records(file: Path, reader: str, records: Mapping[str, CachedRecord]) -> None:
    """A cache that cannot be written is no failure: the next build reads again."""
    body = b"".join(record.compressed for record in records.values())
    head = {
        "format": _FORMAT,
        "reader": reader,
        "check": zlib.crc32(body),
        "records": [[path, record.hash, len(record.compressed)] for path, record in records.items()],
    }
    try:
        private_folder(file.parent)
        replace_file(file, json.dumps(head).encode() + b"\n" + body, FILE_MODE)
    except (OSError, Unavailable):
        return


@dataclass(frozen=True, slots=True)
class FolderDocuments:
    texts: dict[str, str]  # sources by path
    hashes: dict[str, str]  # of the files' bytes, by path
    committed: bytes | None  # the digest file among them


def read_folder(path: Path, tell: Callable[[str], None]) -> FolderDocuments:
    """Every document below the folder; what cannot be read is told and left out."""
    listing = list_folder(path)
    for warning in listing.warnings:
        tell(f"{warning.file}: {warning.message}")
    found = FolderDocuments({}, {}, None)
    committed = None
    for entry in listing.entries:
        try:
            data = entry.read()
        except Unavailable as trouble:
            tell(trouble.message)
            continue
        if entry.kind == DIGEST:
            committed = data
        else:
            found.texts[entry.path] = decode_text(data)[0]
            found.hashes[entry.path] = hashlib.sha256(data).hexdigest()
    return FolderDocuments(found.texts, found.hashes, committed)


def record_folder(documents: FolderDocuments, settings: DigestSettings, cache: Path | None, run: Run = map) -> Source:
    """What each document says; taken from the cache where the same file was read before."""
    reader = settings.reader
    kept = load_records(cache, reader) if cache else {}
    hashes = documents.hashes
    records = {path: record for path, record in kept.items() if hashes.get(path) == record.hash}
    missing = [(path, text) for path, text in documents.texts.items() if path not in records]
    for chunk in record_pages(missing, settings, run):
        records |= {path: cached_record(hashes[path], packed) for path, packed in chunk}
    if cache and records != kept:
        keep_records(cache, reader, records)
    read: dict[str, PageRecord] = {path: unpack_record(records[path].packed) for path in documents.texts}
    return Source(read, settings, documents.texts.__getitem__)


def cache_file(folder: Path | None, root: Path, suffix: str) -> Path | None:
    """Where something of one root is kept among that of others."""
    if folder is None:
        return None
    return folder / f"{hashlib.sha256(os.fsencode(os.path.realpath(root))).hexdigest()[:32]}{suffix}"
