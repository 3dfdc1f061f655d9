"""What differs between a source and the stored revision of its graph, which ids its notes have, and what the next
ingest need not read again."""

import hashlib
import json
import time
from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field

from loreweave.contracts.graph_reports import Changes
from loreweave.contracts.skill_graph import IngestWarning, PageSettings
from loreweave.entities.graph_rows import PREFIX
from loreweave.entities.note import NOTE, SourceEntry, SourceListing
from loreweave.entities.note_rows import KnownFile
from loreweave.errors import NoMarkdown, Unavailable
from loreweave.language.markdown.note_slugs import base_slug, deal_slugs

RACY_NS = 2_000_000_000  # a file changed this shortly before it was listed may change again within its time stamp
HELD_BYTES = 32 * 1024 * 1024  # of file content kept between hashing and reading; beyond it files are read again


@dataclass(slots=True)
class FileToRead:
    """A file that is new or has changed; `data` is None where it was too much to hold, and once it was read."""

    before: KnownFile | None
    entry: SourceEntry
    content_hash: str
    data: bytes | None


@dataclass(slots=True)
class Difference:
    to_read: list[FileToRead] = field(default_factory=list)
    hashes: dict[str, str] = field(default_factory=dict)  # of every file of the source, by path
    removed: list[KnownFile] = field(default_factory=list)
    restamped: list[KnownFile] = field(default_factory=list)  # the same content at another time
    warnings: list[IngestWarning] = field(default_factory=list)

    @property
    def changes(self) -> Changes:
        added = sum(1 for file in self.to_read if file.before is None)
        return Changes(
            added=added,
            changed=len(self.to_read) - added,
            removed=len(self.removed),
            unchanged=len(self.hashes) - len(self.to_read),
        )

    @property
    def new_times(self) -> list[tuple[int, int | None, int]]:
        """(size, mtime_ns, note key) of the files that were only seen at another time."""
        return [(file.size, file.mtime_ns, file.note_key) for file in self.restamped]

    @property
    def dead(self) -> list[tuple[int, int]]:
        """(note key, version) of the texts that this difference leaves behind."""
        old = [file.before for file in self.to_read if file.before] + self.removed
        return [(file.note_key, file.version) for file in old]


def compare_source(listing: SourceListing, known: Mapping[str, KnownFile]) -> Difference:
    """Reads and hashes a file only where its size or time say that it may have changed."""
    difference = Difference()
    hashes = difference.hashes
    trusted_before = time.time_ns() - RACY_NS
    held = 0
    for entry in listing.entries:
        path, _, size, mtime_ns, _ = entry
        before = known.get(path)
        if before and mtime_ns is not None and before.mtime_ns == mtime_ns and before.size == size:
            hashes[path] = before.content_hash
            continue
        try:
            data = entry.read()
        except Unavailable as trouble:
            difference.warnings.append(IngestWarning("unreadable", path, trouble.message))
            continue
        digest = hashes[path] = hashlib.sha256(data).hexdigest()
        stamp = mtime_ns if mtime_ns is not None and mtime_ns < trusted_before else None
        if before and before.content_hash == digest:
            if before.mtime_ns != stamp:
                difference.restamped.append(before._replace(size=len(data), mtime_ns=stamp))
            continue
        held += len(data)
        kept = data if held <= HELD_BYTES else None
        is_as_listed = (size, mtime_ns) == (len(data), stamp)
        changed = entry if is_as_listed else entry._replace(size=len(data), mtime_ns=stamp)
        difference.to_read.append(FileToRead(before, changed, digest, kept))
    if len(hashes) - sum(file.before is None for file in difference.to_read) < len(known):
        difference.removed = [file for path, file in known.items() if path not in hashes]
    return difference


def content_hash(hashes: dict[str, str], pages: PageSettings) -> str:
    """One hash for all that was read and how it is addressed; the same whatever kind of source it came from."""
    digest = hashlib.sha256(json.dumps(pages.model_dump(), sort_keys=True).encode())
    digest.update("".join([f"\0{path}\0{found}" for path, found in sorted(hashes.items())]).encode())
    return digest.hexdigest()


@dataclass(frozen=True, slots=True)
class SettledIds:
    of_path: Mapping[str, str]
    moved: Sequence[tuple[str, KnownFile]]  # new ids of notes that were there before
    new: Set[str]  # ids that the revision before did not have
    warnings: Sequence[IngestWarning]


def settle_ids(listing: SourceListing, known: Mapping[str, KnownFile], readable: Collection[str]) -> SettledIds:
    """Ids depend on paths alone: where the paths are the same, so are the ids."""
    ids, warnings = deal_ids([entry.path for entry in listing.entries if entry.kind == NOTE and entry.path in readable])
    if not ids:
        raise NoMarkdown("None of the markdown files can be read.")
    moved = [(ids[path], file) for path, file in known.items() if path in ids and ids[path] != file.node_id]
    return SettledIds(ids, moved, set(ids.values()) - {file.node_id for file in known.values()}, warnings)


def deal_ids(paths: Iterable[str]) -> tuple[dict[str, str], list[IngestWarning]]:
    """An id for every path, and a warning for each whose short one was taken."""
    slugs, late = deal_slugs(paths)
    ids = {path: PREFIX + dealt for path, dealt in slugs.items()}
    warnings = [
        IngestWarning("duplicate_id", path, f"another note is called {base_slug(path)}; this one goes by {ids[path]}")
        for path in late
    ]
    return ids, warnings
