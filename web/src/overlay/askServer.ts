/** Talking to /api/ask: suggestions, keyword results, streamed answers, feedback. */

export interface Result {
  id: string;
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

export interface Listener {
  search(query: string): void;
  sources(sources: Source[]): void;
  token(text: string): void;
  done(end: { answerId?: string; unverified?: string[]; truncated?: boolean }): void;
  error(message: string): void;
  /** No model answered: results and why. */
  keyword(results: Result[], warning: string): void;
}

export class AskServer {
  constructor(
    private readonly endpoint: string,
    private readonly graph: string | null,
  ) {}

  async suggestions(signal: AbortSignal): Promise<{ suggestions: string[]; model: string }> {
    return this.json(await fetch(this.address(""), { signal }));
  }

  async search(query: string, signal: AbortSignal): Promise<Result[]> {
    const answer = await this.json<{ results: Result[] }>(await this.post("", { query, mode: "keyword", limit: 8 }, signal));
    return answer.results;
  }

  /** Streams until the end, a fault, or the signal. */
  async answer(query: string, history: Turn[], signal: AbortSignal, listener: Listener): Promise<void> {
    const response = await this.post("", { query, mode: "agentic", history: history.slice(-6) }, signal);
    if (!response.headers.get("content-type")?.startsWith("text/event-stream")) {
      const answer = await this.json<{ results: Result[]; warning?: string }>(response);
      listener.keyword(answer.results, answer.warning ?? "");
      return;
    }
    let ended = false;
    for await (const { event, data } of events(response)) {
      if (event === "search") listener.search(data.query);
      else if (event === "sources") listener.sources(data.sources);
      else if (event === "token") listener.token(data.text);
      else if (event === "done") listener.done(data);
      else if (event === "error") listener.error(data.error);
      ended = event === "done" || event === "error";
    }
    if (!ended) listener.error("The answer broke off.");
  }

  async feedback(answerId: string, helpful: boolean): Promise<void> {
    await this.json(await this.post("/feedback", { answerId, helpful }));
  }

  private address(path: string): string {
    const query = this.graph ? `?graph=${encodeURIComponent(this.graph)}` : "";
    return this.endpoint + path + query;
  }

  private post(path: string, body: unknown, signal?: AbortSignal): Promise<Response> {
    const headers = { "Content-Type": "application/json" };
    return fetch(this.address(path), { method: "POST", headers, body: JSON.stringify(body), signal });
  }

  private async json<T>(response: Response): Promise<T> {
    const body = await response.json().catch(() => null);
    if (!response.ok || body === null) throw new Error(body?.error ?? `The server answered ${response.status}.`);
    return body as T;
  }
}

async function* events(response: Response): AsyncGenerator<{ event: string; data: any }> {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let held = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    held += value;
    const blocks = held.split("\n\n");
    held = blocks.pop()!;
    for (const block of blocks) {
      const event = /^event: (.*)$/m.exec(block)?.[1];
      const data = /^data: (.*)$/m.exec(block)?.[1];
      if (event && data) yield { event, data: JSON.parse(data) };
    }
  }
}
