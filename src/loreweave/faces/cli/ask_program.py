"""The command `ask`: the reader of contract 002, with the commands that read.

Command files import what they need inside their functions: a cold read pays for nothing else.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from loreweave.errors import InvalidInput
from loreweave.faces.cli import ask_build_commands
from loreweave.faces.cli.ask_sources import answer_from_server, answer_here, reading
from loreweave.faces.cli.command_parts import Data, EventLines, Graph, Json, say, wants_json, write
from loreweave.faces.cli.program import DONE, FAILED, Shape, commands_of, make_program, run_program, start

Endpoint = Annotated[
    str | None, typer.Option("--endpoint", metavar="URL", help="Ask this server: its origin, or its /api/ask.")
]
DigestFile = Annotated[
    Path | None, typer.Option("--digest", metavar="FILE", help="Read this digest instead of the data folder.")
]

app = make_program("ask", "Ask a folder of markdown: search, facts, glossary and checked answers.")


def glossary(
    words: Annotated[list[str] | None, typer.Argument(metavar="[list | get TERM]")] = None,
    endpoint: Endpoint = None, digest: DigestFile = None, graph: Graph = None, data: Data = None, json: Json = False,
) -> None:  # fmt: skip
    """List the terms that are defined, or get one by term or alias."""
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
    import asyncio  # Ctrl-C cancels what runs, which closes the connection to the model

    raise typer.Exit(asyncio.run(_answer(" ".join(words), endpoint, graph, data, wants_json(json))))


def mcp(
    data: Data = None, structured: Annotated[bool, typer.Option("--structured", help="Speak to programs.")] = False
) -> None:
    """Speak MCP on stdin and stdout, with the tools of asking."""
    from loreweave.faces.cli.server_commands import mcp as serve_mcp

    serve_mcp(data, "ask", structured)


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
    if wants_json(as_json):
        write(body)
        return
    from loreweave.contracts import ask
    from loreweave.faces.cli.terminal.ask_views import show_on_terminal

    show_on_terminal(getattr(ask, model).model_validate_json(body))


async def _answer(query: str, endpoint: str | None, graph: str | None, data: Path | None, as_json: bool) -> int:
    """The exit code."""
    events = answer_from_server(query, endpoint, graph) if endpoint else answer_here(query, graph, data)
    shown = EventLines() if as_json else _on_terminal()
    failed = False
    try:
        async for event, value in events:
            failed = failed or event == "error"
            if event == "keyword" and value.get("warning"):
                say(f"ask: {value['warning']}")
            shown.show(event, value)
            if event == "error":
                say(f"ask: {value['error']}")
    finally:
        shown.end()
    return FAILED if failed else DONE


def _on_terminal() -> Any:
    from loreweave.faces.cli.terminal.ask_views import AnswerOnTerminal

    return AnswerOnTerminal()


for command in (glossary, sections, section, overview, search, answer, mcp):
    app.command()(command)
ask_build_commands.add_to(app)


def main() -> None:
    """The entry point of the program."""
    start(run)


def run(arguments: Sequence[str]) -> int:
    """Runs one command and answers its exit code."""
    return run_program(app, "ask", in_order(arguments), _sentence)


def in_order(arguments: Sequence[str]) -> list[str]:
    """The verb, its flags, then `--` and its words. Flags may stand anywhere, `--` ends them; after `search` and
    `answer` a flag that nobody knows is a word."""
    program = commands_of(app)
    known = _takes_value(program, *program.commands.values())
    flags: list[str] = []
    words: list[str] = []
    rest = list(arguments)
    while rest:
        each = rest.pop(0)
        name, has_value, _ = each.partition("=")
        if each == "--":
            words += rest
            break
        if name in known or (each.startswith("-") and each != "-" and words[:1] not in (["search"], ["answer"])):
            flags.append(each)
            if known.get(name) and not has_value and rest:
                flags.append(rest.pop(0))
            continue
        words.append(each)
        if len(words) == 1 and each in program.commands:
            known = _takes_value(program.commands[each])
    return [*words[:1], *flags, "--", *words[1:]] if words else flags


def _takes_value(*commands: Any) -> dict[str, bool]:
    """Which options there are, and whether a value follows them."""
    named = {
        option: not each.is_flag for one in commands for each in one.params for option in each.opts if option[:1] == "-"
    }
    return {**named, "-h": False, "--help": False}


def _sentence(shape: Shape) -> str:
    return f"ask: {shape.get('says') or shape['error']}"


if __name__ == "__main__":
    main()
