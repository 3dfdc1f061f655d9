"""The index of a folder's digest, kept from one build to the next beside what was read out of the documents."""

import zlib
from contextlib import suppress
from pathlib import Path

from loreweave.entities.digest import Digest
from loreweave.errors import Unavailable
from loreweave.knowledge.asking.digest.replace_file import replace_file
from loreweave.knowledge.asking.index_digest import IndexedDigest, index_digest, stored_index
from loreweave.knowledge.asking.search.index_file import dump, load
from loreweave.knowledge.asking.search.section_index import SectionIndex
from loreweave.private_folder import FILE_MODE, private_folder

_CHECK_BYTES = 4


def index_folder(digest: Digest, cache: Path | None) -> SectionIndex:
    """By words alone. `cache` is the file of the index; None where nothing is kept."""
    made = index_digest(digest, None, _load(cache) if cache else None)
    if cache and made.is_stale:
        data = dump(made.index)
        with suppress(OSError, Unavailable):  # a cache that cannot be written is no failure: the next build reads again
            private_folder(cache.parent)
            replace_file(cache, zlib.crc32(data).to_bytes(_CHECK_BYTES, "big") + data, FILE_MODE)
    return made.index


def _load(cache: Path) -> IndexedDigest | None:
    with suppress(OSError, ValueError):  # none, or of another version
        data = cache.read_bytes()
        check, content = data[:_CHECK_BYTES], data[_CHECK_BYTES:]
        if int.from_bytes(check, "big") == zlib.crc32(content):
            return stored_index(load(content))
    return None
