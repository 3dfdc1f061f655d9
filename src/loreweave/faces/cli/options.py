"""Options that several commands share."""

from pathlib import Path
from typing import Annotated

import typer

Graph = Annotated[
    str | None,
    typer.Option("--graph", metavar="ID", help="The graph to read; by default the one ingested last."),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON; automatic when stdout is no terminal.")]
Data = Annotated[Path | None, typer.Option("--data", metavar="DIR", help="The data folder.")]
Domain = Annotated[str | None, typer.Option("--domain", metavar="D", help="Only notes of this domain.")]
Limit = Annotated[int | None, typer.Option("--limit", metavar="N", help="At most this many results, 1 to 100.")]
Budget = Annotated[int | None, typer.Option("--budget", metavar="N", help="Token budget, 0 to 200000 (6000).")]
MaxNodes = Annotated[int | None, typer.Option("--max-nodes", metavar="N", help="Load at most this many notes (8).")]
Name = Annotated[str | None, typer.Option("--name", metavar="ID", help="What the graph is called.")]
Subdirectory = Annotated[
    str | None, typer.Option("--subdirectory", metavar="D", help="Read only this folder of the source.")
]
BasePath = Annotated[
    str | None, typer.Option("--base-path", metavar="/docs/", help="Where the pages of the graph are served.")
]
