"""The table of contents of a ZIP file, read with distrust and within bounds.

The standard library builds its whole table before anyone can count it, cuts names at NUL and lets entries
share bytes; here every number is checked before it is used.
"""

import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Never

from loreweave.errors import BadArchive, TooLarge

_END = struct.Struct("<4s4H2LH")
_END64_LOCATOR = struct.Struct("<4sLQL")
_END64 = struct.Struct("<4sQ2H2L4Q")
_CENTRAL = struct.Struct("<4s6H3L5H2L")
_LOCAL = struct.Struct("<4s5H3L2H")
_END_SIGNATURE, _LOCATOR_SIGNATURE, _END64_SIGNATURE = b"PK\x05\x06", b"PK\x06\x07", b"PK\x06\x06"
_CENTRAL_SIGNATURE, _LOCAL_SIGNATURE = b"PK\x01\x02", b"PK\x03\x04"
_MAX_COMMENT = 0xFFFF
_MAX_EXTRA_FIELDS = 64  # honest entries have a handful, hostile ones ten thousand empty ones
_FULL16, _FULL32 = 0xFFFF, 0xFFFFFFFF
_UTF8_NAMES, _HAS_DESCRIPTOR = 0x800, 0x8
_ZIP64_FIELD, _UNICODE_NAME_FIELD = 0x0001, 0x7075


@dataclass(frozen=True, slots=True)
class ZipMember:
    """One entry as the table has it, with the place of its data confirmed by its local header."""

    name: str  # decoded, otherwise as it stands: uncut, unchecked
    flags: int
    method: int
    checksum: int
    packed_size: int
    size: int
    mode: int  # Unix mode from the external attributes, 0 where none is given
    start: int  # first byte of the local header
    data_start: int

    @property
    def data_end(self) -> int:
        return self.data_start + self.packed_size


@dataclass(frozen=True, slots=True)
class _Table:
    """Where the central directory lies, and how far everything is shifted by bytes put before the archive."""

    start: int
    end: int
    count: int
    shift: int


def read_directory(data: bytes, most: int) -> list[ZipMember]:
    """All entries in the table's order, or BadArchive; TooLarge as soon as there are more than `most`."""
    table = _find_table(data)
    members = list(islice(_members(data, table), most + 1)) if table.count <= most else []
    if max(table.count, len(members)) > most:
        raise TooLarge(f"The archive holds more than {most:,} entries", what="entries", limit=most)
    if len(members) != table.count:
        refuse("The archive's table holds another number of entries than it declares")
    return members


def sharing_bytes(members: list[ZipMember]) -> set[int]:
    """Where entries begin that overlap: a small archive could be made of them that never ends."""
    found: set[int] = set()
    end, last = 0, -1
    for member in sorted(members, key=lambda member: member.start):
        if member.start < end:
            found |= {member.start, last}
        if member.data_end > end:
            end, last = member.data_end, member.start
    return found


def refuse(message: str) -> Never:
    raise BadArchive(message)


def _find_table(data: bytes) -> _Table:
    """The one table whose end record reaches exactly to the end of the data."""
    tables = [table for position in _end_positions(data) if (table := _table_at(data, position)) is not None]
    # A comment may hold an end record of its own; an empty table is then the likelier forgery.
    tables = [table for table in tables if table.count] or tables[:1]
    if not tables:
        refuse("The file is not a complete ZIP archive")
    if len(tables) > 1:
        refuse("The archive has two tables of contents")
    table = tables[0]
    if table.shift and data.startswith(_LOCAL_SIGNATURE):
        refuse("The archive begins with another archive that is cut off")
    return table


def _end_positions(data: bytes) -> Iterator[int]:
    lowest = max(0, len(data) - _END.size - _MAX_COMMENT)
    position = data.rfind(_END_SIGNATURE, lowest)
    while position >= 0:
        comment_at = position + _END.size
        if comment_at <= len(data):
            (comment_size,) = struct.unpack_from("<H", data, comment_at - 2)
            if comment_at + comment_size == len(data):
                yield position
        position = data.rfind(_END_SIGNATURE, lowest, position + len(_END_SIGNATURE) - 1)


def _table_at(data: bytes, position: int) -> _Table | None:
    _, disk, table_disk, count_here, count, size, offset, _ = _END.unpack_from(data, position)
    end = position
    wide = _wide_end(data, position)
    if wide is not None:
        end, wide_count, wide_size, wide_offset = wide
        narrow = ((count, wide_count, _FULL16), (size, wide_size, _FULL32), (offset, wide_offset, _FULL32))
        if any(small not in (large, full) for small, large, full in narrow):
            return None
        count, size, offset = wide_count, wide_size, wide_offset
    elif disk or table_disk or count_here != count:
        return None
    start, shift = end - size, end - size - offset
    if start < 0 or shift < 0 or (count and data[start : start + 4] != _CENTRAL_SIGNATURE):
        return None
    return _Table(start, end, count, shift)


