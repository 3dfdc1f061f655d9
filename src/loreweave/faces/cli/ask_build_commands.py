"""Commands of `ask` that build and verify digests."""

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from loreweave.errors import InvalidInput
from loreweave.faces.cli.ask_sources import content_of
from loreweave.faces.cli.command_parts import BasePath, Data, Graph, given, opened, say, write
from loreweave.faces.cli.program import FAILED

Folder = Annotated[Path | None, typer.Argument(metavar="[PATH]", help="A folder of documents; without it, a graph.")]


def add_to(app: typer.Typer) -> None:
    app.command()(build)
    app.command()(verify)


def build(
    path: Folder = None,
    out: Annotated[Path | None, typer.Option("--out", metavar="FILE", help="Write the digest here.")] = None,
    model: Annotated[str | None, typer.Option("--model", metavar="M", help="Let this model write summaries.")] = None,
    no_model: Annotated[bool, typer.Option("--no-model", help="Ask no model, whatever the settings say.")] = False,
    refresh: Annotated[bool, typer.Option("--refresh", help="Distil every section anew.")] = False,
    corpus: Annotated[
        Path | None, typer.Option("--corpus", metavar="FILE", help="Write what is still to be distilled, and stop.")
    ] = None,
    assemble: Annotated[
        Path | None, typer.Option("--assemble", metavar="FILE", help="Take what somebody wrote about the sections.")
    ] = None,
    tree: Annotated[Path | None, typer.Option("--tree", metavar="DIR", help="Write a tree of Markdown, too.")] = None,
    base_path: BasePath = None,
    slug_scheme: Annotated[
        str | None, typer.Option("--slug-scheme", metavar="S", help="github, astro or mkdocs (github).")
    ] = None,
    heading_depth: Annotated[
        int | None, typer.Option("--heading-depth", metavar="N", help="The deepest heading of a section, 2 to 6 (3).")
    ] = None,
    graph: Graph = None,
    data: Data = None,
) -> None:
    """Build the digest of a folder, or of a graph."""
    if no_model and model:
        raise InvalidInput("--model and --no-model exclude each other", field="model")
    pages = given(basePath=base_path, slugScheme=slug_scheme, headingDepth=heading_depth)
    options: dict[str, Any] = {
        "out": out, "model": model, "key_free": no_model, "refresh": refresh, "corpus": corpus, "tree": tree,
        "assemble": _content(assemble), "pages": _checked(pages) if pages else None,
    }  # fmt: skip
    from loreweave.application import build_options

    with opened(data, "read" if path is None else "unused") as application:
        wanted = build_options(**options)
        if path is None:
            report = application.digests.build_graph(graph, wanted, _tell)
        else:
            report = application.digests.build_folder(path, wanted, _tell)
    _print(report)


def verify(
    path: Folder = None,
    digest: Annotated[Path | None, typer.Option("--digest", metavar="FILE", help="The digest to check.")] = None,
    site: Annotated[
        Path | None, typer.Option("--site", metavar="DIR", help="The built site in which anchors must exist.")
    ] = None,
    graph: Graph = None,
    data: Data = None,
) -> None:
    """Compare a digest with its documents. The exit code is 1 where they differ."""
    of_folder = graph is None or path is not None
    with opened(data, "unused" if of_folder else "read") as application:
        if not of_folder:
            report = application.digests.verify_graph(graph, digest, site)
        else:
            report = application.digests.verify_folder(path or Path(), digest, site)
    _print(report)
    if not report.ok:
        raise typer.Exit(FAILED)


def _checked(pages: dict[str, Any]) -> Any:
    """As an ingest checks them."""
    from loreweave.contracts.skill_graph import PageSettings
    from loreweave.faces.request_values import read_request

    return read_request(PageSettings, pages)


def _content(file: Path | None) -> bytes | None:
    if file is None:
        return None
    return sys.stdin.buffer.read() if str(file) == "-" else content_of(file)


def _tell(sentence: str) -> None:
    say(f"ask: {sentence}")


def _print(report: Any) -> None:
    from loreweave.contracts.wire import to_json

    write(to_json(report))
