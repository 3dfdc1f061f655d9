"""Commands of `ask` that read: glossary, sections, overview, search, answer, and MCP."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from loreweave.errors import InvalidInput
from loreweave.faces.cli.ask_sources import reading
from loreweave.faces.cli.options import Data, Graph, Json
from loreweave.faces.cli.printing import write

Endpoint = Annotated[
    str | None, typer.Option("--endpoint", metavar="URL", help="Ask this server: its origin, or its /api/ask.")
]
DigestFile = Annotated[
    Path | None, typer.Option("--digest", metavar="FILE", help="Read this digest instead of the data folder.")
]
Words = Annotated[list[str] | None, typer.Argument(metavar="WORDS...")]


def add_to(app: typer.Typer) -> None:
    for command in (glossary, sections, section, overview, search, answer, mcp):
        app.command()(command)


def glossary(
    words: Annotated[list[str] | None, typer.Argument(metavar="[list | get TERM]")] = None,
    endpoint: Endpoint = None, digest: DigestFile = None, graph: Graph = None, data: Data = None, json: Json = False,
) -> None:  # fmt: skip
    """List the terms that the documents define, or get one by term or alias."""
    verb, term = _verb(words, "list")
    with reading(endpoint, digest, graph, data) as reader:
        if verb == "get":
            _show("GlossaryEntry", reader.term(_needed(term, "term")), json)
        else:
            _nothing_more(verb, term, "glossary")
            _show("GlossaryList", reader.glossary(), json)


def sections(
    words: Annotated[list[str] | None, typer.Argument(metavar="[list]")] = None,
    group: Annotated[str | None, typer.Option("--group", metavar="G", help="Only sections of this group.")] = None,
    endpoint: Endpoint = None, digest: DigestFile = None, graph: Graph = None, data: Data = None, json: Json = False,
) -> None:  # fmt: skip
    """List every section."""
    _nothing_more(*_verb(words, "list"), "sections")
    with reading(endpoint, digest, graph, data) as reader:
        _show("SectionList", reader.sections(group), json)


def section(
    words: Annotated[list[str], typer.Argument(metavar="get ID")],
    endpoint: Endpoint = None, digest: DigestFile = None, graph: Graph = None, data: Data = None, json: Json = False,
) -> None:  # fmt: skip
    """Show one section: its summary, its facts, its link."""
    verb, identity = _verb(words, "get")
    if verb != "get":
        identity = " ".join(words)
    with reading(endpoint, digest, graph, data) as reader:
        _show("KnowledgeNode", reader.section(_needed(identity, "id")), json)


def overview(
    endpoint: Endpoint = None, digest: DigestFile = None, graph: Graph = None, data: Data = None, json: Json = False
) -> None:
    """Show the map of all sections, and what the documents are about."""
    with reading(endpoint, digest, graph, data) as reader:
        _show("OverviewAnswer", reader.overview(), json)


def search(
    words: Annotated[list[str], typer.Argument(metavar="QUERY...")],
    limit: Annotated[int | None, typer.Option("--limit", metavar="N", help="At most this many, 1 to 50 (6).")] = None,
    endpoint: Endpoint = None, digest: DigestFile = None, graph: Graph = None, data: Data = None, json: Json = False,
) -> None:  # fmt: skip
    """Search sections by words, identifiers and meaning."""
    with reading(endpoint, digest, graph, data) as reader:
        _show("KeywordResponse", reader.search(" ".join(words), limit), json)


def answer(
    words: Annotated[list[str], typer.Argument(metavar="QUESTION...")],
    endpoint: Endpoint = None, graph: Graph = None, data: Data = None, json: Json = False,
) -> None:  # fmt: skip
    """Answer a question from the documents, with checked citations."""
    from loreweave.faces.cli.ask_answering import show_answer

    raise typer.Exit(show_answer(" ".join(words), endpoint, graph, data, json or not sys.stdout.isatty()))


def mcp(data: Data = None) -> None:
    """Speak MCP on stdin and stdout, with the tools of asking."""
    from loreweave.faces.cli.server_commands import mcp as serve_mcp

    serve_mcp(data, "ask")


def _verb(words: list[str] | None, default: str) -> tuple[str, str]:
    """The word after the command, and the rest joined."""
    if not words:
        return default, ""
    return words[0], " ".join(words[1:])


def _needed(text: str, field: str) -> str:
    if not text.strip():
        raise InvalidInput(f"{field} is required", field=field)
    return text


def _nothing_more(verb: str, rest: str, command: str) -> None:
    if verb != "list" or rest:
        raise InvalidInput(f"`ask {command}` knows no {verb} {rest}".rstrip(), field=verb)


def _show(model: str, body: bytes, as_json: bool) -> None:
    if as_json or not sys.stdout.isatty():
        write(body)
        return
    from loreweave.contracts import ask
    from loreweave.faces.cli.ask_views import show_on_terminal

    show_on_terminal(getattr(ask, model).model_validate_json(body))
