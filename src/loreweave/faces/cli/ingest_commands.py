"""Commands that make graphs: ingest a source once, or watch a folder and read every change once it has settled."""

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Annotated, Any

import typer

from loreweave.errors import InvalidInput, LoreError, NoMarkdown, NotFound
from loreweave.faces.cli.command_parts import BasePath, Data, Json, Name, Subdirectory, given, opened, say, show, write

if TYPE_CHECKING:
    from loreweave.application import Application
    from loreweave.contracts.graph_reports import IngestAnswer

Progress = Callable[[str, int, int], None]
TakeIn = Callable[["Application", Progress | None], "IngestAnswer"]


def add_to(app: typer.Typer) -> None:
    app.command()(ingest)
    app.command()(watch)


def ingest(
    source: Annotated[str, typer.Argument(metavar="PATH|FILE.zip|https://github.com/o/r", help="What to read.")],
    name: Name = None,
    branch: Annotated[str | None, typer.Option("--branch", metavar="B", help="Of a GitHub repository.")] = None,
    subdirectory: Subdirectory = None,
    base_path: BasePath = None,
    slug_scheme: Annotated[
        str | None, typer.Option("--slug-scheme", metavar="S", help="github, astro or mkdocs.")
    ] = None,
    heading_depth: Annotated[int | None, typer.Option("--heading-depth", metavar="N", help="2 to 6 (3).")] = None,
    data: Data = None,
    json: Json = False,
) -> None:
    """Read a folder, a ZIP or a GitHub repository into a graph."""
    pages = given(basePath=base_path, slugScheme=slug_scheme, headingDepth=heading_depth)
    fields = given(name=name, subdirectory=subdirectory)
    if not source:
        raise typer.BadParameter("name a folder, a ZIP or a GitHub address; . is this folder")
    if "://" in source:
        take_in = _from_github(source, given(branch=branch, **fields, **pages))
    elif branch is not None:
        raise typer.BadParameter("--branch is for a GitHub address")
    elif Path(source).is_file():
        _demand_archive(Path(source))
        take_in = _from_zip(Path(source), {**fields, **pages})
    else:
        take_in = _from_folder(Path(source), fields, pages)
    with opened(data, "made") as application, progress_bar() as progress:
        answer = take_in(application, progress)
    show(answer, json)


def watch(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder to watch.")],
    name: Name = None,
    data: Data = None,
    json: Json = False,
) -> None:
    """Ingest a folder, then re-ingest what changes."""
    from loreweave.contracts.skill_graph import FolderIngestRequest
    from loreweave.faces.request_values import read_request

    request = read_request(FolderIngestRequest, {"path": ".", **given(name=name)})
    _demand_folder(folder)
    with opened(data, "made") as application:
        _watch(application, folder, request.name, json)


# Each checks what it was told before anything is opened.
def _from_github(source: str, fields: dict[str, Any]) -> TakeIn:
    from loreweave.contracts.skill_graph import GithubIngestRequest
    from loreweave.faces.request_values import read_request

    request = read_request(GithubIngestRequest, {"sourceType": "github", "source": source, **fields})
    return lambda application, progress: application.graphs.ingest_github(request, progress)


def _demand_archive(file: Path) -> None:
    """A single note is what people try first; what only calls itself a ZIP is looked at as one."""
    try:
        with file.open("rb") as stream:
            beginning = stream.read(2)
    except OSError as trouble:
        raise InvalidInput(f"{file} cannot be read: {trouble.strerror or trouble}", field="source") from None
    if file.suffix.lower() != ".zip" and beginning != b"PK":
        raise InvalidInput(f"{file} is no ZIP: name the folder that your notes are in", field="source")


def _from_zip(file: Path, fields: dict[str, Any]) -> TakeIn:
    """A ZIP keeps its limits here too, so no more of it than that is read."""
    from loreweave.contracts.skill_graph import ZipIngestFields
    from loreweave.faces.request_values import read_request

    request = read_request(ZipIngestFields, {"sourceType": "zip", **fields})

    def take_in(application: "Application", progress: Progress | None) -> "IngestAnswer":
        with file.open("rb") as stream:
            archive = stream.read(application.settings.max_zip_bytes + 1)
        return application.graphs.ingest_zip(archive, request, file.name, progress)

    return take_in


def _from_folder(folder: Path, fields: dict[str, Any], pages: dict[str, Any]) -> TakeIn:
    from loreweave.contracts.skill_graph import FolderIngestRequest, PageSettings
    from loreweave.faces.request_values import read_request

    # The folder itself is not checked as text: any path the shell can name will do here.
    request = read_request(FolderIngestRequest, {"path": ".", **fields})
    settings = read_request(PageSettings, pages)
    _demand_folder(folder)
    return lambda application, progress: application.graphs.ingest_folder(
        folder, name=request.name, subdirectory=request.subdirectory, pages=settings, progress=progress
    )


def _demand_folder(folder: Path) -> None:
    if not os.path.isdir(folder):
        raise NotFound(f"There is no folder {folder}")


@contextmanager
def progress_bar() -> Iterator[Progress | None]:
    """A bar on stderr when a person is looking; nothing otherwise."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress as Bars

    with Bars(console=Console(stderr=True), transient=True) as bars:
        tasks: dict[str, Any] = {}

        def progress(phase: str, done: int, total: int) -> None:
            if phase not in tasks:
                tasks[phase] = bars.add_task(phase, total=total)
            bars.update(tasks[phase], completed=done, total=total)

        yield progress


def _watch(application: "Application", folder: Path, name: str | None, as_json: bool) -> None:
    """Watching begins before the first ingest, so that no change falls between the two."""
    from loreweave.work.folder_watches import folder_changes

    root = folder.resolve()
    stop = Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    revision: int | None = None
    for is_changed in folder_changes(root, stop):
        if is_changed:
            revision = _ingest_again(application, root, name, revision, as_json)


def _ingest_again(
    application: "Application", root: Path, name: str | None, before: int | None, as_json: bool
) -> int | None:
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
        _tell(answer, as_json)
    return answer.revision


def _tell(answer: "IngestAnswer", as_json: bool) -> None:
    """One line a revision: for a person what changed, for a program the whole answer."""
    if as_json or not sys.stdout.isatty():
        from loreweave.contracts.wire import to_json

        write(to_json(answer))
        return
    changes, validation = answer.changes, answer.validation
    counts = ((changes.added, "added"), (changes.changed, "changed"), (changes.removed, "removed"))
    told = ", ".join(f"{count} {verb}" for count, verb in counts if count) or "nothing changed"
    broken = f", {len(validation.brokenLinks)} broken links" if validation.brokenLinks else ""
    state = f"{answer.metrics.nodeCount} notes, score {validation.score}{broken}"
    write(f"{answer.graphId} revision {answer.revision}: {told}; {state}\n".encode())
