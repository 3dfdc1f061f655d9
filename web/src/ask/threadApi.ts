// Conversations: one turn as a stream, and those that are kept.

import { call, openStream } from "../api";
import { eventsOf } from "../overlay/eventStream";

export interface ReadSource {
  kind: "node" | "section" | "memory" | "skill";
  id: string;
  title: string;
  url: string;
  tokens: number;
  reason: string;
}

export const KINDS: Record<ReadSource["kind"], string> = { node: "note", section: "section", memory: "memory", skill: "skill" };

export interface ThreadTurn {
  query: string;
  answer: string;
  mode: "answer" | "passages" | "stopped" | "failed";
  model: string;
  sources: ReadSource[];
  unverified: string[];
}

export interface ThreadLine {
  id: string;
  title: string;
  graphId: string | null;
  turns: number;
  updatedAt: string;
}

export interface Thread extends ThreadLine {
  asked: ThreadTurn[];
}

const ROOT = "/api/chat/threads";
const MOST_KEPT = 200;

export const listThreads = (signal?: AbortSignal) => call<{ threads: ThreadLine[] }>("", { signal }, ROOT).then(({ threads }) => threads);

export const readThread = (id: string, signal?: AbortSignal) => call<Thread>(`/${encodeURIComponent(id)}`, { signal }, ROOT);

export const deleteThread = (id: string) => call<{ deleted: true }>(`/${encodeURIComponent(id)}`, { method: "DELETE" }, ROOT);

export function keepTurn(id: string, number: number, graphId: string | null, turn: ThreadTurn): Promise<Thread> {
  const kept = { ...turn, unverified: turn.unverified.slice(0, MOST_KEPT).map((text) => text.slice(0, MOST_KEPT)) };
  const body = JSON.stringify({ number, turn: kept, ...(graphId && { graphId }) });
  return call<Thread>(`/${encodeURIComponent(id)}`, { method: "POST", headers: { "Content-Type": "application/json" }, body }, ROOT);
}

export const isThreadId = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);

/** A random id of the usual form, also where the page came without https and the browser withholds its own. */
export function newThreadId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

export interface TurnEnd {
  mode: "answer" | "passages";
  model: string;
  unverified: string[];
  warning?: string;
  truncated?: boolean;
}

export interface Hearer {
  read(sources: ReadSource[]): void;
  text(piece: string): void;
}

const BROKEN_OFF = "The answer broke off.";
const REMEMBERED = 6;
const LONGEST = 20_000;

/** Asks the next question of a conversation; what breaks off is an error with a sentence. */
export async function askTurn(before: ThreadTurn[], query: string, graphId: string | null, signal: AbortSignal, hearer: Hearer): Promise<TurnEnd> {
  const said = before.slice(-REMEMBERED).flatMap((turn) => [
    { role: "user", content: turn.query },
    ...(turn.answer ? [{ role: "assistant", content: turn.answer.slice(0, LONGEST) }] : []),
  ]);
  const body = { messages: [...said, { role: "user", content: query }], ...(graphId && { graphId }) };
  const response = await openStream("/api/chat", body, signal);
  for await (const { event, data } of eventsOf(response)) {
    if (event === "read") hearer.read(data.sources as ReadSource[]);
    else if (event === "text") hearer.text(String(data.text));
    else if (event === "done") return data as TurnEnd;
    else if (event === "error") throw new Error(String(data.error ?? BROKEN_OFF));
  }
  throw new Error(BROKEN_OFF);
}
