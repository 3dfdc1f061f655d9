// What the whole page knows of the server, asked for in one place: whether it answers, which model it has, who needs a person.

import { useSyncExternalStore } from "react";
import { ApiError, call } from "../api";
import { listSessions, readHealth } from "../sessions/sessionApi";
import type { Health, SessionSummary } from "../sessions/sessionWire";

export interface House {
  line: "asking" | "live" | "offline" | "locked";
  /** It wants a token, and has none or one that it does not know. */
  isLocked: boolean;
  health: Health | null;
  /** Sessions that wait for a person. */
  needy: SessionSummary[];
  /** Open tasks of the memory's inbox. */
  tasks: number;
}

const OFTEN_MS = 4_000;
const MEMORY_EVERY = 3; // rounds: what it says changes seldom
let house: House = { line: "asking", isLocked: false, health: null, needy: [], tasks: 0 };
const listeners = new Set<() => void>();
let timer: number | undefined;
let round = 0;

function change(next: Partial<House>): void {
  house = { ...house, ...next };
  for (const listener of listeners) listener();
  if (next.line === "live") for (const listener of returns) listener();
}

const returns = new Set<() => void>();

/** Called when the server next answers: what it did not answer is asked again then. */
export function whenBack(listener: () => void): () => void {
  returns.add(listener);
  return () => void returns.delete(listener);
}

async function ask(): Promise<void> {
  window.clearTimeout(timer);
  try {
    const [health, sessions] = await Promise.all([readHealth(), listSessions()]);
    const tasks = round % MEMORY_EVERY === 0 ? await openTasks() : house.tasks;
    round++;
    change({ line: "live", isLocked: false, health, needy: sessions.filter(({ waits }) => waits), tasks });
  } catch (failure) {
    const status = failure instanceof ApiError ? failure.status : 0;
    change(status === 0 || status > 403 ? { line: "offline" } : { line: "locked", isLocked: status === 401 });
  }
  timer = window.setTimeout(later, OFTEN_MS);
}

async function openTasks(): Promise<number> {
  const status = await call<{ total_tasks: number }>("/get_memetic_status", asJson({}), "/api/memory");
  return status.total_tasks;
}

const asJson = (body: object): RequestInit => ({
  method: "POST",
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify(body),
});

/** A page nobody looks at asks nothing. */
function later(): void {
  if (document.hidden) timer = window.setTimeout(later, OFTEN_MS);
  else void ask();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (listeners.size === 1) void ask();
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) window.clearTimeout(timer);
  };
}

export const useHouse = (): House => useSyncExternalStore(subscribe, () => house);

/** Asks at once, after something here changed what is counted. */
export function askHouseAgain(): void {
  round = 0;
  void ask();
}
