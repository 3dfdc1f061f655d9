"""Contract 000: what ingest, validate, stats, the list of graphs and export answer."""

from typing import Literal

from pydantic import Field

from loreweave.contracts.skill_graph import EdgeType, GraphAnswer, GraphKind, IngestWarning, Level1Node, Places
from loreweave.contracts.wire import WireValue, absent_when_none


class Metrics(WireValue):
    nodeCount: int
    edgeCount: int
    density: float
    domains: list[str]
    typeBreakdown: dict[str, int]
    clusterCount: int
    orphanCount: int


class BrokenLink(WireValue):
    source: str
    target: str
    context: str
    raw: str
    line: int | None
    suggestion: str | None


class IngestValidation(WireValue):
    score: int
    brokenLinks: list[BrokenLink]
    missingDescriptions: list[str]
    missingTypes: list[str]
    missingDomains: list[str]
    orphans: list[str]
    circularOnly: list[list[str]]


class Changes(WireValue):
    added: int
    changed: int
    removed: int
    unchanged: int


class ChangedFile(WireValue):
    path: str
    id: str | None = Field(default=None, exclude_if=absent_when_none, description="of a note; other files have none")
    name: str


class ChangesAnswer(GraphAnswer):
    """What the present revision changed: how many files, and which, the first of each list by path."""

    changes: Changes
    added: list[ChangedFile]
    changed: list[ChangedFile]
    removed: list[ChangedFile]


class RevisionSummary(WireValue):
    revision: int
    at: str
    changes: Changes
    keepsFiles: bool = Field(description="whether its files and their former texts are still kept")


class HistoryAnswer(GraphAnswer):
    """The revisions of a graph, newest first, as far back as they are kept."""

    revisions: list[RevisionSummary]


class DiffAnswer(GraphAnswer):
    """What a revision changed in one file, line by line, as a unified diff."""

    path: str
    change: Literal["added", "changed", "removed"]
    diff: str
    cut: bool = Field(description="whether there is more than is shown")


class IngestAnswer(GraphAnswer):
    kind: GraphKind
    metrics: Metrics
    validation: IngestValidation
    contentHash: str
    unchanged: bool
    changes: Changes
    warnings: list[IngestWarning]
    warningCount: int
    siteRoot: str | None = None  # below which address most of the links from a site's root name a note


class BrokenLinkIssue(BrokenLink):
    penalty: int


class FileIssue(WireValue):
    file: str
    penalty: int


class CircularIssue(WireValue):
    files: list[str]
    penalty: int


class Issues(WireValue):
    brokenLinks: list[BrokenLinkIssue]
    missingDescriptions: list[FileIssue]
    missingTypes: list[FileIssue]
    missingDomains: list[FileIssue]
    orphans: list[FileIssue]
    circularOnly: list[CircularIssue]


class Bonuses(WireValue):
    mocCoverage: int
    linkDensityHealth: int


class Deductions(WireValue):
    """What each kind of finding costs the score, by the size of the graph."""

    brokenLinks: int = 0
    missingDescriptions: int = 0
    missingTypes: int = 0
    missingDomains: int = 0
    orphans: int = 0
    circularOnly: int = 0


class ValidateAnswer(GraphAnswer):
    score: int
    maxScore: int = 100
    issues: Issues
    deductions: Deductions = Deductions()
    bonuses: Bonuses
    summary: str
    warnings: list[IngestWarning] = Field(default_factory=list)  # of reading: none costs anything
    warningCount: int = 0


class DegreeRecord(WireValue):
    nodeId: str
    value: int


class FusedSource(WireValue):
    graphId: str
    revision: int


class StatsAnswer(GraphAnswer):
    kind: GraphKind
    nodeCount: int
    edgeCount: int
    density: float
    avgDegree: float
    maxInDegree: DegreeRecord
    maxOutDegree: DegreeRecord
    clusterCount: int
    orphanCount: int
    domains: list[str]
    typeBreakdown: dict[str, int]
    edgeTypeBreakdown: dict[str, int]
    sources: list[FusedSource] | None = Field(
        default=None, exclude_if=absent_when_none, description="of a fused graph: what it was made of"
    )
    stale: bool | None = Field(
        default=None, exclude_if=absent_when_none, description="of a fused graph: a source has moved on or is gone"
    )


class GraphSummary(GraphAnswer):
    kind: GraphKind
    nodeCount: int
    edgeCount: int
    score: int
    contentHash: str
    ingestedAt: str
    name: str | None = Field(default=None, exclude_if=absent_when_none, description="what people call it")


class GraphList(WireValue):
    graphs: list[GraphSummary]


class PlacesAnswer(GraphAnswer):
    """Where notes stand on the map, as far as somebody put them there."""

    places: Places


class GraphSource(WireValue):
    """Where a graph was read; an archive that was sent cannot be read again."""

    kind: Literal["folder", "github", "zip"]
    where: str
    branch: str | None = None
    subdirectory: str | None = None


class NameAnswer(GraphAnswer):
    name: str


class GraphWatch(WireValue):
    """A folder that a server reads again by itself; `waiting`: none runs that may."""

    state: Literal["watching", "gone", "waiting"]
    told: str = Field(default="", description="why the last change was not taken in")


class WatchAnswer(GraphAnswer):
    watching: bool


class GraphCard(GraphAnswer):
    """What a card shows of a graph beside its figures."""

    source: GraphSource | None
    deductions: Deductions
    picture: list[list[float]] = Field(description="some places on its map, with their colours")
    watch: GraphWatch | None = None


class CardList(WireValue):
    cards: list[GraphCard]


class DeleteAnswer(WireValue):
    graphId: str
    deleted: Literal[True] = True


class ExportEdge(WireValue):
    source: str
    target: str
    type: EdgeType
    count: int
    contexts: list[str]


class ExportAnswer(GraphAnswer):
    """The `json` form of an export; the others are texts."""

    kind: GraphKind
    nodes: list[Level1Node]
    edges: list[ExportEdge]
