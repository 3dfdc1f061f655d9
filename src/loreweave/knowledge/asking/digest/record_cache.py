"""What was read out of a folder's documents, kept from one build to the next: a build reads only what changed."""

import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from loreweave.errors import Unavailable
from loreweave.knowledge.asking.digest.replace_file import remove_leftovers, replace_file
from loreweave.private_folder import FILE_MODE, private_folder

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
        remove_leftovers(file)
        replace_file(file, json.dumps(head).encode() + b"\n" + body, FILE_MODE)
    except (OSError, Unavailable):
        return
