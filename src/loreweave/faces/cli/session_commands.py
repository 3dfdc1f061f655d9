"""`lore sessions`: what runs and what ran, in whatever process."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from loreweave.faces.cli.command_parts import Data, Json, opened, say, wants_json, write
from loreweave.faces.cli.program import FAILED

if TYPE_CHECKING:
    from collections.abc import Callable

    from pydantic import BaseModel

    from loreweave.application import Application
    from loreweave.contracts.session import SessionAnswer
    from loreweave.work.sessions.session_service import SessionService

sessions = typer.Typer(help="List, watch, compare, answer, resume, stop and delete sessions.", rich_markup_mode=None)

SOON_SECONDS = 2.0
Identity = Annotated[str, typer.Argument(metavar="ID", help="The session, or a unique beginning of its id.")]


def add_to(app: typer.Typer) -> None:
    app.add_typer(sessions, name="sessions")
    app.command()(why)


@sessions.callback(invoke_without_command=True)
def list_sessions(context: typer.Context, data: Data = None, json: Json = False) -> None:
    """List sessions, the newest first; or do one of the things below to one of them."""
    if context.invoked_subcommand is not None:
        if data is not None or json:
            raise typer.BadParameter(f"give options after `{context.invoked_subcommand}`")
        return
    _list(data, json)


@sessions.command("list")
def list_them(data: Data = None, json: Json = False) -> None:
    """List sessions, the newest first. Says which of them wait for a person."""
    _list(data, json)


def _list(data: Path | None, json: bool) -> None:
    with opened(data, takes_work=False) as application:
        found = application.sessions.list()
    if wants_json(json):
        from pydantic import TypeAdapter

        from loreweave.contracts.session import SessionSummary

        write(TypeAdapter(list[SessionSummary]).dump_json(found) + b"\n")
    else:
        from loreweave.faces.cli.terminal.session_views import show_sessions

        show_sessions(found)


@sessions.command()
def show(id: Identity, data: Data = None, json: Json = False) -> None:
    """Show one session."""
    _ask(data, json, id, lambda sessions, whole: sessions.get(whole))


def why(
    id: Identity,
    task: Annotated[str | None, typer.Argument(metavar="TASK", help="One task alone, by its id.")] = None,
    data: Data = None,
    json: Json = False,
) -> None:
    """Say what a build's work rests on. Of each task what it had read of notes, memories, skills; of one also why."""
    with opened(data, takes_work=False) as application:
        found = application.provenance.why(application.sessions.whole_id(id), task)
    if wants_json(json):
        write(found.model_dump_json().encode() + b"\n")
    else:
        from loreweave.faces.cli.terminal.session_views import show_why

        show_why(found, reasons=task is not None)


@sessions.command()
def diff(
    id: Identity,
    sha: Annotated[str, typer.Argument(metavar="[SHA]", help="One commit; else all that the build changed.")] = "all",
    data: Data = None,
    json: Json = False,
) -> None:
    """Show what a build changed, or one of its commits."""
    with opened(data, takes_work=False) as application:
        found = application.builds.diff(application.sessions.whole_id(id), sha)
    if json:
        _print(found, True)
    else:
        from loreweave.faces.cli.terminal.question_prompts import plain_line

        lines = [*map(plain_line, found.diff.expandtabs(4).splitlines()), *(["… and more"] if found.cut else [])]
        write("".join(f"{line}\n" for line in lines).encode())


@sessions.command()
def answer(
    id: Identity,
    answers: Annotated[
        list[str] | None,
        typer.Argument(metavar="ANSWER...", help="An option's number, its label or a text; one for each question."),
    ] = None,
    step: Annotated[str | None, typer.Option("--step", metavar="ID", help="The step or task that asks.")] = None,
    data: Data = None,
    json: Json = False,
) -> None:
    """Answer the open question or gate of a session. Wherever it runs; without an answer here, stdin gives it."""
    with opened(data, takes_work=False) as application:
        id = application.sessions.whole_id(id)
        question = _open_question(application, id, step)
        told = _read_gate(question, answers) if "gate_id" in question else _read(question["questions"], answers)
        if told is None:
            say("Nothing was answered: the session waits.")
            raise typer.Exit(FAILED)
        from loreweave.faces.cli.terminal.question_prompts import send_answer

        _print(send_answer(application, id, question, told), json)
        _hint(application, id)


