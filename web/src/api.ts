// The typed client of /api/skillgraph; sessions have theirs beside their page. One function a door; every failure is an ApiError with the server's own sentence.

import type {
  ChangesAnswer,
  ContextAnswer,
  Gap,
  GraphCard,
  GraphExport,
  GraphSummary,
  IngestAnswer,
  KeptPlaces,
  Level,
  NodeAtLevel,
  PageAnswer,
  RevisionSummary,
  SearchAnswer,
  TraverseAnswer,
  ValidateAnswer,
} from "./wire";

const ROOT = "/api/skillgraph";
const TOKEN_KEY = "loreweave.token";

export class ApiError extends Error {
  constructor(
    sentence: string,
    readonly code: string,
    readonly status: number,
    readonly facts: Record<string, unknown> = {},
  ) {
    super(sentence);
  }
}

export function keepToken(token: string): void {
  sessionStorage.setItem(TOKEN_KEY, token);
}

export const hasToken = () => sessionStorage.getItem(TOKEN_KEY) !== null;

/** What a WebSocket says about who opens it: pages cannot set headers there, so a token stands beside the name. */
export function socketProtocols(): string[] {
  const token = sessionStorage.getItem(TOKEN_KEY);
  return token ? ["loreweave", `bearer.${token}`] : [];
}

function accessHeaders(): Record<string, string> {
  const token = sessionStorage.getItem(TOKEN_KEY);
  return token ? { Authorization: `Bearer ${token}` } : {};
}

/** Reads an error answer; a body in any other shape still yields a sentence a person can act on. */
export function errorFrom(status: number, body: string): ApiError {
  try {
    const { error, code, ...facts } = JSON.parse(body) as Record<string, unknown>;
    if (typeof error === "string") return new ApiError(error, String(code ?? "error"), status, facts);
  } catch {
    // Not JSON: fall through to the plain sentence.
  }
  return new ApiError(`The server answered ${status} without saying why.`, "unexpected_answer", status);
}

export const UNANSWERED = "unreachable";
const UNREACHABLE = "The server did not answer. Check that it is still running, then try again.";

async function answered(address: string, options: RequestInit): Promise<Response> {
  let answer: Response;
  try {
    answer = await fetch(address, { ...options, headers: { ...options.headers, ...accessHeaders() } });
  } catch (failure) {
    if (options.signal?.aborted) throw failure;
    throw new ApiError(UNREACHABLE, UNANSWERED, 0);
  }
  if (!answer.ok) throw errorFrom(answer.status, await answer.text());
  return answer;
}

export async function call<T>(path: string, options: RequestInit = {}, root = ROOT): Promise<T> {
  return (await (await answered(root + path, options)).json()) as T;
}

/** An answer that comes in parts. */
export const openStream = (address: string, body: object, signal: AbortSignal) =>
  answered(address, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body), signal });

/** A file, asked for with the token of the tab, which a plain link could not carry. */
export const fetchFile = async (address: string) => (await answered(address, {})).blob();

function post<T>(path: string, body: object, signal?: AbortSignal): Promise<T> {
  const headers = { "Content-Type": "application/json" };
  return call<T>(path, { method: "POST", headers, body: JSON.stringify(body), signal });
}

const query = (fields: Record<string, string>) => `?${new URLSearchParams(fields)}`;

export const listGraphs = (signal?: AbortSignal) =>
  call<{ graphs: GraphSummary[] }>("/graphs", { signal }).then((answer) => answer.graphs);

/** The space that is meant where none is named: the one read last. */
export const latestOf = (graphs: GraphSummary[] = []): string | null =>
  graphs.reduce<GraphSummary | null>((last, graph) => (last && last.ingestedAt >= graph.ingestedAt ? last : graph), null)?.graphId ?? null;

export const listCards = (signal?: AbortSignal) => call<{ cards: GraphCard[] }>("/cards", { signal }).then(({ cards }) => cards);

export const readAgain = (graphId: string, basePath?: string) => post<IngestAnswer>("/reread", { graphId, ...(basePath && { basePath }) });

export const deleteGraph = (graphId: string) =>
  call<{ deleted: true }>(`/graphs/${encodeURIComponent(graphId)}`, { method: "DELETE" });

export const exportGraph = (graphId: string, signal?: AbortSignal) =>
  call<GraphExport>(`/export${query({ graphId, format: "json" })}`, { signal });

