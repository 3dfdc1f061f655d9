"""`lore chat`: a conversation on the terminal, or one question and its answer."""

import json as json_format
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any

import typer

from loreweave.errors import InvalidInput, LoreError
from loreweave.faces.cli.command_parts import Data, EventLines, Graph, Json, given, opened, say, write
from loreweave.faces.cli.program import DONE, FAILED

if TYPE_CHECKING:
    from loreweave.application import Application

PROMPT = "› "
SAID_CHARACTERS = 20_000  # of a message, as over the wire
MESSAGES_SENT = 13  # six turns and the question: earlier ones would not count
Budget = Annotated[
    int | None,
    typer.Option("--budget", metavar="N", help="Tokens of one request to the model, 4000 to 200000 (12000)."),
]


def add_to(app: typer.Typer) -> None:
    app.command()(chat)


def chat(
    question: Annotated[
        list[str] | None, typer.Argument(metavar="[QUESTION]", help="Asked once; by default a conversation begins.")
    ] = None,
    graph: Graph = None,
    budget: Budget = None,
    data: Data = None,
    json: Json = False,
) -> None:
    """Talk about notes, documents, memories and skills. Answers cite what was read; Ctrl-C stops one, Ctrl-D
    leaves."""
    looks_on = sys.stdout.isatty() and not json
    asked = " ".join(question or ())
    if not question and not (sys.stdin.isatty() and looks_on):
        asked = _piped_question()
    show = EventLines if json else _on_terminal if looks_on else _PlainText
    with opened(data) as application:
        talk = Conversation(application, given(graphId=graph, tokenBudget=budget), show)
        if question or asked:
            raise typer.Exit(talk.ask(asked))
        talk.go_on()


def _piped_question() -> str:
    if sys.stdin.isatty():
        raise InvalidInput("QUESTION is required where answers are not shown on a terminal", field="question")
    asked = sys.stdin.read(SAID_CHARACTERS + 1)
    if not asked.strip():
        raise InvalidInput("QUESTION is empty", field="question")
    return asked


class Conversation:
    """What was said so far, and how it goes on. Nothing of it is kept beyond the command."""

    def __init__(self, application: "Application", options: dict[str, Any], show: Callable[[], Any]) -> None:
        self._application = application
        self._options = options
        self._show = show
        self._messages: list[dict[str, str]] = []

    def go_on(self) -> None:
        """Until Ctrl-D. What is refused, or stopped by Ctrl-C, ends its own turn alone."""
        import readline  # noqa: F401  from here on lines can be edited and called back

        say("Ask away. Ctrl-C stops an answer, Ctrl-D leaves.")
        while True:
            try:
                asked = input(PROMPT)
            except EOFError:
                say("")
                return
            except KeyboardInterrupt:
                say("")
                continue
            if not asked.strip():
                continue
            try:
                self.ask(asked)
            except KeyboardInterrupt:
                say("Stopped.")
            except LoreError as refusal:
                say(f"error: {refusal.message}")

    def ask(self, question: str) -> int:
        """One turn; the exit code of a command that asks once."""
        import asyncio

        said: list[str] = []
        asked = {"role": "user", "content": question}
        try:
            return asyncio.run(self._answered([*self._messages, asked][-MESSAGES_SENT:], said))
        finally:
            if text := "".join(said)[:SAID_CHARACTERS]:  # what was stopped half-way was said, too
                self._messages += [asked, {"role": "assistant", "content": text}]

    async def _answered(self, messages: list[dict[str, str]], said: list[str]) -> int:
        from loreweave.contracts.ask import ChatRequest
        from loreweave.contracts.wire import to_json
        from loreweave.faces.request_values import read_request

        request = read_request(ChatRequest, {"messages": messages, **self._options})
        events = await self._application.chat.stream(request)
        shown = self._show()
        code = DONE
        try:
            async for event in events:
                value = json_format.loads(to_json(event))
                shown.show(event.event, value)
                if event.event == "text":
                    said.append(value["text"])
                elif event.event == "error":
                    code = FAILED
                    say(f"error: {value['error']}")
        finally:
            shown.end()
            await events.aclose()
        return code


class _PlainText:
    """The answer as text, then what it cites: for a file, or for the next command."""

    def __init__(self) -> None:
        self._titles: dict[str, str] = {}
        self._is_open = False  # a line that nobody has ended yet

    def show(self, event: str, value: dict[str, Any]) -> None:
        if event == "read":
            self._titles |= {source["id"]: source["title"] for source in value["sources"]}
        elif event == "text" and value["text"]:
            write(value["text"].encode("utf-8", "replace"))
            self._is_open = not value["text"].endswith("\n")
        elif event == "done":
            if "warning" in value:
                say(value["warning"])
            cited = value["citations"] if value["mode"] == "answer" else []  # passages stand below their links
            self.end()
            lines = [f"- {self._titles.get(one['id'], one['id'])}: {one['url']}" for one in cited]
            write("\n".join(["", "Sources:", *lines, ""] if lines else []).encode("utf-8", "replace"))

    def end(self) -> None:
        if self._is_open:
            write(b"\n")
        self._is_open = False


def _on_terminal() -> Any:
    from loreweave.faces.cli.terminal.ask_views import ChatOnTerminal

    return ChatOnTerminal()
