// The doors of sessions and skill runs.

import { ApiError, call, fetchFile } from "../api";
import type { Given, Health, SessionEvent, SessionFacts, SessionSummary } from "./sessionWire";

const SESSIONS = "/api/sessions";
const one = (id: string) => `/${encodeURIComponent(id)}`;

function post<T>(path: string, body: object, root: string): Promise<T> {
  const headers = { "Content-Type": "application/json" };
  return call<T>(path, { method: "POST", headers, body: JSON.stringify(body) }, root);
}

export const listSessions = (signal?: AbortSignal) => call<SessionSummary[]>("", { signal }, SESSIONS);

export const readSession = (id: string, signal?: AbortSignal) => call<SessionFacts>(one(id), { signal }, SESSIONS);

export const readGiven = (id: string, signal?: AbortSignal) => call<Given>(`${one(id)}/given`, { signal }, SESSIONS);

const MOST_EVENTS = 1_000;

/** The log up to an event, page by page. */
export async function readEvents(id: string, until: number): Promise<SessionEvent[]> {
  const events: SessionEvent[] = [];
  for (;;) {
    const { events: more } = await call<{ events: SessionEvent[] }>(`${one(id)}/events?since=${events.length}&limit=${MOST_EVENTS}`, {}, SESSIONS);
    events.push(...more);
    if (more.length < MOST_EVENTS || events.length >= until) return events;
  }
}

const WORKSPACE = "/api/workspace";

export const saveDesign = (path: string, workspace_json: object) => post<{ status: "saved" }>("/save", { workspace_path: path, workspace_json }, WORKSPACE);

export const loadDesign = (path: string) => post<{ workspace: Record<string, unknown> }>("/load", { workspace_path: path }, WORKSPACE);

export interface ListedDesign {
  id: string;
  name: string;
  kind: "plan" | "build";
  saved_at: string;
}

export const listDesigns = (signal?: AbortSignal) => call<{ designs: ListedDesign[]; total: number }>("/designs", { signal }, WORKSPACE);

export const stopSession = (id: string) => post<{ status: "stopped" }>(`${one(id)}/stop`, {}, SESSIONS);

export const deleteSession = (id: string) => call<{ status: "deleted" }>(one(id), { method: "DELETE" }, SESSIONS);

export const runPlan = (request: object) => post<{ session_id: string }>("/run", request, "/api/skills");

export const answerStep = (id: string, answer: { step_id: string; question_id: string; answers: Record<string, unknown> }) =>
  post<{ status: "ok" }>(`${one(id)}/answer`, answer, "/api/skills");

/** A session and its start in one; where the start is refused, nothing is left of it. */
export async function beginBuild(start: { spec: object; continues?: string }): Promise<string> {
  const { session_id } = await post<{ session_id: string }>("", {}, SESSIONS);
  try {
    await post(`${one(session_id)}/start`, start, SESSIONS);
  } catch (failure) {
    // One that did not answer may have started all the same: only a refusal leaves nothing behind.
    if (failure instanceof ApiError && failure.status >= 400) await deleteSession(session_id).catch(() => undefined);
    throw failure;
  }
  return session_id;
}

export const answerGate = (id: string, answer: { gate_id: string; approved: boolean; feedback: string }) =>
  post<{ status: "ok" }>(`${one(id)}/gate`, answer, SESSIONS);

export const answerTask = (id: string, answer: { task_id: string; question_id: string; answers: Record<string, unknown> }) =>
  post<{ status: "ok" }>(`${one(id)}/question`, answer, SESSIONS);

export const exportBuild = (id: string) => fetchFile(`${SESSIONS}${one(id)}/export`);

export const readDiff = (id: string, sha: string) =>
  call<{ diff: string; cut: boolean }>(`${one(id)}/commits/${encodeURIComponent(sha)}`, {}, SESSIONS);

export interface Look {
  attempt: number;
  tool: "context" | "search_docs" | "recall" | "read_skill";
  asked: string;
  nodes: { id: string; level: number; tokens: number; reason: string; sections: string[] }[];
  memories: { id: string; name: string }[];
  skill: string | null;
}

export interface Provenance {
  knowledge: { graph_id: string; revision: number } | null;
  tasks: { task_id: string; remembered_as: string | null; looks: Look[] }[];
}

export const readProvenance = (id: string, task: string, signal?: AbortSignal) =>
  call<Provenance>(`${one(id)}/provenance?task_id=${encodeURIComponent(task)}`, { signal }, SESSIONS);

const BOARDS = "/api/hardware";

export const detectBoard = (signal?: AbortSignal) => call<{ detected: boolean; port?: string; board_type?: string }>("/detect", { signal }, BOARDS);

export const flashBoard = (id: string) => post<{ success: boolean; message: string }>(`/flash${one(id)}`, {}, BOARDS);

export const simulateBoard = (id: string) => post<{ status: "started" }>(`/simulate${one(id)}`, {}, BOARDS);

export const setPin = (id: string, pin: string, value: number) => post<{ status: "ok" }>(`/simulate${one(id)}/input`, { pin, value }, BOARDS);

export const readHealth = (signal?: AbortSignal) => call<Health>("/health", { signal }, "/api");

export function socketAddress(id: string, since: number): string {
  const address = new URL(`/ws/session/${encodeURIComponent(id)}?since=${since}`, window.location.href);
  address.protocol = address.protocol.replace("http", "ws");
  return address.href;
}