def _wide_end(data: bytes, position: int) -> tuple[int, int, int, int] | None:
    """Position, count, size and offset from the 64-bit end record, if the archive has one."""
    locator_at = position - _END64_LOCATOR.size
    if locator_at < 0:
        return None
    signature, _, stated, disks = _END64_LOCATOR.unpack_from(data, locator_at)
    if signature != _LOCATOR_SIGNATURE or disks > 1:
        return None
    latest = locator_at - _END64.size
    for record_at in (latest, stated):  # what it states is off where bytes stand before the archive
        if 0 <= record_at <= latest:
            signature, *_, disks, table_disk, here, count, size, offset = _END64.unpack_from(data, record_at)
            if signature == _END64_SIGNATURE and not disks and not table_disk and here == count:
                return record_at, count, size, offset
    return None


def _members(data: bytes, table: _Table) -> Iterator[ZipMember]:
    at = table.start
    while at < table.end:
        if at + _CENTRAL.size > table.end:
            refuse("The archive's table is cut off")
        fields = _CENTRAL.unpack_from(data, at)
        name_at = at + _CENTRAL.size
        extra_at = name_at + fields[10]
        comment_at = extra_at + fields[11]
        at = comment_at + fields[12]
        if fields[0] != _CENTRAL_SIGNATURE or at > table.end:
            refuse("The archive's table is damaged")
        yield _member(data, table, fields, data[name_at:extra_at], data[extra_at:comment_at])


def _member(data: bytes, table: _Table, fields: tuple, raw_name: bytes, extra: bytes) -> ZipMember:
    _, _, _, flags, method, _, _, checksum, packed, size, *_, disk, _, attributes, offset = fields
    extras = dict(_extra_fields(extra))
    if _FULL32 in (size, packed, offset):
        size, packed, offset = _wide_numbers(extras.get(_ZIP64_FIELD, b""), size, packed, offset)
    if disk not in (0, _FULL16):
        refuse("The archive is one of several parts")
    start = table.shift + offset
    name = _decoded(raw_name, flags, extras)
    data_start = _confirm_local(data, table, start, raw_name, (flags, method, checksum, packed, size))
    return ZipMember(name, flags, method, checksum, packed, size, attributes >> 16, start, data_start)


def _extra_fields(extra: bytes) -> Iterator[tuple[int, bytes]]:
    at = 0
    for _ in range(_MAX_EXTRA_FIELDS):
        if at + 4 > len(extra):
            return
        tag, length = struct.unpack_from("<HH", extra, at)
        if at + 4 + length > len(extra):
            return
        yield tag, extra[at + 4 : at + 4 + length]
        at += 4 + length


def _wide_numbers(field: bytes, *numbers: int) -> Iterator[int]:
    """Replaces each number that is full to the brim by the next one of the 64-bit field."""
    at = 0
    for number in numbers:
        if number == _FULL32:
            if at + 8 > len(field):
                refuse("The archive lacks the sizes of a large entry")
            (number,) = struct.unpack_from("<Q", field, at)
            at += 8
        yield number


def _decoded(raw: bytes, flags: int, extras: dict[int, bytes]) -> str:
    """A name without the UTF-8 flag may have its Unicode form beside it, valid only for these very bytes."""
    field = extras.get(_UNICODE_NAME_FIELD, b"")
    belongs = field[:5] == b"\x01" + zlib.crc32(raw).to_bytes(4, "little")
    candidates = [raw] if flags & _UTF8_NAMES or not belongs else [field[5:], raw]
    for candidate in candidates:
        try:
            return candidate.decode("utf-8")
        except UnicodeDecodeError:
            continue
    return raw.decode("cp437")


def _confirm_local(data: bytes, table: _Table, start: int, raw_name: bytes, stated: tuple[int, ...]) -> int:
    """Where the entry's data begins; refused when the entry itself tells another story than the table."""
    if start + _LOCAL.size > table.start:
        refuse("An entry of the archive lies outside of it")
    signature, _, flags, method, _, _, *numbers, name_size, extra_size = _LOCAL.unpack_from(data, start)
    name_end = start + _LOCAL.size + name_size
    if signature != _LOCAL_SIGNATURE or data[start + _LOCAL.size : name_end] != raw_name:
        refuse("The archive's table points to something else than an entry")
    if method != stated[1] or (flags ^ stated[0]) & 1:
        refuse("An entry and the archive's table disagree about its method")
    if not flags & _HAS_DESCRIPTOR:
        pairs = zip(numbers, stated[2:], strict=True)
        if any(number not in (0, _FULL32, known) for number, known in pairs):
            refuse("An entry and the archive's table disagree about its size or checksum")
    data_start = name_end + extra_size
    if data_start + stated[3] > table.start:
        refuse("An entry of the archive is cut off")
    return data_start
