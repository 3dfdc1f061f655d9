"""Which id each note has."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from loreweave.language.markdown.note_slugs import base_slug, deal_slugs

if TYPE_CHECKING:
    from loreweave.entities.note import Warning

PREFIX = "skill:"


def deal_ids(paths: Iterable[str]) -> "tuple[dict[str, str], list[Warning]]":
    """An id for every path, and a warning for each whose short one was taken."""
    from loreweave.entities.note import Warning  # readers of a graph need the prefix alone

    slugs, late = deal_slugs(paths)
    ids = {path: PREFIX + dealt for path, dealt in slugs.items()}
    warnings = [
        Warning("duplicate_id", path, f"another note is called {base_slug(path)}; this one goes by {ids[path]}")
        for path in late
    ]
    return ids, warnings
