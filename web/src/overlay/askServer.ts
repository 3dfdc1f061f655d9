/** Talking to /api/ask: suggestions, keyword results, streamed answers, feedback. */
import { wellFormed } from "./addresses";
import { eventsOf, type StreamEvent } from "./eventStream";

export interface Result {
  title: string;
  heading?: string;
  group?: string;
  url: string;
  snippet: string;
  highlights?: [number, number][];
}

export interface Source {
  url: string;
  title?: string;
  heading?: string;
}

export interface Turn {
  query: string;
  answer: string;
}

export interface End {
  answerId?: string;
  unverified?: string[];
  truncated?: boolean;
}

export interface Listener {
  search(query: string): void;
  sources(sources: Source[]): void;
  token(text: string): void;
  done(end: End): void;
  error(message: string): void;
  /** No model answered: results and why. */
  keyword(results: Result[], warning: string): void;
}

const TURNS = 6;
const TURN_LETTERS = 4_000; // what a follow-up needs of an answer
const HISTORY_BYTES = 40_000; // the server takes a bounded body
const NOT_THIS_SITE = "The server is there but does not answer this site: its setting LORE_CORS_ORIGINS must name it.";
const BROKEN_OFF = "The answer broke off.";

export class AskServer {
  constructor(
    private readonly endpoint: string,
    private readonly graph: string | null,
    private readonly token: () => string | null,
  ) {}

  suggestions(signal: AbortSignal): Promise<{ suggestions: string[]; model: string }> {
    return this.fetch("", { signal }).then(readJson<{ suggestions: string[]; model: string }>);
  }

  /** `typing` tells that the question is not finished: nothing found is no gap yet. */
  async search(query: string, typing: boolean, signal?: AbortSignal): Promise<Result[]> {
    const body = { query: wellFormed(query), mode: "keyword", limit: 8, typing };
    const answer = await readJson<{ results: Result[] }>(await this.post("", body, signal, !typing));
    return answer.results;
  }

  /** Streams until the end, a fault, or the signal; after the signal nothing is told any more. */
  async answer(query: string, history: Turn[], signal: AbortSignal, listener: Listener): Promise<void> {
    const body = { query: wellFormed(query), mode: "agentic", history: shortened(history) };
    const response = await this.post("", body, signal);
    if (!response.headers.get("content-type")?.startsWith("text/event-stream")) {
      const answer = await readJson<{ results: Result[]; warning?: string }>(response);
      if (!signal.aborted) listener.keyword(answer.results, answer.warning ?? "");
      return;
    }
    for await (const event of eventsOf(response)) {
      if (signal.aborted) return;
      if (tell(event, listener)) return;
    }
    if (!signal.aborted) listener.error(BROKEN_OFF);
  }

  async feedback(answerId: string, helpful: boolean): Promise<void> {
    await readJson(await this.post("/feedback", { answerId, helpful }));
  }

  private fetch(path: string, options: RequestInit): Promise<Response> {
    const query = this.graph ? `?graph=${encodeURIComponent(this.graph)}` : "";
    const token = this.token();
    const headers = { ...options.headers, ...(token ? { Authorization: `Bearer ${token}` } : {}) };
    return fetch(this.endpoint + path + query, { ...options, headers }).catch(async (trouble: unknown) => {
      throw (await this.refusesThisSite(options.signal)) ? new Refusal(NOT_THIS_SITE) : trouble;
    });
  }

  /** A browser does not say which it was: the server away, or there and not letting another site read its answers. */
  private async refusesThisSite(signal?: AbortSignal | null): Promise<boolean> {
    if (signal?.aborted || new URL(this.endpoint, location.href).origin === location.origin) return false;
    return fetch(this.endpoint, { mode: "no-cors", signal: signal ?? null }).then(
      () => true,
      () => false,
    );
  }

  private post(path: string, body: unknown, signal?: AbortSignal, keepalive = false): Promise<Response> {
    const headers = { "Content-Type": "application/json" };
    return this.fetch(path, { method: "POST", headers, body: JSON.stringify(body), signal, keepalive });
  }
}

/** Passes an event on; whether it was the last. */
export function tell({ event, data }: StreamEvent, listener: Listener): boolean {
  if (event === "search") listener.search(String(data.query));
  else if (event === "sources") listener.sources(data.sources ?? []);
  else if (event === "token") listener.token(String(data.text));
  else if (event === "done") listener.done(data);
  else if (event === "error") listener.error(String(data.error ?? BROKEN_OFF));
  return event === "done" || event === "error";
}

/** The last turns, each as long as a follow-up needs it, as many as the server takes. */
export function shortened(history: readonly Turn[]): Turn[] {
  const kept: Turn[] = [];
  let room = HISTORY_BYTES;
  for (const { query, answer } of history.slice(-TURNS).reverse()) {
    const turn = { query, answer: [...answer].slice(0, TURN_LETTERS).join("") };
    room -= new TextEncoder().encode(JSON.stringify(turn)).length;
    if (room < 0) break;
    kept.unshift(turn);
  }
  return kept;
}

async function readJson<T>(response: Response): Promise<T> {
  const body = await response.json().catch(() => null);
  if (!response.ok || body === null) throw new Refusal(body?.error ?? `The server answered ${response.status}.`);
  return body as T;
}

/** What the server said no to, in its own sentence. */
export class Refusal extends Error {}
