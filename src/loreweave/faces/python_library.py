"""The Python face: the rows of the table as calls over a library, with the fields of a request as arguments."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from loreweave.application import Application, open_application
from loreweave.faces.request_values import read_request
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

    def __init__(self, application: Application, operations: Sequence[Operation]) -> None:
        self._application = application
        self._rows = {row.name: row for row in operations if row.call is not None}

    def __getattr__(self, name: str) -> Callable[..., Any]:
        row = self._rows.get(name) if not name.startswith("_") else None
        if row is None:
            raise AttributeError(f"there is no operation {name!r} here")

        def operation(**arguments: Any) -> Any:
            assert row.call is not None
            answer = row.call(self._application, _read(row, arguments), CALLER)
            return answer.body if isinstance(answer, Document) else answer

        operation.__name__, operation.__doc__ = name, row.summary
        return operation

    def __dir__(self) -> list[str]:
        return sorted(self._rows)


def _read(row: Operation, arguments: dict[str, Any]) -> Any:
    if row.read is not None:
        return row.read(arguments)
    if row.unread:
        return arguments
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


def open_library(data: str | Path | None = None, **settings: Any) -> OpenLibrary:
    """Nothing is opened before it is needed; sessions that others left are left to them."""
    chosen = load_settings(data_dir=None if data is None else Path(data), **settings)
    application = open_application(chosen, takes_work=False)
    return OpenLibrary(
        graph=Room(application, GRAPH_OPERATIONS),
        ask=Room(application, ASK_OPERATIONS),
        memory=Room(application, MEMORY_OPERATIONS),
        route=Room(application, ROUTE_OPERATIONS),
        sessions=Room(application, SESSION_OPERATIONS),
        close=application.close,
    )
