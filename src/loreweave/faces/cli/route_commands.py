"""`lore route`: contract 003 on the command line, over a folder of skills or a graph; `lore skill` hands skills on."""

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from loreweave.errors import InvalidInput
from loreweave.faces.cli.command_parts import Data, Json, given, opened, say, show, wants_json, write, write_json

route = typer.Typer(help="Ask a graph of skills where to go next.", no_args_is_help=True, rich_markup_mode=None)
skill = typer.Typer(help="Hand skills on to other clients.", no_args_is_help=True, rich_markup_mode=None)

Folder = Annotated[Path | None, typer.Argument(metavar="FOLDER", help="A folder of skills.")]
Graph = Annotated[str | None, typer.Option("--graph", metavar="ID", help="A graph as ingested, instead of a folder.")]
Current = Annotated[str | None, typer.Option("--current", metavar="ID", help="The skill the agent is in.")]
Message = Annotated[str | None, typer.Option("--message", metavar="TEXT", help="What the user says.")]


def add_to(app: typer.Typer) -> None:
    app.add_typer(route, name="route")
    app.add_typer(skill, name="skill")


@route.command()
def check(folder: Folder = None, graph: Graph = None, data: Data = None, json: Json = False) -> None:
    """Say what is wrong with a graph; exits 1 if something is."""
    answer = _ask("check", "RouteCheckRequest", folder, graph, data)
    show(answer, json)
    if not answer.root.ok:
        raise typer.Exit(1)


@route.command("next")
def next_skill(
    folder: Folder = None,
    graph: Graph = None,
    message: Message = None,
    current: Current = None,
    tool: Annotated[str | None, typer.Option("--tool", metavar="NAME", help="The tool that returned.")] = None,
    result: Annotated[str | None, typer.Option("--result", metavar="TEXT", help="What it returned.")] = None,
    status: Annotated[str | None, typer.Option("--status", metavar="S", help="How it went: success, denied, …")] = None,
    pick: Annotated[str | None, typer.Option("--pick", metavar="ID", help="The skill the model asks for.")] = None,
    answer: Annotated[
        list[str] | None, typer.Option("--answer", metavar="NAME", help="A predicate that holds; may be given again.")
    ] = None,
    context: Annotated[
        str | None, typer.Option("--context", metavar="FILE|-", help="All of it as JSON, instead of the options.")
    ] = None,
    data: Data = None,
    json: Json = False,
) -> None:
    """Say which skill comes next, and why."""
    if (result is not None or status is not None) and tool is None:
        raise typer.BadParameter("--result and --status are about a --tool")
    returned = given(toolName=tool, result=result, status=status) if tool is not None else None
    answers = dict.fromkeys(answer, True) if answer else None
    options = given(
        userMessage=message, currentSkillId=current, lastToolResult=returned, pendingPick=pick, answers=answers
    )
    if context is not None and options:
        raise typer.BadParameter("--context says everything: leave the other options out")
    asked = options if context is None else _read_json(context, "context")
    show(_ask("next", "RouteNextRequest", folder, graph, data, context=asked), json)


@route.command()
def reachable(
    folder: Folder = None, graph: Graph = None, current: Current = None, data: Data = None, json: Json = False
) -> None:
    """List the skills that the model may jump to."""
    show(_ask("reachable", "RouteReachableRequest", folder, graph, data, **given(currentSkillId=current)), json)


@route.command()
def mermaid(
    folder: Folder = None, graph: Graph = None, current: Current = None, data: Data = None, json: Json = False
) -> None:
    """Draw the graph as a Mermaid flowchart."""
    answer = _ask("mermaid", "RouteMermaidRequest", folder, graph, data, **given(current=current))
    if json:
        show(answer, True)
    else:
        write(answer.mermaid.encode("utf-8", "replace") + b"\n")


@route.command()
def score(
    folder: Folder = None,
    graph: Graph = None,
    message: Message = None,
    by: Annotated[str | None, typer.Option("--by", metavar="WAY", help="keyword or relevance.")] = None,
    data: Data = None,
    json: Json = False,
) -> None:
    """Score the entries against a message."""
    context = given(userMessage=message)
    show(_ask("score", "RouteScoreRequest", folder, graph, data, context=context, **given(by=by)), json)


@route.command()
def replay(
    test: Annotated[str, typer.Argument(metavar="FILE|-", help="A walk with what it must lead to, as JSON.")],
    folder: Folder = None,
    graph: Graph = None,
    data: Data = None,
    json: Json = False,
) -> None:
    """Walk again as a saved test says. Exits 1 if a step leads elsewhere."""
    from loreweave.contracts.route import RouteTest
    from loreweave.faces.request_values import read_request

    saved = read_request(RouteTest, _read_json(test, "test"))
    answer = _ask("walk", "RouteWalkRequest", folder, graph, data, steps=saved.model_dump(by_alias=True)["steps"])
    if wants_json(json):
        show(answer, True)
    else:
        for number, step in enumerate(answer.steps, 1):
            say(f"{ {True: 'ok', False: 'NOT', None: '--'}[step.holds]:>3} {number}. {step.told}")
    if any(step.holds is False for step in answer.steps):
        raise typer.Exit(1)


def _ask(name: str, model: str, folder: Path | None, graph: str | None, data: Path | None, **values: Any) -> Any:
    """The answer of the service; a folder is opened here, since it has none of the limits of the wire."""
    if (folder is None) == (graph is None):
        raise typer.BadParameter("name a FOLDER, or a graph with --graph")
    from loreweave.contracts import route as route_requests
    from loreweave.faces.request_values import read_request

    request = read_request(getattr(route_requests, model), given(graphId=graph, **values))
    with opened(data, "read" if folder is None else "unused") as application:
        skills = None if folder is None else application.routes.open_folder(folder)
        return getattr(application.routes, name)(request, skills)


def _read_json(place: str, what: str) -> Any:
    from loreweave.faces.request_values import lenient_json

    try:
        text = sys.stdin.buffer.read() if place == "-" else Path(place).read_bytes()
        return lenient_json(text.decode("utf-8-sig"))
    except (OSError, ValueError) as trouble:
        raise InvalidInput(f"The {what} cannot be read: {trouble}", field=what) from None


@skill.command()
def export(
    source: Annotated[str, typer.Argument(metavar="GRAPH|FOLDER", help="A graph as ingested, or a folder of skills.")],
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Where the skills are written, a folder each.")],
    replace: Annotated[bool, typer.Option("--replace", help="Overwrite files of these names.")] = False,
    data: Data = None,
    json: Json = False,
) -> None:
    """Write skills as folders that every client of Agent Skills takes; routing comes along."""
    is_folder = Path(source).expanduser().is_dir()
    with opened(data, "unused" if is_folder else "read") as application:
        made, written = application.routes.export(source, folder.expanduser(), overwrite=replace)
    if wants_json(json):
        shape = {
            "folder": str(folder),
            "written": written,
            "skills": made.skills,
            "files": len(made.files),
            "renamed": dict(made.renamed),
            "shortened": list(made.shortened),
            "leftOut": list(made.left_out),
        }
        write_json(shape)
        return
    say(f"{folder} {'holds' if written else 'held already'} {made.skills} skills in {len(made.files)} files.")
    for old, new in made.renamed.items():
        say(f"  {old} is called {new} there: clients take small letters, digits and hyphens")
    for name in made.shortened:
        say(f"  the description of {name} was too long; the whole stands in its metadata")
    if made.left_out:
        say(f"  {len(made.left_out)} files belong to no skill and stayed behind, {made.left_out[0]} for one")
