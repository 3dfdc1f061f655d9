"""Questions of a session, put to the person at the terminal. Somebody elsewhere may be quicker."""

import asyncio
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from loreweave.errors import Conflict, LoreError
from loreweave.faces.cli.command_parts import say
from loreweave.faces.cli.terminal.stdin_lines import StdinLines, forget_typed

if TYPE_CHECKING:
    from loreweave.application import Application

Question = Mapping[str, Any]


class QuestionPrompts:
    """One question at a time is asked; each goes away once it is answered, by whomever."""

    def __init__(self, application: "Application", session_id: str) -> None:
        self._application = application
        self._session_id = session_id
        self._lines = StdinLines()
        self._turn = asyncio.Lock()
        self._open: dict[str, asyncio.Task[None]] = {}
        self._sent: set[str] = set()

    def open(self, event: Mapping[str, Any]) -> None:
        self._open[event["question_id"]] = asyncio.create_task(self._put(event))

    def close(self, question_id: str, *, in_time: bool) -> None:
        task = self._open.pop(question_id, None)
        if task is None or task.done():
            return
        task.cancel()
        if question_id not in self._sent:
            say("This was answered elsewhere." if in_time else "Nobody answered in time.")
            forget_typed()

    async def close_all(self) -> None:
        """Whoever still waits has nothing to wait for; a fault of ours among them is not passed over."""
        tasks = list(self._open.values())
        for task in tasks:
            task.cancel()
        for outcome in await asyncio.gather(*tasks, return_exceptions=True):
            if isinstance(outcome, Exception):
                raise outcome

    async def _put(self, event: Mapping[str, Any]) -> None:
        async with self._turn:
            while not await self._try(event):
                pass

    async def _try(self, event: Mapping[str, Any]) -> bool:
        """False where it has to be asked again."""
        answers: dict[str, Any] = {}
        for question in event["questions"]:
            answer = await self._answer_to(question)
            if answer is None:
                await asyncio.to_thread(self._application.sessions.stop, self._session_id)
                return True
            answers[question["header"]] = answer
        self._sent.add(event["question_id"])
        value = {"step_id": event["step_id"], "question_id": event["question_id"], "answers": answers}
        try:
            await asyncio.to_thread(self._application.skills.answer, self._session_id, value)
        except Conflict as refusal:  # somebody else was quicker, or the session is over
            say(f"{refusal.message}.")
            return True
        except LoreError as refusal:
            say(f"{refusal.message}.")
            return False
        return True

    async def _answer_to(self, question: Question) -> Any:
        """Nothing where the input has ended."""
        _show(question)
        while (line := await self._lines.next()) is not None:
            answer = read_choice(question, line)
            if answer or not question["options"]:
                return answer
            say("Answer with a number, a label or a text of your own.")
        return None


def read_choice(question: Question, line: str) -> str | list[str]:
    """What a line means: the number of an option, its label, or a text of its own; several where several may be."""
    labels = [option["label"] for option in question["options"]]
    if question["multiSelect"]:
        return [_choice(labels, part.strip()) for part in line.split(",") if part.strip()]
    return _choice(labels, line.strip())


def _choice(labels: list[str], text: str) -> str:
    if text.isascii() and text.isdigit() and 1 <= int(text[:9]) <= len(labels):
        return labels[int(text[:9]) - 1]
    if text in labels:
        return text
    return next((label for label in labels if label.casefold() == text.casefold()), text)


def _show(question: Question) -> None:
    say(plain_line(f"{question['question']} [{question['header']}]"))
    for number, option in enumerate(question["options"], 1):
        description = f": {option['description']}" if option["description"] else ""
        say(plain_line(f"  {number}) {option['label']}{description}"))
    if sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty():
        print("> ", end="", file=sys.stderr, flush=True)


def plain_line(text: str) -> str:
    """Texts of plans and agents on a terminal: no control character works, a line stays a line."""
    return "".join(letter if letter.isprintable() else " " for letter in text)
