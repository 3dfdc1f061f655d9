"""`lore watch`: the folder as it is, then every change once it has settled."""

import signal
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

from watchfiles import Change, watch

from loreweave.contracts.wire import to_json
from loreweave.errors import LoreError, NoMarkdown, NotFound
from loreweave.faces.cli.printing import say, write

if TYPE_CHECKING:
    from loreweave.application import Application

SETTLE = 300  # milliseconds without a further change
AT_MOST = 3_000  # milliseconds after which changes are read even if more keep coming


def watch_folder(application: "Application", folder: Path, name: str | None) -> None:
    """Watching begins before the first ingest, so that no change falls between the two."""
    root = folder.resolve()
    if not root.is_dir():
        raise NotFound(f"There is no folder {folder}")
    stop = Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    moments = watch(
        root,
        watch_filter=lambda change, path: _matters(change, Path(path), root),
        step=SETTLE,
        debounce=AT_MOST,
        rust_timeout=SETTLE,
        yield_on_timeout=True,  # also when nothing changed: the first such moment is the first ingest
        stop_event=stop,
        raise_interrupt=False,
    )
    revision: int | None = None
    for changes in moments:
        if changes or revision is None:
            revision = _ingest(application, root, name, revision)


def _matters(change: Change, path: Path, root: Path) -> bool:
    """Nothing below a dot name is ever read."""
    try:
        return not any(part.startswith(".") for part in path.relative_to(root).parts)
    except ValueError:
        return True


def _ingest(application: "Application", root: Path, name: str | None, before: int | None) -> int | None:
    """Ingests and prints a line when there is a new revision; answers the revision that stands."""
    try:
        answer = application.graphs.ingest_folder(root, name=name)
    except (NoMarkdown, NotFound) as refusal:
        if before is None:
            raise
        say(f"{refusal.message}; revision {before} is kept")
        return before
    except LoreError as refusal:
        if before is None:
            raise
        say(f"error: {refusal.message}")
        return before
    if answer.revision != before:
        write(to_json(answer))
    return answer.revision
