"""The Markdown files of a folder or of a ZIP archive, each read when its turn comes."""

import io
import os
import stat
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from loreweave.contracts.argument_values import refusal
from loreweave.errors import BadArchive, InvalidInput, NotFound
from loreweave.memory.markdown.read_memory_file import MOST_FILE_BYTES, SourceFile, is_memory_name, shown_path

_FLAGS = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)


@dataclass(frozen=True, slots=True)
class _FileReader:
    place: str

    def __call__(self) -> bytes:
        try:
            with open(os.open(self.place, _FLAGS), "rb", buffering=0) as stream:
                if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
                    raise refusal("file", "It is a link or a special file, which is not read")
                return stream.read(MOST_FILE_BYTES + 1)
        except OSError as trouble:
            raise refusal("file", f"The file cannot be read: {trouble.strerror}") from None


@dataclass(frozen=True, slots=True)
class _Refused:
    sentence: str

    def __call__(self) -> bytes:
        raise refusal("file", self.sentence)


def list_memory_folder(folder: Path) -> list[SourceFile]:
    """In the order of their paths. What looks like a memory and cannot be read is listed too, and says so then."""
    root = _existing_folder(folder)
    return sorted(_walk(root), key=lambda file: file.path)


def _existing_folder(folder: Path) -> str:
    shown = shown_path(str(folder))
    try:
        if not stat.S_ISDIR(os.stat(folder).st_mode):
            raise InvalidInput(f"{shown} is not a folder", field="path")
        return os.path.realpath(folder)
    except (FileNotFoundError, NotADirectoryError):
        raise NotFound(f"There is no folder {shown}", field="path") from None
    except (OSError, ValueError) as trouble:
        raise InvalidInput(f"The folder {shown} cannot be read: {trouble}", field="path") from trouble


def _walk(root: str) -> Iterator[SourceFile]:
    folders = [""]
    while folders:
        below = folders.pop()
        try:
            with os.scandir(os.path.join(root, below)) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False) and not entry.name.startswith("."):
                        folders.append(f"{below}{entry.name}/")
                    elif is_memory_name(entry.name) or (entry.is_symlink() and entry.is_dir()):
                        yield _file(root, below + entry.name, is_link=entry.is_symlink())
        except OSError as trouble:
            yield SourceFile(below.rstrip("/"), _Refused(f"The folder cannot be read: {trouble.strerror}"))


def _file(root: str, path: str, *, is_link: bool) -> SourceFile:
    return SourceFile(path, _Refused("A link is not followed") if is_link else _FileReader(os.path.join(root, path)))


MOST_UNPACKED = 1 << 30  # bytes of all files together
MOST_PACKED = MOST_FILE_BYTES + 64 * 1024  # of one file: deflate hardly ever makes a text longer
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_ENCRYPTED = 0x1


@dataclass(slots=True)
class _Unpacker:
    archive: zipfile.ZipFile
    total: int = field(default=0)

    def unpack(self, member: zipfile.ZipInfo) -> bytes:
        if member.file_size > MOST_FILE_BYTES or member.compress_size > MOST_PACKED:
            raise refusal("file", f"The file is larger than {MOST_FILE_BYTES} bytes")
        if member.flag_bits & _ENCRYPTED or member.compress_type not in _METHODS:
            raise refusal("file", "The file is encrypted, or packed by a method other than deflate")
        if self.total + member.file_size > MOST_UNPACKED:
            raise refusal("file", f"The archive holds more than {MOST_UNPACKED} bytes")
        self.total += member.file_size
        try:
            with self.archive.open(member) as stream:
                data = stream.read(member.file_size + 1)
        except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, NotImplementedError, OSError, ValueError):
            raise refusal("file", "The file is damaged in the archive") from None
        if len(data) != member.file_size:
            raise refusal("file", "The size of the file is wrong in the archive")
        return data


@dataclass(frozen=True, slots=True)
class _MemberReader:
    unpacker: _Unpacker
    member: zipfile.ZipInfo
    sentence: str | None  # why it is not read

    def __call__(self) -> bytes:
        if self.sentence is not None:
            raise refusal("file", self.sentence)
        return self.unpacker.unpack(self.member)


def list_memory_zip(data: bytes) -> list[SourceFile]:
    """In the order of their paths."""
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except (zipfile.BadZipFile, zipfile.LargeZipFile, ValueError, OSError, NotImplementedError):
        raise BadArchive("The file is not a complete ZIP archive") from None
    unpacker = _Unpacker(archive)
    shared = _sharing(archive.infolist())
    files = []
    last = {_path(member): member for member in archive.infolist()}
    for member in archive.infolist():
        path = _path(member)
        if member.is_dir() or not is_memory_name(_without_folders_up(path)):
            continue
        refused = _refused(member, path, shared)
        if last[path] is not member:
            refused = "The archive holds this path more than once; the last one counts"
        files.append(SourceFile(path, _MemberReader(unpacker, member, refused)))
    return sorted(files, key=lambda file: file.path)


def _path(member: zipfile.ZipInfo) -> str:
    return member.filename.replace("\\", "/")


def _without_folders_up(path: str) -> str:
    """Hidden places are passed over in silence; ways out of the archive are named."""
    return "/".join(part for part in path.split("/") if part not in ("", ".", ".."))


def _refused(member: zipfile.ZipInfo, path: str, shared: set[int]) -> str | None:
    if path.startswith("/") or path[1:2] == ":" or ".." in path.split("/"):
        return "The name leads out of the archive"
    if stat.S_IFMT(member.external_attr >> 16) not in (0, stat.S_IFREG):
        return "A link is not followed"
    return "The file shares bytes with another one of the archive" if member.header_offset in shared else None


def _sharing(members: list[zipfile.ZipInfo]) -> set[int]:
    """Where entries begin that overlap: a small archive could be made of them that never ends."""
    found = set()
    end, last = 0, -1
    for member in sorted(members, key=lambda member: member.header_offset):
        if member.header_offset < end:
            found |= {member.header_offset, last}
        here = member.header_offset + zipfile.sizeFileHeader + member.compress_size  # type: ignore[attr-defined]
        if here > end:
            end, last = here, member.header_offset
    return found
