"""The content of one ZIP entry, unpacked in small steps and never beyond what was declared and allowed."""

import zlib
from collections.abc import Iterator

from loreweave.knowledge.reading.limits import Limits
from loreweave.knowledge.reading.zip_directory import ZipMember, refuse

STORED, DEFLATED = 0, 8
_CHUNK = 64 * 1024
_ENCRYPTED = 0x1 | 0x40 | 0x2000  # by password, strongly, with hidden headers
_PATCH = 0x20


def unpack(data: bytes, member: ZipMember, limits: Limits, before: int) -> bytes:
    """The entry's bytes, or BadArchive; TooLarge as soon as they and the `before` bytes read earlier exceed it."""
    if member.flags & _ENCRYPTED:
        refuse("A markdown file of the archive is encrypted")
    if member.flags & _PATCH or member.method not in (STORED, DEFLATED):
        refuse("A markdown file of the archive is compressed by a method other than deflate")
    packed = memoryview(data)[member.data_start : member.data_end]
    chunks: list[bytes] = []
    size = checksum = 0
    for chunk in _inflate(packed) if member.method == DEFLATED else _slices(packed):
        size += len(chunk)
        checksum = zlib.crc32(chunk, checksum)
        if size > member.size:
            break
        limits.check_markdown_bytes(before + size)
        chunks.append(bytes(chunk))
    if size != member.size or checksum != member.checksum:
        refuse("The size or checksum of a markdown file in the archive is wrong")
    return b"".join(chunks)


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
            while rest and not inflater.eof:
                yield inflater.decompress(rest, _CHUNK)
                rest = inflater.unconsumed_tail
            if inflater.eof:
                break
    except zlib.error:
        refuse("A markdown file of the archive is damaged")
    if not inflater.eof or inflater.unused_data or consumed != len(packed):
        refuse("The compressed size of a markdown file in the archive is wrong")
