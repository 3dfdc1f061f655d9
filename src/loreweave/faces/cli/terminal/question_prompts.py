"""Questions of a session, put to the person at the terminal. Somebody elsewhere may be quicker."""

import asyncio
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from loreweave.errors import Conflict, InvalidInput, LoreError
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
        """A question of a step or a task, or a gate."""
        self._open[event.get("question_id") or event["gate_id"]] = asyncio.create_task(self._put(event))

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
        if "gate_id" in event:
            _show(gate_lines(event))
            line = await self._lines.next()
            answers = None if line is None else read_gate_answer(line)
        else:
            answers = await ask_all(event["questions"], self._lines)
        if answers is None:
            await asyncio.to_thread(self._application.sessions.stop, self._session_id)
            return True
        self._sent.add(event.get("question_id") or event["gate_id"])
        try:
            await asyncio.to_thread(send_answer, self._application, self._session_id, event, answers)
        except Conflict as refusal:  # somebody else was quicker, or the session is over
            say(f"{refusal.message}.")
            return True
        except LoreError as refusal:
            say(f"{refusal.message}.")
            return False
        return True


def send_answer(application: "Application", session_id: str, asked: Mapping[str, Any], answers: dict[str, Any]) -> Any:
    """To whoever asked: a gate, a task of a build or a step of a plan."""
    if "gate_id" in asked:
        sessions = application.sessions
        return sessions.answer_gate(session_id, answers["approved"], answers["feedback"], asked["gate_id"], None)
    if asked.get("task_id") is not None:
        return application.sessions.answer_question(session_id, asked["task_id"], answers, asked["question_id"])
    value = {"step_id": asked["step_id"], "question_id": asked["question_id"], "answers": answers}
    return application.skills.answer(session_id, value)


def read_gate_answer(line: str) -> dict[str, Any]:
    """Nothing or `y` approves; every other text rejects, and says why."""
    said = line.strip()
    approved = said.casefold() in ("", "y", "yes")
    return {"approved": approved, "feedback": "" if approved else said}


def gate_lines(gate: Mapping[str, Any]) -> list[str]:
    lines = [
        gate["question"],
        *str(gate["context"]).splitlines(),
        "Enter or y approves; any other text rejects with it.",
    ]
    return [plain_line(line) for line in lines if line.strip()]


async def ask_all(questions: Sequence[Question], lines: StdinLines) -> dict[str, Any] | None:
    """The answers by header; nothing where the input has ended."""
    answers: dict[str, Any] = {}
    for question in questions:
        _show(question_lines(question))
        while question["header"] not in answers:
            line = await lines.next()
            if line is None:
                return None
            try:
                answers[question["header"]] = read_choice(question, line)
            except InvalidInput as refusal:
                say(f"{refusal.message}.")
    return answers


def read_choice(question: Question, line: str) -> str | list[str]:
    """What a line means: the number of an option, its label, or a text of its own; several where several may be."""
    labels = [option["label"] for option in question["options"]]
    several = bool(question["multiSelect"])
    texts = [part.strip() for part in line.split(",") if part.strip()] if several else [line.strip()]
    if labels and not any(texts):
        raise InvalidInput("Answer with a number, a label or a text of your own", field="answer")
    chosen = [_choice(labels, text) for text in texts]
    return chosen if several else chosen[0]


def _choice(labels: list[str], text: str) -> str:
    """A number that is no option's is a slip: as an answer it would be followed by a step that expects a label."""
    is_number = text.isascii() and text.isdigit()
    if is_number and 1 <= int(text[:9]) <= len(labels):
        return labels[int(text[:9]) - 1]
    if text in labels or not labels:
        return text
    found = next((label for label in labels if label.casefold() == text.casefold()), None)
    if found is None and is_number:
        message = f"There is no option {text[:9]}: answer with a number from 1 to {len(labels)}, or a label"
        raise InvalidInput(message, field="answer")
    return text if found is None else found


def _show(lines: Sequence[str]) -> None:
    for line in lines:
        say(line)
    if sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty():
        print("> ", end="", file=sys.stderr, flush=True)


def question_lines(question: Question) -> list[str]:
    """What is asked, then the options by their numbers."""
    lines = [f"{question['question']} [{question['header']}]"]
    for number, option in enumerate(question["options"], 1):
        description = f": {option['description']}" if option["description"] else ""
        lines.append(f"  {number}) {option['label']}{description}")
    return [plain_line(line) for line in lines]


def plain_line(text: str) -> str:
    """Texts of plans and agents on a terminal: no control character works, a line stays a line."""
    return "".join(letter if letter.isprintable() else " " for letter in text)
