"""Which id each note of a source has, dealt anew only where notes came or went."""

from collections.abc import Collection, Mapping, Sequence, Set
from dataclasses import dataclass

from loreweave.entities.graph_rows import GraphRow
from loreweave.entities.note import NOTE, SourceListing, Warning
from loreweave.entities.note_rows import KnownFile
from loreweave.errors import NoMarkdown
from loreweave.knowledge.graph.compare_source import Difference
from loreweave.knowledge.graph.graph_report import stored_id_warnings
from loreweave.knowledge.graph.node_ids import deal_ids


@dataclass(frozen=True, slots=True)
class SettledIds:
    of_path: Mapping[str, str | None]  # of every note to be read, at least
    moved: Sequence[tuple[str, KnownFile]]  # new ids of notes that were there before
    new: Set[str]  # ids that the revision before did not have
    warnings: Sequence[Warning]


def settle_ids(
    graph: GraphRow, listing: SourceListing, known: Mapping[str, KnownFile], difference: Difference
) -> SettledIds:
    """Ids depend on paths alone: where the paths are the same, so are the ids."""
    came_or_went = difference.removed or any(
        file.before is None or (file.entry.kind == NOTE and file.before.node_id is None) for file in difference.to_read
    )
    warnings = None if came_or_went or graph.kind != "skill" else stored_id_warnings(graph)
    if warnings is not None:
        of_path = {file.entry.path: file.before.node_id for file in difference.to_read if file.before}
        return SettledIds(of_path, (), frozenset(), warnings)
    return _dealt([entry.path for entry in listing.entries if entry.kind == NOTE], known, difference.hashes)


def _dealt(notes: Sequence[str], known: Mapping[str, KnownFile], readable: Collection[str]) -> SettledIds:
    ids, warnings = deal_ids([path for path in notes if path in readable])
    if not ids:
        raise NoMarkdown("None of the markdown files can be read.")
    moved = [(ids[path], file) for path, file in known.items() if path in ids and ids[path] != file.node_id]
    return SettledIds(ids, moved, set(ids.values()) - {file.node_id for file in known.values()}, warnings)
