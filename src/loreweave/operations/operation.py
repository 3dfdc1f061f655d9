"""One row of the table: what can be asked of the house, said once for every face that offers it."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel

if TYPE_CHECKING:
    from loreweave.application import Application


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks: the user where there is one, and the name that the client gives itself."""

    user: str | None = None
    client: str = "mcp"
    reads_folders: bool = True  # those of this computer
    is_stranger: bool = False  # came without the token that is needed for all but a few addresses


@dataclass(frozen=True, slots=True)
class Hints:
    """What an operation does to the world."""

    read_only: bool
    destructive: bool
    idempotent: bool


READS = Hints(read_only=True, destructive=False, idempotent=True)
ADDS = Hints(read_only=False, destructive=False, idempotent=False)
SETTLES = Hints(read_only=False, destructive=False, idempotent=True)  # once more changes nothing
REPLACES = Hints(read_only=False, destructive=True, idempotent=False)
ENDS = Hints(read_only=False, destructive=True, idempotent=True)  # for good, and once more changes nothing


@dataclass(frozen=True, slots=True)
class Document:
    """An answer that is no JSON, or JSON that is bytes already; with a name it is a file to keep, never a page."""

    body: bytes
    media_type: str = "application/json"
    filename: str | None = None


Call = Callable[["Application", Any, Caller], Any]
News = Callable[["Application", Any], Awaitable[None]]
Known = Callable[["Application", Mapping[str, Any], Caller], object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """Where HTTP offers it. Fields of the request that the path names are taken from there, the others from the
    query string, or with POST from the body."""

    method: Literal["GET", "POST", "DELETE"]
    path: str
    tag: str
    before: Known | None = None  # refuses before a query or a body is looked at
    cached: bool = False  # answered with a tag of its own, and 304 to whoever has it
    slow: bool = False  # queues among its own kind, so that quick reads always find a thread
    large: bool = False  # files come along with the question: its body may be as large as an upload
    optional: bool = False  # no body means an empty one
    takes_nul: bool = False
    loose: bool = False  # values of the address are looked up as they stand, and names nobody knows are passed over
    slash: bool = False  # a slash at the end asks for the same thing
    form: type[BaseModel] | None = None  # the fields beside an uploaded file, where a form may be sent instead
    uploads: str | None = None  # the media type of a body that is a file, and the request is in the query
    answers: tuple[str, ...] = ()  # media types of answers beside JSON


@dataclass(frozen=True, slots=True, kw_only=True)
class AsTool:
    """How a model is offered it; where a model is asked for less, with a request and a call of its own."""

    toolset: str
    title: str
    description: str
    name: str | None = None
    request: type[BaseModel] | None = None
    call: Call | None = None
    news: News | None = None  # awaited before the call, and no thread is held meanwhile
    told: type[BaseModel] | None = None  # what the schema tells, where a service reads the values itself
    plain_answer: bool = False  # the answer's schema is told without titles and references


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """`answer`: a wire value, a union or a list of them. `call`: what the service is asked; nothing where a face has
    to read or answer in parts, and so has a route written by hand."""

    name: str
    summary: str
    request: type[BaseModel] | None = None
    answer: Any = None
    call: Call | None = None
    hints: Hints = READS
    read: Callable[[Mapping[str, Any]], Any] | None = None  # where arguments are read in a way of their own
    unread: bool = False  # the service reads the values itself, and names the place of whatever is wrong
    answer_schema: dict[str, Any] | None = None  # where there is no wire value to tell it
    plain: bool = False  # schemas are told as short as can be, at every face
    http: Address | None = None
    tool: AsTool | None = None

    @property
    def tool_name(self) -> str:
        return (self.tool.name if self.tool else None) or self.name
