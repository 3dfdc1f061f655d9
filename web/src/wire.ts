// The shapes that cross the wire, as the server names them. Nothing here is computed by the page.

export interface GraphSummary {
  graphId: string;
  kind: string;
  revision: number;
  nodeCount: number;
  edgeCount: number;
  score: number;
  contentHash: string;
  ingestedAt: string;
  /** What people call it, where that is not its id. */
  name?: string;
}

export interface NodeCard {
  id: string;
  name: string;
  type: string;
  domain: string;
  description: string;
  tags: string[];
  inDegree: number;
  outDegree: number;
  path: string;
}

export interface Edge {
  source: string;
  target: string;
  type: string;
  count: number;
  contexts: string[];
}

export interface GraphExport {
  graphId: string;
  revision: number;
  nodes: NodeCard[];
  edges: Edge[];
}

export interface LinkedNote {
  id: string;
  name: string;
  type: string;
  context: string;
  description: string;
}

export interface NodeWithLinks extends NodeCard {
  links: LinkedNote[];
  backlinks: LinkedNote[];
}

export interface NodeSection {
  level: number;
  heading: string | null;
  text: string;
}

export interface NodeWithSections extends NodeWithLinks {
  content: string;
  sections: NodeSection[];
  tokens: number;
}

export interface WholeNode extends NodeWithLinks {
  content: string;
  tokens: number;
}

export interface GraphCard {
  graphId: string;
  revision: number;
  source: { kind: "folder" | "github" | "zip"; where: string; branch: string | null; subdirectory: string | null } | null;
  deductions: Record<string, number>;
  /** Some of the places on its map: x, y and the number of the colour. */
  picture: number[][];
  /** Of a folder that the server reads again by itself. */
  watch: { state: "watching" | "gone" | "waiting"; told: string } | null;
}

/** x and y by node id, then 1 where it is pinned, then the number of its colour. */
export type KeptPlaces = Record<string, number[]>;

export interface PageLine {
  slug: string;
  title: string;
}

export interface PageAnswer {
  graphId: string;
  revision: number;
  slug: string;
  path: string;
  /** Of the note; other documents have none. */
  id: string | null;
  title: string;
  /** Laid out and cleaned by the server. */
  html: string;
  headings: { level: number; heading: string; anchor: string }[];
  groups: { name: string | null; pages: PageLine[]; count: number }[];
  before: PageLine | null;
  after: PageLine | null;
}

export type NodeAtLevel = { 1: NodeCard; 2: NodeWithLinks; 3: NodeWithSections; 4: WholeNode };
export type Level = keyof NodeAtLevel;

export interface SearchHit extends NodeCard {
  score: number;
  matched: string[];
}

export interface SearchAnswer {
  results: SearchHit[];
  total: number;
  method: string;
}

export interface BrokenLink {
  source: string;
  target: string;
  context: string;
  raw: string;
  line: number | null;
  suggestion: string | null;
}

export interface Warning {
  code: string;
  file: string;
  line?: number | null;
  message: string;
}

export interface Metrics {
  nodeCount: number;
  edgeCount: number;
  density: number;
  domains: string[];
  typeBreakdown: Record<string, number>;
  clusterCount: number;
  orphanCount: number;
}

export interface IngestAnswer {
  graphId: string;
  kind: string;
  revision: number;
  metrics: Metrics;
  validation: {
    score: number;
    brokenLinks: BrokenLink[];
    missingDescriptions: string[];
    missingTypes: string[];
    missingDomains: string[];
    orphans: string[];
    circularOnly: [string, string][];
  };
  unchanged: boolean;
  changes: Changes;
  warnings: Warning[];
  warningCount: number;
}

export interface Changes {
  added: number;
  changed: number;
  removed: number;
  unchanged: number;
}

export interface ChangedFile {
  path: string;
  /** Files that are no notes have none. */
  id?: string;
  name: string;
}

export interface ChangesAnswer {
  graphId: string;
  revision: number;
  /** How many; the lists hold the first of each. */
  changes: Changes;
  added: ChangedFile[];
  changed: ChangedFile[];
  removed: ChangedFile[];
}

export interface RevisionSummary {
  revision: number;
  at: string;
  changes: Changes;
  /** Whether its files and their former texts are still kept. */
  keepsFiles: boolean;
}

export interface FileFault {
  file: string;
  penalty: number;
}

export interface PairFault {
  files: [string, string];
  penalty: number;
}

export interface ValidateAnswer {
  graphId: string;
  revision: number;
  score: number;
  maxScore: number;
  issues: {
    brokenLinks: (BrokenLink & { penalty: number })[];
    missingDescriptions: FileFault[];
    missingTypes: FileFault[];
    missingDomains: FileFault[];
    orphans: FileFault[];
    circularOnly: PairFault[];
  };
  /** What each kind of finding costs, by the size of the graph. */
  deductions: Record<keyof ValidateAnswer["issues"], number>;
  bonuses: { mocCoverage: number; linkDensityHealth: number };
  summary: string;
  /** Of reading; none of them costs anything. */
  warnings: IngestAnswer["warnings"];
  warningCount: number;
}

export interface Telemetry {
  nodesVisited: number;
  nodesLoaded: number;
  nodesSkipped: number;
  tokensUsed: number;
  tokenBudget: number;
  coveragePercent: number;
  maxDepthReached: number;
  nodesAtLevel: Record<string, number>;
}

export interface LoadedNode {
  id: string;
  name: string;
  level: 3 | 4;
  content: string;
  tokens: number;
  depth: number;
  score: number;
  reason: string;
  /** At level 3 of a question: every heading, and how much of what stands below it is there. */
  sections?: ShownSection[];
}

export interface ShownSection {
  level: number;
  heading: string | null;
  anchor: string | null;
  tokens: number;
  shown: "full" | "part" | "none";
}

export interface NamedNode {
  id: string;
  name: string;
  level: 1;
  content: null;
  tokens: 0;
  description: string;
  score: number;
  reason: string;
}

export interface UnloadedNode {
  id: string;
  name: string;
  score: number;
  reason: string;
}

export interface ContextAnswer {
  contextPack: {
    entryPoint: string;
    nodes: (LoadedNode | NamedNode)[];
    totalTokens: number;
    tokenBudget: number;
  };
  telemetry: Telemetry;
  /** False where nothing known matches the question. */
  matched: boolean;
  /** Every visited note, best first. */
  visited?: string[];
}

export interface TraverseAnswer {
  entryPoint: { id: string; name: string; type: string; description: string };
  path: LoadedNode[];
  unloaded: UnloadedNode[];
  telemetry: Telemetry;
  matched: boolean;
  /** Every visited note, best first. */
  visited?: string[];
}

export interface Gap {
  query: string;
  reason: "no_results" | "not_covered" | "unhelpful";
  count: number;
  lastAsked: string;
}
