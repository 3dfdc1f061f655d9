"""The Python face: the rows of the table as calls over a library, with the fields of a request as arguments."""

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, fields
from inspect import Parameter, Signature
from pathlib import Path
from typing import Any, get_type_hints

from loreweave.application import Application, open_application
from loreweave.errors import InvalidInput, LoreError, perhaps_meant
from loreweave.faces.request_values import read_request
from loreweave.language.edits import nearest_ids
from loreweave.operations.ask_operations import ASK_OPERATIONS
from loreweave.operations.graph_operations import GRAPH_OPERATIONS
from loreweave.operations.memory_operations import MEMORY_OPERATIONS
from loreweave.operations.operation import Caller, Document, Operation
from loreweave.operations.route_operations import ROUTE_OPERATIONS
from loreweave.operations.session_operations import SESSION_OPERATIONS
from loreweave.settings import load_settings

CALLER = Caller(client="python")


class Room:
    """The operations of one part, each under its name: `room.scan(graphId="notes", query="sleep")`.

    Answers are the values that every face gives; what is refused is an error of `loreweave.errors`.
    """

    def __init__(self, name: str, application: Application, operations: Sequence[Operation]) -> None:
        self._name, self._application = name, application
        self._rows = {row.name: row for row in operations if row.call is not None}

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("_"):
            raise AttributeError(name)
        row = self._rows.get(name)
        if row is None:
            nearest = nearest_ids(name, self._rows)
            raise AttributeError(perhaps_meant(f"{self._name} has no operation {name!r}", {"nearest": nearest}))
        taken = _parameters(row)

        def operation(*unnamed: Any, **arguments: Any) -> Any:
            if unnamed:
                names = ", ".join(taken) or "none"
                raise TypeError(f"{self._name}.{name} takes its arguments by name: {names}")
            assert row.call is not None
            try:
                answer = row.call(self._application, _read(row, taken, arguments), CALLER)
            except LoreError as refusal:
                refusal.args = (perhaps_meant(refusal.message, refusal.facts),)
                raise
            return answer.body if isinstance(answer, Document) else answer

        operation.__name__, operation.__qualname__, operation.__doc__ = name, f"{self._name}.{name}", row.summary
        operation.__signature__ = Signature(list(taken.values()))  # type: ignore[attr-defined]
        return operation

    def __dir__(self) -> list[str]:
        return sorted(self._rows)


def _parameters(row: Operation) -> dict[str, Parameter]:
    """The fields of its request, and what only its address names."""
    placed = re.findall(r"{(\w+)", row.http.path) if row.http is not None else []
    found = {name: Parameter(name, Parameter.KEYWORD_ONLY, annotation=str) for name in placed}
    kinds = get_type_hints(row.request) if row.request is not None else {}  # without their bounds
    for name, told in row.request.model_fields.items() if row.request is not None else ():
        default = Parameter.empty if told.is_required() else told.get_default(call_default_factory=True)
        found[name] = Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=kinds[name])
    return found


def _read(row: Operation, taken: Mapping[str, Parameter], arguments: dict[str, Any]) -> Any:
    if row.unread:
        for name, parameter in taken.items():
            if parameter.default is Parameter.empty and name not in arguments:
                raise InvalidInput(f"{name} is required", field=name)
        return arguments
    for name in arguments:
        if name not in taken:
            facts = {"nearest": near} if (near := nearest_ids(name, taken)) else {}
            raise InvalidInput(f"Unknown argument {name!r}", code="invalid_argument", field=name, **facts)
    if row.read is not None:
        return row.read(arguments)
    return read_request(row.request, arguments) if row.request is not None else None


@dataclass(frozen=True)
class OpenLibrary(AbstractContextManager["OpenLibrary"]):
    """What `loreweave.open` gives; closed at the end of its `with`, or by `close`."""

    graph: Room
    ask: Room
    memory: Room
    route: Room
    sessions: Room
    close: Callable[[], None] = field(repr=False)

    def __exit__(self, *_: object) -> None:
        self.close()

    def __dir__(self) -> list[str]:
        return [each.name for each in fields(self)]


def open_library(data: str | Path | None = None, **settings: Any) -> OpenLibrary:
    """Nothing is opened before it is needed; sessions that others left are left to them."""
    chosen = load_settings(data_dir=None if data is None else Path(data), **settings)
    application = open_application(chosen, takes_work=False)
    return OpenLibrary(
        graph=Room("graph", application, GRAPH_OPERATIONS),
        ask=Room("ask", application, ASK_OPERATIONS),
        memory=Room("memory", application, MEMORY_OPERATIONS),
        route=Room("route", application, ROUTE_OPERATIONS),
        sessions=Room("sessions", application, SESSION_OPERATIONS),
        close=application.close,
    )
