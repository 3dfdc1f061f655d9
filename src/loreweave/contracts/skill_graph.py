"""Contract 000, the skill graph: requests and what is common to the answers. Names and case are the contract's."""

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, StringConstraints

from loreweave.contracts.wire import PlainValue, WireValue, absent_when_none


def _not_blank(text: str) -> str:
    """Blank is what `strip` calls blank, as everywhere else; a pattern's spaces are others."""
    if not text.strip():
        raise ValueError("must not be blank")
    return text


Text = Annotated[str, StringConstraints(max_length=10_000)]
ShortText = Annotated[str, StringConstraints(max_length=1_000)]
Filled = Annotated[
    str,
    StringConstraints(max_length=10_000),
    AfterValidator(_not_blank),
    Field(json_schema_extra={"pattern": r"\S"}),  # for readers of the schema, as near as a pattern comes
]
Name = Annotated[str, StringConstraints(min_length=1, max_length=1_000)]
Limit = Annotated[int, Field(ge=1, le=100)]
TokenBudget = Annotated[int, Field(ge=0, le=200_000)]
MaxNodes = Annotated[int, Field(ge=0, le=100)]
MaxDepth = Annotated[int, Field(ge=0, le=10)]
LevelNumber = Annotated[int, Field(ge=0, le=4)]
Visited = Annotated[bool, Field(description="whether to list the ids of all visited notes, for drawing them")]
SlugScheme = Literal["github", "astro", "mkdocs"]
ExportFormat = Literal["json", "graphml", "mermaid", "dot"]


class PageSettings(WireValue):
    """How the pages of a graph are addressed; part of its revision."""

    basePath: Annotated[str, StringConstraints(min_length=1, max_length=1_000)] = "/docs/"
    slugScheme: SlugScheme = "github"
    headingDepth: Annotated[int, Field(ge=2, le=6)] = 3


class GithubIngestRequest(PageSettings):
    sourceType: Literal["github"]
    source: Name
    branch: Name | None = None
    subdirectory: ShortText | None = None
    name: Name | None = None


class ZipIngestFields(PageSettings):
    """The form fields beside an uploaded archive."""

    sourceType: Literal["zip"]
    branch: ShortText | None = None  # one request for both kinds of source: an archive has no branches
    subdirectory: ShortText | None = None
    name: Name | None = None


class FolderIngestRequest(WireValue):
    path: Name
    name: Name | None = None
    subdirectory: ShortText | None = None


class ScanRequest(WireValue):
    graphId: Name
    query: Text = ""
    domain: ShortText | None = None
    limit: Limit = 20


class TraverseRequest(WireValue):
    graphId: Name
    startNode: Name | None = None
    query: Text = ""
    maxDepth: MaxDepth = 3
    maxNodes: MaxNodes = 8
    tokenBudget: TokenBudget = 6000
    direction: Literal["out", "in", "both"] = "out"


class ContextRequest(WireValue):
    graphId: Name
    query: Filled
    tokenBudget: TokenBudget = 6000
    maxNodes: MaxNodes = 8


class DrawnTraverseRequest(TraverseRequest):
    """For whoever draws the walk; a model that reads it has no use for so many ids."""

    visited: Visited = False


class DrawnContextRequest(ContextRequest):
    """For whoever draws what a pack was chosen from."""

    visited: Visited = False


class SearchRequest(WireValue):
    graphId: Name
    query: Text
    limit: Limit = 10
    domain: ShortText | None = None
    type: ShortText | None = None


class NodeRequest(WireValue):
    graphId: Name
    id: Name
    level: LevelNumber = 1
    section: Annotated[Name | None, Field(description="an anchor")] = None
    query: Annotated[ShortText | None, Field(description="a question")] = None


class ReadRequest(WireValue):
    """A document by its slug or path, or by the note it is; neither asks for the first."""

    graphId: Name
    slug: Name | None = None
    id: Name | None = None


Place = Annotated[list[Annotated[float, Field(allow_inf_nan=False)]], Field(min_length=2, max_length=4)]
Places = Annotated[dict[Name, Place], Field(max_length=20_000, description="x, y, 1 if pinned, colour; by node id")]


class KeepPlacesRequest(WireValue):
    graphId: Name
    places: Places


class RereadRequest(WireValue):
    """Reads a graph again from where it was read; `basePath` where its pages turned out to stand elsewhere."""

    graphId: Name
    basePath: Name | None = None


class GraphRequest(WireValue):
    """Validate and stats ask for nothing but a graph."""

    graphId: Name


class ChangesRequest(GraphRequest):
    revision: Annotated[int, Field(ge=0, description="0 is the present one")] = 0


class DiffRequest(GraphRequest):
    revision: Annotated[int, Field(ge=1)]
    path: Name


class RenameRequest(GraphRequest):
    """What people call a graph; blank takes the name back. Its id and addresses stay."""

    name: Annotated[str, StringConstraints(max_length=120)]


class WatchRequest(GraphRequest):
    """Whether the server reads the folder of a graph again whenever something changes there."""

    watching: bool


class DemoRequest(WireValue):
    """Loading the demo takes no arguments."""


class GraphsRequest(WireValue):
    """The list of graphs takes no arguments."""


class ExportRequest(WireValue):
    graphId: Name
    format: ExportFormat = "json"


class FuseRequest(WireValue):
    name: Name
    graphIds: Annotated[list[Name], Field(min_length=2, max_length=20)]


class GraphAnswer(WireValue):
    """Every answer about a graph says which, and at which revision."""

    graphId: str
    revision: int


GraphKind = Literal["skill", "fused"]
EdgeType = Literal["REFERENCES", "CLUSTERS", "EXTENDS", "CONTRADICTS", "CROSS_DOMAIN"]


class Level0Node(WireValue):
    id: str
    name: str
    type: str
    domain: str


class Level1Node(Level0Node):
    description: str
    tags: list[str]
    inDegree: int
    outDegree: int
    path: str


@dataclass(frozen=True, slots=True)
class IngestWarning(PlainValue):  # something odd that did not stop the reading
    code: str
    file: str
    message: str
    line: Annotated[int | None, Field(exclude_if=absent_when_none)] = None


@dataclass(frozen=True, slots=True)
class NodeSection(PlainValue):  # level 0 and heading None for what stands before the first heading
    level: int
    heading: str | None
    text: str


class ScanAnswer(GraphAnswer):
    results: list[Level1Node]
    total: int
    level: Literal[1] = 1


class SearchHit(Level1Node):
    score: float
    matched: list[str]


class SearchAnswer(GraphAnswer):
    results: list[SearchHit]
    total: int
    method: Literal["lexical", "hybrid"]
