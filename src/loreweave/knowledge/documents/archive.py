"""A ZIP file as a source: read from memory, never unpacked to disk, and never trusted."""

import stat
from collections.abc import Iterable
from functools import partial

from loreweave.contracts.skill_graph import IngestWarning
from loreweave.entities.note import NOTE, SourceEntry, SourceListing
from loreweave.errors import BadArchive, NoMarkdown
from loreweave.knowledge.documents.source_paths import (
    ReadingLimits,
    Root,
    clean_path,
    clean_subdirectory,
    find_root,
    first_name,
    in_order,
    kind_of,
    shown,
)
from loreweave.language.markdown.note_slugs import PASSED_OVER, is_ignored
from loreweave.seams.archives.unpack_zip import Unpacker
from loreweave.seams.archives.zip_directory import ZipMember, read_directory, refuse, sharing_bytes


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
    limits.check("zip_bytes", len(data))
    members = read_directory(data, limits.max_entries)
    if sharing_bytes(members):
        refuse("Two entries of the archive share bytes")
    files = [member for member in members if not (member.name.endswith(("/", "\\")) or stat.S_ISDIR(member.mode))]
    if not files:
        raise BadArchive("The archive holds no file", code="empty_archive")
    warnings: list[IngestWarning] = []
    named = list(_safely_named(files, warnings))
    regular = [path for path, member in named if not _is_special(member)]
    root = find_root(regular, below, wrapped=repository is not None)
    chosen = _choose(named, root, below, warnings)
    entries = tuple(_unpacked(data, chosen, limits))
    return SourceListing(first_name(repository, root.wrapper, stem), entries, in_order(warnings))


def _is_special(member: ZipMember) -> bool:
    return stat.S_IFMT(member.mode) not in (0, stat.S_IFREG)


def _safely_named(files: Iterable[ZipMember], warnings: list[IngestWarning]) -> Iterable[tuple[str, ZipMember]]:
    for member in files:
        path = clean_path(member.name)
        if path is None:
            message = "An entry whose name is no safe path was skipped"
            warnings.append(IngestWarning("unsafe_path", shown(member.name), message))
        else:
            yield path, member


def _choose(
    named: Iterable[tuple[str, ZipMember]], root: Root, below: str | None, warnings: list[IngestWarning]
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
                warnings.append(IngestWarning("symlink", shown(path), "A link or special file was skipped"))
        elif kind:
            if path in chosen:
                message = "The archive holds this path more than once; the last one counts"
                warnings.append(IngestWarning("duplicate_entry", shown(path), message))
            chosen[path] = kind, member
    return chosen


def _unpacked(data: bytes, chosen: dict[str, tuple[str, ZipMember]], limits: ReadingLimits) -> Iterable[SourceEntry]:
    notes = sum(kind == NOTE for kind, _ in chosen.values())
    if not notes:
        raise NoMarkdown(f"The archive holds no usable markdown file; {PASSED_OVER}")
    limits.check("files", notes)
    limits.check("markdown_bytes", sum(member.size for _, member in chosen.values()))
    unpacker = Unpacker(data, partial(limits.check, "markdown_bytes"))
    for path in sorted(chosen):
        kind, member = chosen[path]
        content = unpacker.unpack(member)
        yield SourceEntry(path, kind, len(content), None, partial(bytes, content))
