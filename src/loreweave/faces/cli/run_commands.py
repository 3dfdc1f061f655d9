"""`lore run` and `lore build`: a plan or a spec in this process, what it asks answered on the terminal."""

import json as json_format
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from loreweave.errors import InvalidInput
from loreweave.faces.cli.command_parts import Data, Json, Library, opened, read_json_file, say, write, write_json
from loreweave.faces.cli.program import DONE, FAILED, INTERRUPTED

if TYPE_CHECKING:
    from loreweave.application import Application
    from loreweave.contracts.session import SessionAnswer

STOPPING = "Stopping …"
THREADED = "forkserver"  # the engine has threads, and a process with threads must not fork


def add_to(app: typer.Typer) -> None:
    app.command()(run)
    app.command()(build)


def run(
    plan: Annotated[str, typer.Argument(metavar="PLAN.json", help="A plan, or an object with plan and allSkills.")],
    data: Data = None,
    json: Json = False,
) -> None:
    """Run a skill plan. Questions are asked on stderr, lines of stdin answer them."""
    value = read_plan_file(plan)

    def begin(application: "Application") -> "SessionAnswer":
        begun = application.sessions.get(application.skills.run(value).session_id)
        for warning in begun.warnings:
            say(f"{warning}.")
        return begun.model_copy(update={"last_seq": 0, "questions": []})  # all of it is news

    run_here(begin, data, json, "made")


def run_here(
    begin: "Callable[[Application], SessionAnswer]",
    data: Path | None,
    as_json: bool,
    library: Library = "read",
    printed: "Callable[[SessionAnswer, Application, bool], None] | None" = None,
    each: "Callable[[str], None] | None" = None,
) -> None:
    """Begins a session in this process and stays with it to its end, which is the command's. `printed`: shows what
    came of it; `each`: is told of every event."""
    import asyncio

    with opened(data, library, start_method=THREADED, takes_work=False) as application:
        code = FAILED
        with _interrupts_later() as was_interrupted:
            session = begin(application)
        try:
            if was_interrupted():
                raise KeyboardInterrupt
            asyncio.run(attend(application, session, each))
        except KeyboardInterrupt:
            told = "" if was_interrupted() else f"{STOPPING} "
            say(f"{told}Ctrl-C again leaves it as it is: lore sessions resume {session.id} goes on with it.")
            application.sessions.stop(session.id)
            code = INTERRUPTED
        ended = application.sessions.get(session.id)
        if ended.outcome == "stopped":
            further = f' To go on from there: lore build --continue {session.id} "what is next"'
            say(f"Session {session.id} was stopped.{further if ended.nugget_dir else ''}")
        (printed or (_print_build if ended.kind == "build" else _print))(
            ended, application, as_json or not sys.stdout.isatty()
        )
    raise typer.Exit(DONE if ended.outcome == "success" else code)


def read_plan_file(place: str) -> dict[str, Any]:
    """As it is sent over the wire; a bare plan is put into its place there."""
    value = read_json_file(place, "plan")
    return value if "plan" in value else {"plan": value}


_ASKING = ("skill_question", "user_question", "human_gate")


async def attend(
    application: "Application", session: "SessionAnswer", each: "Callable[[str], None] | None" = None
) -> None:
    """Follows the session to its end, and puts its questions to whoever sits here."""
    from loreweave.faces.cli.terminal.question_prompts import QuestionPrompts

    prompts = QuestionPrompts(application, session.id)
    for question in [*session.questions, *session.gates]:
        prompts.open(question.model_dump())
    try:
        async for frames in application.sessions.follow(session.id, session.last_seq, until_end=True):
            for frame in frames:
                event = json_format.loads(frame)
                if each is not None:
                    each(frame)
                if event["type"] in _ASKING:
                    prompts.open(event)
                elif event["type"] in ("question_answered", "gate_answered"):
                    identity = event.get("question_id") or event["gate_id"]
                    prompts.close(identity, in_time=not event.get("timed_out"))
                elif sys.stderr.isatty() and each is None:
                    _tell_progress(event)
    finally:
        await prompts.close_all()


