"""What a graph is called: the first name that leaves something once it is made a slug."""

from loreweave.language.slug import slug

MAX_LENGTH = 200  # characters of a graph id


def graph_id(name: str | None, source_name: str | None) -> str:
    """The id of the graph ingested under `name` from a source that calls itself `source_name`."""
    return _short(slug(name or "") or slug(source_name or "")) or "graph"


def _short(name: str) -> str:
    """Cut at a word, so that an id can always be asked for again."""
    if len(name) <= MAX_LENGTH:
        return name
    cut = name[:MAX_LENGTH]
    return cut.rpartition("-")[0] or cut


def first_name(*names: str | None) -> str:
    """The first of several names that can name a graph, "" when none can."""
    return next((name for name in names if name and slug(name)), "")


def archive_stem(filename: str | None) -> str | None:
    """The stem of an uploaded file's name, whatever folders a browser or a stranger put before it."""
    base = (filename or "").replace("\\", "/").rpartition("/")[2]
    return (base[:-4] if base.lower().endswith(".zip") else base) or None
