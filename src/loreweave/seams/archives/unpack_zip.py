"""Files out of a ZIP archive that is held in memory: never unpacked to disk, never trusted, never for long."""

import time
import zlib
from collections.abc import Callable, Iterator

from loreweave.seams.archives.zip_directory import ZipMember, refuse

STORED, DEFLATED = 0, 8
_CHUNK = 64 * 1024
_ENCRYPTED = 0x1 | 0x40 | 0x2000  # by password, strongly, with hidden headers
_PATCH = 0x20
# Deflate can spend megabytes on blocks that yield nothing; honest data takes a tenth of this or less.
_PATIENCE_SECONDS, _SLOWEST_BYTES_PER_SECOND = 0.25, 20_000_000


class Unpacker:
    """Unpacks entries of one archive against one running total, which `check_total` may refuse."""

    def __init__(self, data: bytes, check_total: Callable[[int], None]) -> None:
        self._data = memoryview(data)
        self._check_total = check_total
        self._total = 0
        self._spent = 0.0  # seconds of work, not of time passed: a busy machine changes nothing

    def unpack(self, member: ZipMember) -> bytes:
        """The entry's bytes, or BadArchive."""
        if member.flags & (_ENCRYPTED | _PATCH) or member.method not in (STORED, DEFLATED):
            refuse("A file of the archive is encrypted, or packed by a method other than deflate")
        started = time.thread_time() - self._spent
        packed = self._data[member.data_start : member.data_end]
        chunks: list[bytes | memoryview] = []
        size = checksum = 0
        for chunk in _inflate(packed) if member.method == DEFLATED else _slices(packed):
            size += len(chunk)
            checksum = zlib.crc32(chunk, checksum)
            if size > member.size:
                break
            self._count(len(chunk), started)
            chunks.append(chunk)
        if size != member.size or checksum != member.checksum:
            refuse("The size or checksum of a file in the archive is wrong")
        return b"".join(chunks)

    def _count(self, size: int, started: float) -> None:
        self._total += size
        self._check_total(self._total)
        self._spent = time.thread_time() - started
        if self._spent > _PATIENCE_SECONDS + self._total / _SLOWEST_BYTES_PER_SECOND:
            refuse("The archive takes too much work for what it holds")


def _slices(packed: memoryview) -> Iterator[memoryview]:
    for at in range(0, len(packed), _CHUNK):
        yield packed[at : at + _CHUNK]


def _inflate(packed: memoryview) -> Iterator[bytes]:
    """Both input and output go in chunks: what zlib has not consumed yet is copied at every step."""
    inflater = zlib.decompressobj(-zlib.MAX_WBITS)
    consumed = 0
    try:
        for piece in _slices(packed):
            consumed += len(piece)
            rest: bytes | memoryview = piece
            full = True  # a full chunk may leave more behind even when all input is consumed
            while (rest or full) and not inflater.eof:
                chunk = inflater.decompress(rest, _CHUNK)
                yield chunk
                rest, full = inflater.unconsumed_tail, len(chunk) == _CHUNK
            if inflater.eof:
                break
    except zlib.error:
        refuse("A file of the archive is damaged")
    if not packed:
        return  # some writers mark even an empty file as deflated
    if not inflater.eof or inflater.unused_data or consumed != len(packed):
        refuse("The compressed size of a file in the archive is wrong")
