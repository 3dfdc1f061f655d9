"""A model's call of a tool, or its questions to a person, as values that can be judged and done."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from loreweave.contracts.session_events import QuestionOption, QuestionPayload
from loreweave.errors import InvalidInput, TooLarge
from loreweave.seams.models.language_model import ToolCall
from loreweave.work.agents.agent_voice import storable

WRITTEN_BYTES = 1024 * 1024
ARGUMENTS = 200
ARGUMENT_CHARACTERS = 100_000
_TEXT_CHARACTERS = 5_000
_TEXTS = {
    "read_file": ("path",),
    "write_file": ("path", "content"),
    "edit_file": ("path", "old", "new"),
    "list_files": ("path",),
    "search_files": ("pattern",),
    "read_skill": ("id",),
    "search_docs": ("query",),
    "recall": ("query",),
}
_LONG = frozenset(("content", "old", "new"))
QUESTIONS = 10
OPTIONS = 50
_QUESTION_CHARACTERS = 2_000
_NAME_CHARACTERS = 200


@dataclass(frozen=True, slots=True)
class FileCall:
    name: Literal["read_file", "write_file", "edit_file", "list_files", "search_files"]
    path: str
    texts: Mapping[str, str]

    @property
    def writes(self) -> bool:
        return self.name in ("write_file", "edit_file")


@dataclass(frozen=True, slots=True)
class CommandCall:
    argv: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LookUpCall:
    name: str
    text: str


@dataclass(frozen=True, slots=True)
class PortalCall:
    name: str
    arguments: Mapping[str, Any]


ToolRequest = FileCall | CommandCall | LookUpCall | PortalCall


def read_request(call: ToolCall) -> ToolRequest:
    """What the call asks for; `InvalidInput` or `TooLarge` where it cannot be read."""
    if call.arguments is None:
        raise InvalidInput("The arguments must be a whole JSON object; a long file is written in several parts")
    if call.name == "run_command":
        return CommandCall(_argv(call.arguments))
    if "__" in call.name:
        return PortalCall(call.name, call.arguments)
    if call.name not in _TEXTS:
        raise InvalidInput("There is no such tool")
    texts = {name: _text(call.arguments, name) for name in _TEXTS[call.name]}
    if call.name in ("read_skill", "search_docs", "recall"):
        return LookUpCall(call.name, next(iter(texts.values())))
    return FileCall(call.name, texts.get("path", "."), texts)  # type: ignore[arg-type]


def _text(arguments: Mapping[str, Any], name: str) -> str:
    value = arguments.get(name)
    if not isinstance(value, str) or (not value and name not in _LONG):
        raise InvalidInput(f"{name} must be text", field=name)
    if len(value.encode("utf-8", "replace")) > (WRITTEN_BYTES if name in _LONG else _TEXT_CHARACTERS):
        raise TooLarge(f"{name} is too long", what=name)
    return value


def _argv(arguments: Mapping[str, Any]) -> tuple[str, ...]:
    argv = arguments.get("argv")
    if not isinstance(argv, list) or not argv or not all(isinstance(part, str) for part in argv) or not argv[0]:
        raise InvalidInput("argv must be a list of texts that begins with a program", field="argv")
    if len(argv) > ARGUMENTS or sum(map(len, argv)) > ARGUMENT_CHARACTERS:
        raise TooLarge("argv is too long", what="argv")
    if any("\0" in part for part in argv):
        raise InvalidInput("argv must not contain the character NUL", field="argv")
    return tuple(argv)


def read_questions(call: ToolCall) -> list[QuestionPayload]:
    given = (call.arguments or {}).get("questions")
    if not isinstance(given, list) or not 1 <= len(given) <= QUESTIONS:
        raise InvalidInput(f"questions must be a list of one to {QUESTIONS} questions", field="questions")
    found = [_question(each) for each in given]
    if len({question.header for question in found}) < len(found):
        raise InvalidInput("Each question needs a header of its own", field="questions")
    return found


def _question(given: Any) -> QuestionPayload:
    if not isinstance(given, Mapping):
        raise InvalidInput("A question is an object with question, header and options", field="questions")
    options = given.get("options", [])
    if not isinstance(options, list) or len(options) > OPTIONS:
        raise InvalidInput(f"options must be a list of at most {OPTIONS}", field="questions")
    return QuestionPayload(
        question=_said(given.get("question"), "question", _QUESTION_CHARACTERS),
        header=_said(given.get("header"), "header", _NAME_CHARACTERS),
        options=[_option(option) for option in options],
        multiSelect=given.get("multiSelect") is True,
    )


def _option(given: Any) -> QuestionOption:
    if isinstance(given, str):
        given = {"label": given}
    if not isinstance(given, Mapping):
        raise InvalidInput("An option is an object with label and description", field="questions")
    description = given.get("description")
    return QuestionOption(
        label=_said(given.get("label"), "label", _NAME_CHARACTERS),
        description=_said(description, "description", _QUESTION_CHARACTERS) if description else "",
    )


def _said(value: Any, name: str, limit: int) -> str:
    if not isinstance(value, str) or not value.strip() or len(value) > limit:
        raise InvalidInput(f"{name} must be text of at most {limit:,} characters", field="questions")
    return storable(value)
