"""A model's call of a tool as a value that can be judged and done."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from loreweave.errors import InvalidInput, TooLarge
from loreweave.seams.models.model_calls import ToolCall

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


ToolRequest = FileCall | CommandCall | LookUpCall


def read_request(call: ToolCall) -> ToolRequest:
    """What the call asks for; `InvalidInput` or `TooLarge` where it cannot be read."""
    if call.arguments is None:
        raise InvalidInput("The arguments must be a JSON object")
    if call.name == "run_command":
        return CommandCall(_argv(call.arguments))
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