def _open_question(application: "Application", session_id: str, step: str | None) -> dict[str, Any]:
    from loreweave.errors import Conflict, InvalidInput

    session = application.sessions.running(session_id)
    waiting = [asked.model_dump() for asked in [*session.gates, *session.questions]]
    found = [asked for asked in waiting if step in (None, asked.get("step_id"), asked.get("task_id"))]
    if not found:
        where = f"The step {step!r}" if waiting else "The session"
        raise Conflict(f"{where} asks nothing just now", session_id=session_id)
    if len(found) > 1:
        steps = ", ".join(str(asked.get("step_id") or asked["task_id"]) for asked in found)
        raise InvalidInput(f"Several steps ask: name one of {steps} with --step", field="step")
    return found[0]


def _read(questions: list[dict[str, Any]], given: list[str] | None) -> dict[str, Any] | None:
    """The answers by header, from the command or from stdin."""
    import asyncio

    from loreweave.errors import InvalidInput
    from loreweave.faces.cli.terminal.question_prompts import ask_all, read_choice
    from loreweave.faces.cli.terminal.stdin_lines import StdinLines

    if not given:

        async def ask() -> dict[str, Any] | None:
            return await ask_all(questions, StdinLines())

        return asyncio.run(ask())
    if len(given) != len(questions):
        headers = ", ".join(question["header"] for question in questions)
        raise InvalidInput(f"Give one answer for each of: {headers}", field="answer")
    return {question["header"]: read_choice(question, text) for question, text in zip(questions, given, strict=True)}


def _read_gate(gate: dict[str, Any], given: list[str] | None) -> dict[str, Any] | None:
    import asyncio

    from loreweave.faces.cli.terminal.question_prompts import gate_lines, read_gate_answer
    from loreweave.faces.cli.terminal.stdin_lines import StdinLines

    if given:
        return read_gate_answer(" ".join(given))
    for line in gate_lines(gate):
        say(line)

    async def ask() -> str | None:
        return await StdinLines().next()

    typed = asyncio.run(ask())
    return None if typed is None else read_gate_answer(typed)


def _hint(application: "Application", session_id: str) -> None:
    """Whoever runs it goes on at once; where nobody does, an answer alone moves nothing."""
    import asyncio

    answered = application.sessions.get(session_id)
    if answered.state != "done":
        asyncio.run(application.sessions.await_news(session_id, answered.last_seq, SOON_SECONDS))
        if application.sessions.get(session_id).last_seq == answered.last_seq:
            say(f"It has not gone on yet. If nobody runs it: lore sessions resume {session_id}")


@sessions.command()
def resume(id: Identity, data: Data = None, json: Json = False) -> None:
    """Go on here with a session that was left. Its questions are asked as `lore run` asks them."""
    from loreweave.faces.cli.run_commands import run_here

    def begin(application: "Application") -> "SessionAnswer":
        session = application.sessions.running(application.sessions.whole_id(id))
        application.workshop.resume(session.id)
        return session

    run_here(begin, data, json)


@sessions.command()
def stop(id: Identity, data: Data = None, json: Json = False) -> None:
    """Stop a session, wherever it runs. One that is over stays as it ended."""
    _ask(data, json, id, lambda sessions, whole: sessions.stop(whole))


@sessions.command()
def delete(id: Identity, data: Data = None, json: Json = False) -> None:
    """Delete a session and its log; a running one must be stopped first."""
    _ask(data, json, id, lambda sessions, whole: sessions.delete(whole))


@sessions.command()
def watch(
    id: Identity,
    since: Annotated[int, typer.Option("--since", metavar="N", min=0, help="Only events after this number.")] = 0,
    data: Data = None,
    json: Json = False,
) -> None:
    """Print the events of a session, one a line, until its end."""
    import asyncio

    with opened(data, takes_work=False) as application:
        whole = application.sessions.whole_id(id)
        asyncio.run(_follow(application, whole, since, wants_json(json)))


async def _follow(application: "Application", session_id: str, since: int, as_json: bool) -> None:
    from loreweave.faces.cli.terminal.session_views import event_line

    async for frames in application.sessions.follow(session_id, since, until_end=True):
        lines = frames if as_json else map(event_line, frames)
        write("".join(f"{line}\n" for line in lines).encode("utf-8", "replace"))


def _ask(data: Path | None, as_json: bool, id: str, ask: "Callable[[SessionService, str], Any]") -> None:
    with opened(data, takes_work=False) as application:
        _print(ask(application.sessions, application.sessions.whole_id(id)), as_json)


def _print(answer: "BaseModel", as_json: bool) -> None:
    if wants_json(as_json):
        from loreweave.contracts.wire import to_json

        write(to_json(answer))
    else:
        from loreweave.faces.cli.terminal.session_views import show_answer

        show_answer(answer)
