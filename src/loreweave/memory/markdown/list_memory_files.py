"""The Markdown files of a folder or of a ZIP archive, each read when its turn comes."""

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from loreweave.contracts.argument_values import refusal
from loreweave.errors import BadArchive, LoreError
from loreweave.memory.markdown.read_memory_file import MOST_FILE_BYTES, SourceFile, is_memory_name
from loreweave.seams.archives.unpack_zip import Unpacker
from loreweave.seams.archives.zip_directory import ZipMember, read_directory, sharing_bytes
from loreweave.seams.host.walk_below import existing_folder, read_below


@dataclass(frozen=True, slots=True)
class _FileReader:
    root: str
    path: str

    def __call__(self) -> bytes:
        try:
            return read_below(Path(self.root), self.path, MOST_FILE_BYTES + 1)
        except LoreError as trouble:
            raise refusal("file", f"The file cannot be read: {trouble.message}") from None


@dataclass(frozen=True, slots=True)
class _Refused:
    sentence: str

    def __call__(self) -> bytes:
        raise refusal("file", self.sentence)


def list_memory_folder(folder: Path) -> list[SourceFile]:
    """In the order of their paths. What looks like a memory and cannot be read is listed too, and says so then."""
    return sorted(_walk(existing_folder(folder)), key=lambda file: file.path)


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
                        path, is_link = below + entry.name, entry.is_symlink()
                        yield SourceFile(
                            path, _Refused("A link is not followed") if is_link else _FileReader(root, path)
                        )
        except OSError as trouble:
            yield SourceFile(below.rstrip("/"), _Refused(f"The folder cannot be read: {trouble.strerror}"))


MOST_UNPACKED = 1 << 30  # bytes of all files together
MOST_PACKED = MOST_FILE_BYTES + 64 * 1024  # of one file: deflate hardly ever makes a text longer


@dataclass(frozen=True, slots=True)
class _MemberReader:
    unpacker: Unpacker
    member: ZipMember

    def __call__(self) -> bytes:
        if self.member.size > MOST_FILE_BYTES or self.member.packed_size > MOST_PACKED:
            raise refusal("file", f"The file is larger than {MOST_FILE_BYTES:,} bytes")
        try:
            return self.unpacker.unpack(self.member)
        except BadArchive as trouble:
            raise refusal("file", trouble.message) from None


def _check_total(unpacked: int) -> None:
    if unpacked > MOST_UNPACKED:
        raise refusal("file", f"The archive holds more than {MOST_UNPACKED:,} bytes")


def list_memory_zip(data: bytes) -> list[SourceFile]:
    """In the order of their paths."""
    members = read_directory(data, len(data))
    unpacker, shared = Unpacker(data, _check_total), sharing_bytes(members)
    named = [(member.name.replace("\\", "/"), member) for member in members]
    last = dict(named)
    files = []
    for path, member in named:
        # Hidden places are passed over in silence; ways out of the archive are named.
        inside = "/".join(part for part in path.split("/") if part not in ("", ".", ".."))
        if path.endswith("/") or not is_memory_name(inside):
            continue
        refused = _refused(member, path, shared)
        if last[path] is not member:
            refused = "The archive holds this path more than once; the last one counts"
        files.append(SourceFile(path, _Refused(refused) if refused else _MemberReader(unpacker, member)))
    return sorted(files, key=lambda file: file.path)


def _refused(member: ZipMember, path: str, shared: set[int]) -> str | None:
    if path.startswith("/") or path[1:2] == ":" or ".." in path.split("/"):
        return "The name leads out of the archive"
    if stat.S_IFMT(member.mode) not in (0, stat.S_IFREG):
        return "A link is not followed"
    return "The file shares bytes with another one of the archive" if member.start in shared else None