def _tell_progress(event: dict[str, Any]) -> None:
    from loreweave.faces.cli.terminal.question_prompts import plain_line

    match event["type"]:
        case "skill_step" if event["status"] != "completed":
            word = "" if event["status"] == "started" else f" {event['status']}"
            say(plain_line(f"· {event['step_id']} ({event['step_type']}){word}"))
        case "plan_ready":
            say(plain_line(f"· {len(event['tasks'])} tasks planned. {event['explanation']}"))
        case "task_started":
            say(plain_line(f"· {event['agent_name']} begins {event['task_id']}"))
        case "task_completed" | "task_failed":
            said = event.get("summary") or event.get("error")
            say(plain_line(f"· {event['task_id']} {event['type'].removeprefix('task_')}: {said}"))
        case "test_result":
            say(plain_line(f"· {'passed' if event['passed'] else 'FAILED'} {event['test_name']}"))
        case "deploy_progress":
            say(plain_line(f"· {event['progress']:g} % {event['step']}"))
        case "narrator_message":
            say(plain_line(f"  {event['from']}: {event['text']}"))
        case "error":
            say(plain_line(f"· {event['message']}"))


@contextmanager
def _interrupts_later() -> "Iterator[Callable[[], bool]]":
    """A session that has begun has a name: Ctrl-C waits until it is known."""
    came: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: came.append(os.write(2, f"{STOPPING}\n".encode())))
    try:
        yield lambda: bool(came)
    finally:
        signal.signal(signal.SIGINT, before)


def _print(ended: "SessionAnswer", application: "Application", as_json: bool) -> None:
    result = ended.skill.result if ended.skill else None
    if as_json:
        write_json({"session_id": ended.id, "outcome": ended.outcome, "result": result})
        if ended.error and ended.outcome != "stopped":
            say(ended.error)
    else:
        from loreweave.faces.cli.terminal.session_views import show_session

        show_session(ended)


def build(
    spec: Annotated[
        str, typer.Argument(metavar="SPEC.json", help="A spec; with --continue, the next wish in plain words.")
    ],
    watch: Annotated[
        bool, typer.Option("--watch", help="Print every event, one a line, instead of the result.")
    ] = False,
    workspace: Annotated[
        str | None, typer.Option("--workspace", metavar="FOLDER", help="A folder below LORE_WORKSPACE_ROOT.")
    ] = None,
    continues: Annotated[
        str | None, typer.Option("--continue", metavar="SESSION", help="Take the work of this build further.")
    ] = None,
    data: Data = None,
    json: Json = False,
) -> None:
    """Build what a spec asks for. Gates and questions come on stderr, lines of stdin answer them."""
    value = _start_of(spec, workspace, continues)

    def begin(application: "Application") -> "SessionAnswer":
        if continues is not None:
            value["continues"] = application.sessions.whole_id(continues)
        begun = application.sessions.get(application.builds.begin(value).session_id)
        for warning in begun.warnings:
            say(f"{warning}.")
        return begun.model_copy(update={"last_seq": 0, "questions": [], "gates": []})  # all of it is news

    printed = (lambda *_: None) if watch else None  # everything is printed as it comes
    run_here(begin, data, json, "made", printed=printed, each=_print_event if watch else None)


def _start_of(spec: str, workspace: str | None, continues: str | None) -> dict[str, Any]:
    """What is sent over the wire for it."""
    if continues is not None:
        if spec.endswith(".json") and Path(spec).is_file():
            raise InvalidInput("With --continue the wish is given in words", field="spec")
        value: dict[str, Any] = {"spec": {"project": {"goal": spec}}}
    else:
        if " " in spec.strip() and not spec.endswith(".json") and not Path(spec).exists():
            said = json_format.dumps({"project": {"goal": spec}}, ensure_ascii=False)
            raise InvalidInput(f"A build begins with a file. This is a whole spec: {said}", field="spec")
        given = read_json_file(spec, "spec")
        value = given if isinstance(given.get("spec"), dict) else {"spec": given}
    return {**value, "workspace_path": workspace} if workspace is not None else value


def _print_event(frame: str) -> None:
    write(f"{frame}\n".encode("utf-8", "replace"))


def _print_build(ended: "SessionAnswer", application: "Application", as_json: bool) -> None:
    if as_json:
        told = {"summary": _summary(application, ended), "nugget_dir": ended.nugget_dir, "url": ended.url}
        write_json({"session_id": ended.id, "outcome": ended.outcome, **told})
        return
    from loreweave.faces.cli.terminal.session_views import show_session

    show_session(ended)
    if ended.url and ended.outcome in ("success", "partial") and sys.stdin is not None and sys.stdin.isatty():
        say(f"The page is shown at {ended.url} until you press Enter.")
        sys.stdin.readline()


def _summary(application: "Application", ended: "SessionAnswer") -> str | None:
    last = application.sessions.events(ended.id, max(0, ended.last_seq - 1)).events
    told = last[-1] if last else {}
    summary: str | None = told.get("summary") or told.get("message")
    return summary