export const readNode = <L extends Level>(graphId: string, id: string, level: L, signal?: AbortSignal) =>
  call<NodeAtLevel[L]>(`/node${query({ graphId, id, level: String(level) })}`, { signal });

/** A document laid out, by its slug or its path; the first one where neither is said. */
/** A document by its slug or its note; neither asks for the first. */
export const readPage = (graphId: string, of: { slug: string } | { id: string }, signal?: AbortSignal) =>
  call<PageAnswer>(`/read${query({ graphId, ...("id" in of || of.slug ? of : {}) })}`, { signal });

export const readPlaces = (graphId: string, signal?: AbortSignal) =>
  call<{ places: KeptPlaces }>(`/places${query({ graphId })}`, { signal }).then(({ places }) => places);

export const keepPlaces = (graphId: string, places: KeptPlaces) => post<unknown>("/places", { graphId, places });

export const readChanges = (graphId: string, signal?: AbortSignal, revision?: number) =>
  call<ChangesAnswer>(`/changes${query({ graphId, ...(revision && { revision: String(revision) }) })}`, { signal });

export const readHistory = (graphId: string, signal?: AbortSignal) =>
  call<{ revisions: RevisionSummary[] }>(`/history${query({ graphId })}`, { signal }).then(({ revisions }) => revisions);

export const readTextDiff = (graphId: string, revision: number, path: string) =>
  call<{ diff: string; cut: boolean }>(`/diff${query({ graphId, revision: String(revision), path })}`);

export const watchGraph = (graphId: string, watching: boolean) => post<{ watching: boolean }>("/watch", { graphId, watching });

export const renameGraph = (graphId: string, name: string) => post<{ name: string }>("/rename", { graphId, name });

export const validateGraph = (graphId: string, signal?: AbortSignal) =>
  post<ValidateAnswer>("/validate", { graphId }, signal);

export const searchGraph = (
  request: { graphId: string; query: string; limit: number; domain?: string; type?: string },
  signal?: AbortSignal,
) => post<SearchAnswer>("/search", request, signal);

export const assembleContext = (
  request: { graphId: string; query: string; tokenBudget: number },
  signal?: AbortSignal,
) => post<ContextAnswer>("/context", { ...request, visited: true }, signal);

export const traverseGraph = (
  request: { graphId: string; query?: string; startNode?: string; tokenBudget: number },
  signal?: AbortSignal,
) => post<TraverseAnswer>("/traverse", { ...request, visited: true }, signal);

export const readGaps = (graph: string, signal?: AbortSignal) =>
  call<{ gaps: Gap[] }>(`/gaps${query({ graph })}`, { signal }, "/api/ask").then((answer) => answer.gaps);

export const loadDemo = (signal?: AbortSignal) => post<IngestAnswer>("/demo", {}, signal);

export const ingestGithub = (
  fields: { source: string; branch?: string; subdirectory?: string; name?: string },
  signal?: AbortSignal,
) => post<IngestAnswer>("/ingest", { sourceType: "github", ...fields }, signal);

/** Uploads by XMLHttpRequest, the only browser door that reports how much has been sent. */
export function ingestZip(
  file: File,
  fields: { subdirectory?: string; name?: string },
  onSent: (share: number) => void,
  signal: AbortSignal,
): Promise<IngestAnswer> {
  return new Promise((resolve, reject) => {
    const form = new FormData();
    form.append("sourceType", "zip");
    for (const [key, value] of Object.entries(fields)) if (value) form.append(key, value);
    form.append("file", file);
    const request = new XMLHttpRequest();
    request.open("POST", `${ROOT}/ingest`);
    for (const [key, value] of Object.entries(accessHeaders())) request.setRequestHeader(key, value);
    request.upload.onprogress = (event) => event.lengthComputable && onSent(event.loaded / event.total);
    request.upload.onload = () => onSent(1);
    request.onload = () =>
      request.status === 200
        ? resolve(JSON.parse(request.responseText) as IngestAnswer)
        : reject(errorFrom(request.status, request.responseText));
    request.onerror = () => reject(new ApiError(UNREACHABLE, UNANSWERED, 0));
    request.onabort = () => reject(new ApiError("The upload was cancelled.", "cancelled", 0));
    signal.addEventListener("abort", () => request.abort());
    request.send(form);
  });
}
