"""`lore run`: a skill plan in this process, its questions answered on the terminal."""

import json as json_format
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from loreweave.errors import InvalidInput, TooLarge
from loreweave.faces.cli.command_parts import Data, Json, Library, opened, say, write
from loreweave.faces.cli.program import DONE, FAILED, INTERRUPTED

if TYPE_CHECKING:
    from loreweave.application import Application
    from loreweave.contracts.session import SessionAnswer

THREADED = "forkserver"  # the engine has threads, and a process with threads must not fork
MOST_BYTES = 1024 * 1024  # as over the wire


def add_to(app: typer.Typer) -> None:
    app.command()(run)


def run(
    plan: Annotated[str, typer.Argument(metavar="PLAN.json", help="A plan, or an object with plan and allSkills.")],
    data: Data = None,
    json: Json = False,
) -> None:
    """Run a skill plan; questions are asked on stderr, lines of stdin answer them."""
    value = read_plan_file(plan)

    def begin(application: "Application") -> "SessionAnswer":
        begun = application.sessions.get(application.skills.run(value).session_id)
        for warning in begun.warnings:
            say(f"{warning}.")
        return begun.model_copy(update={"last_seq": 0, "questions": []})  # all of it is news

    run_here(begin, data, json, "made")


def run_here(
    begin: "Callable[[Application], SessionAnswer]", data: Path | None, as_json: bool, library: Library = "read"
) -> None:
    """Begins a session in this process and stays with it to its end, which is the command's."""
    import asyncio

    with opened(data, library, start_method=THREADED, takes_work=False) as application:
        code = FAILED
        with _interrupts_later() as was_interrupted:
            session = begin(application)
        try:
            if was_interrupted():
                raise KeyboardInterrupt
            asyncio.run(attend(application, session))
        except KeyboardInterrupt:
            application.sessions.stop(session.id)
            code = INTERRUPTED
        ended = application.sessions.get(session.id)
        if ended.outcome == "stopped":
            say(f"Session {session.id} was stopped.")
        _print(ended, as_json)
    raise typer.Exit(DONE if ended.outcome == "success" else code)


def read_plan_file(place: str) -> dict[str, Any]:
    """As it is sent over the wire; a bare plan is put into its place there."""
    from loreweave.faces.request_values import lenient_json

    if place == "-":
        raise InvalidInput("The plan is read from a file: standard input answers its questions", field="plan")
    try:
        with Path(place).open("rb") as file:
            content = file.read(MOST_BYTES + 1)
        if len(content) > MOST_BYTES:
            raise TooLarge(f"{place} is larger than {MOST_BYTES} bytes", what="plan_bytes", limit=MOST_BYTES)
        value = lenient_json(content.decode("utf-8-sig"), _distinct)
    except OSError as trouble:
        raise InvalidInput(f"{place} cannot be read: {trouble.strerror or trouble}", field="plan") from None
    except ValueError as trouble:
        raise InvalidInput(f"{place} holds no JSON: {trouble}", field="plan") from None
    if not isinstance(value, dict):
        raise InvalidInput(f"{place} must hold an object", field="plan")
    return value if "plan" in value else {"plan": value}


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    from loreweave.faces.request_values import name_given_twice, shown_name

    twice = name_given_twice(pairs)
    if twice is not None:
        raise InvalidInput(f"{shown_name(twice)} is given twice", field=shown_name(twice))
    return dict(pairs)


async def attend(application: "Application", session: "SessionAnswer") -> None:
    """Follows the session to its end, and puts its questions to whoever sits here."""
    from loreweave.faces.cli.terminal.question_prompts import QuestionPrompts

    prompts = QuestionPrompts(application, session.id)
    for question in session.questions:
        prompts.open(question.model_dump())
    try:
        async for frames in application.sessions.follow(session.id, session.last_seq, until_end=True):
            for event in map(json_format.loads, frames):
                if event["type"] == "skill_question":
                    prompts.open(event)
                elif event["type"] == "question_answered":
                    prompts.close(event["question_id"], in_time=not event.get("timed_out"))
                elif sys.stderr.isatty():
                    _tell_progress(event)
    finally:
        await prompts.close_all()


def _tell_progress(event: dict[str, Any]) -> None:
    from loreweave.faces.cli.terminal.question_prompts import plain_line

    if event["type"] == "skill_step" and event["status"] != "completed":
        word = "" if event["status"] == "started" else f" {event['status']}"
        say(plain_line(f"· {event['step_id']} ({event['step_type']}){word}"))


@contextmanager
def _interrupts_later() -> "Iterator[Callable[[], bool]]":
    """A session that has begun has a name: Ctrl-C waits until it is known."""
    came: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: came.append(number))
    try:
        yield lambda: bool(came)
    finally:
        signal.signal(signal.SIGINT, before)


def _print(ended: "SessionAnswer", as_json: bool) -> None:
    result = ended.skill.result if ended.skill else None
    if as_json or not sys.stdout.isatty():
        shape = {"session_id": ended.id, "outcome": ended.outcome, "result": result}
        write(json_format.dumps(shape, ensure_ascii=False).encode("utf-8", "replace") + b"\n")
        if ended.error and ended.outcome != "stopped":
            say(ended.error)
    else:
        from loreweave.faces.cli.terminal.session_views import show_session

        show_session(ended)
