"""A ZIP file as a source: read from memory, never unpacked to disk, and never trusted."""

import stat
import time
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from loreweave.entities.note import NOTE, SourceEntry, SourceListing, Warning
from loreweave.errors import BadArchive, NoMarkdown
from loreweave.knowledge.documents.source_paths import (
    ReadingLimits,
    Root,
    clean_path,
    clean_subdirectory,
    find_root,
    first_name,
    kind_of,
    shown,
)
from loreweave.knowledge.documents.zip_directory import ZipMember, read_directory, refuse
from loreweave.language.markdown.note_slugs import is_ignored

STORED, DEFLATED = 0, 8
_CHUNK = 64 * 1024
_ENCRYPTED = 0x1 | 0x40 | 0x2000  # by password, strongly, with hidden headers
_PATCH = 0x20
# Deflate can spend megabytes on blocks that yield nothing; honest data takes a tenth of this or less.
_PATIENCE_SECONDS, _SLOWEST_BYTES_PER_SECOND = 0.25, 20_000_000


class Unpacker:
    """Unpacks entries of one archive against one running total."""

    def __init__(self, data: bytes, limits: ReadingLimits) -> None:
        self._data = memoryview(data)
        self._limits = limits
        self._total = 0
        self._started = time.thread_time()  # work done, not time passed: a busy machine changes nothing

    def unpack(self, member: ZipMember) -> bytes:
        """The entry's bytes, or BadArchive; TooLarge once all entries together are too many."""
        if member.flags & _ENCRYPTED:
            refuse("A markdown file of the archive is encrypted")
        if member.flags & _PATCH or member.method not in (STORED, DEFLATED):
            refuse("A markdown file of the archive is compressed by a method other than deflate")
        packed = self._data[member.data_start : member.data_end]
        chunks: list[bytes | memoryview] = []
        size = checksum = 0
        for chunk in _inflate(packed) if member.method == DEFLATED else _slices(packed):
            size += len(chunk)
            checksum = zlib.crc32(chunk, checksum)
            if size > member.size:
                break
            self._count(len(chunk))
            chunks.append(chunk)
        if size != member.size or checksum != member.checksum:
            refuse("The size or checksum of a markdown file in the archive is wrong")
        return b"".join(chunks)

    def _count(self, size: int) -> None:
        self._total += size
        self._limits.check_markdown_bytes(self._total)
        spent = time.thread_time() - self._started
        if spent > _PATIENCE_SECONDS + self._total / _SLOWEST_BYTES_PER_SECOND:
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
        refuse("A markdown file of the archive is damaged")
    if not packed:
        return  # some writers mark even an empty file as deflated
    if not inflater.eof or inflater.unused_data or consumed != len(packed):
        refuse("The compressed size of a markdown file in the archive is wrong")


@dataclass(frozen=True, slots=True)
class HeldBytes:
    """The `read` of an entry whose bytes are already here."""

    data: bytes

    def __call__(self) -> bytes:
        return self.data


def read_archive(
    data: bytes,
    limits: ReadingLimits,
    *,
    stem: str | None = None,
    subdirectory: str | None = None,
    repository: str | None = None,
) -> SourceListing:
    """Everything usable in a ZIP file.

    `repository` names the repository an archive came from: its outermost folder is then always the wrapper.
    """
    below = clean_subdirectory(subdirectory)
    limits.check_zip_bytes(len(data))
    files = [member for member in read_directory(data, limits) if not _is_folder(member)]
    if not files:
        raise BadArchive("The archive holds no file", code="empty_archive")
    warnings: list[Warning] = []
    named = list(_safely_named(files, warnings))
    regular = [path for path, member in named if not _is_special(member)]
    root = find_root(regular, below, wrapped=repository is not None)
    chosen = _choose(named, root, below, warnings)
    entries = tuple(_unpacked(data, chosen, limits))
    return SourceListing(first_name(repository, root.wrapper, stem), entries, _in_order(warnings))


def _is_folder(member: ZipMember) -> bool:
    return member.name.endswith(("/", "\\")) or stat.S_ISDIR(member.mode)


def _is_special(member: ZipMember) -> bool:
    return stat.S_IFMT(member.mode) not in (0, stat.S_IFREG)


def _safely_named(files: Iterable[ZipMember], warnings: list[Warning]) -> Iterable[tuple[str, ZipMember]]:
    for member in files:
        path = clean_path(member.name)
        if path is None:
            message = "An entry whose name is no safe path was skipped"
            warnings.append(Warning("unsafe_path", shown(member.name), message))
        else:
            yield path, member


def _choose(
    named: Iterable[tuple[str, ZipMember]], root: Root, below: str | None, warnings: list[Warning]
) -> dict[str, tuple[str, ZipMember]]:
    """Path below the root → kind and the last entry of that path."""
    chosen: dict[str, tuple[str, ZipMember]] = {}
    for whole, member in named:
        inside = whole.startswith(root.prefix)
        if not inside and (below or not _is_special(member)):
            continue  # beside the wrapper nothing is read, but a link there is still told of
        path = whole[len(root.prefix) :] if inside else whole
        kind = kind_of(path)
        if _is_special(member):
            if kind or not is_ignored(path):
                warnings.append(Warning("symlink", shown(path), "A link or special file was skipped"))
        elif kind:
            if path in chosen:
                message = "The archive holds this path more than once; the last one counts"
                warnings.append(Warning("duplicate_entry", shown(path), message))
            chosen[path] = kind, member
    return chosen


def _unpacked(data: bytes, chosen: dict[str, tuple[str, ZipMember]], limits: ReadingLimits) -> Iterable[SourceEntry]:
    notes = sum(kind == NOTE for kind, _ in chosen.values())
    if not notes:
        raise NoMarkdown("The archive holds no usable markdown file")
    limits.check_files(notes)
    limits.check_markdown_bytes(sum(member.size for _, member in chosen.values()))
    unpacker = Unpacker(data, limits)
    for path in sorted(chosen):
        kind, member = chosen[path]
        content = unpacker.unpack(member)
        yield SourceEntry(path, kind, len(content), None, HeldBytes(content))


def _in_order(warnings: list[Warning]) -> tuple[Warning, ...]:
    return tuple(sorted(warnings, key=lambda warning: (warning.file, warning.code)))
