"""Questions that a model wants to ask a person, as far as they can be read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from loreweave.contracts.session_events import QuestionOption, QuestionPayload
from loreweave.errors import InvalidInput
from loreweave.seams.models.model_calls import ToolCall

QUESTIONS = 10
OPTIONS = 50
_QUESTION_CHARACTERS = 2_000
_NAME_CHARACTERS = 200


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
        question=_text(given.get("question"), "question", _QUESTION_CHARACTERS),
        header=_text(given.get("header"), "header", _NAME_CHARACTERS),
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
        label=_text(given.get("label"), "label", _NAME_CHARACTERS),
        description=_text(description, "description", _QUESTION_CHARACTERS) if description else "",
    )


def _text(value: Any, name: str, limit: int) -> str:
    if not isinstance(value, str) or not value.strip() or len(value) > limit:
        raise InvalidInput(f"{name} must be text of at most {limit} characters", field="questions")
    return value.encode("utf-8", "replace").decode().replace("\0", "")
