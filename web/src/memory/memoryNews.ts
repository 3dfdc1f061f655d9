// What another process changes is seen within seconds: one counter is looked at, and where it has moved all that is shown is
// asked for again. What the server does not answer keeps what is shown; that the line is broken is said once, above.

import { useEffect, useState, useSyncExternalStore } from "react";
import { ApiError } from "../api";
import { askHouseAgain } from "../shell/house";
import { askMemory, type Changes, type Memory } from "./memoryApi";

const OFTEN_MS = 2_000;
const MINUTE_MS = 60_000;

/** `heard` changes whenever something may look different; `ahead` is how far the server's clock is before ours. */
interface News {
  heard: string;
  ahead: number;
}

let news: News = { heard: "", ahead: 0 };
let timer: number | undefined;
let silences = 0;
let silent = false;
const listeners = new Set<() => void>();

async function listen(): Promise<void> {
  window.clearTimeout(timer);
  try {
    const { revision, now } = await askMemory<Changes>("list_changes", { limit: 1 });
    if (silent) silences++;
    silent = false;
    const time = Date.parse(now);
    const heard = `${revision} ${silences} ${Math.floor(time / MINUTE_MS)}`;
    if (heard !== news.heard) {
      const moved = news.heard !== "";
      news = { heard, ahead: time - Date.now() };
      for (const listener of listeners) listener();
      if (moved) askHouseAgain();
    }
  } catch {
    silent = true;
  }
  if (listeners.size > 0) timer = window.setTimeout(later, OFTEN_MS);
}

function later(): void {
  if (document.hidden) timer = window.setTimeout(later, OFTEN_MS);
  else void listen();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (listeners.size === 1) void listen();
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) window.clearTimeout(timer);
  };
}

export const useNews = (): News => useSyncExternalStore(subscribe, () => news);

/** At once, after a change of our own. */
export const listenNow = (): Promise<void> => listen();

export const useServerTime = (): number => Date.now() + useNews().ahead;

export interface Told<T> {
  value?: T;
  error?: ApiError;
}

const isSilence = (error: ApiError) => error.status === 0 || error.status === 502 || error.status === 503;

/** The answer of a tool, kept fresh. Null asks nothing. Other arguments begin anew where `keep` is not said. */
export function useTold<T>(tool: string, given: object | null, keep = false): Told<T> {
  const { heard } = useNews();
  const asked = given && JSON.stringify(given);
  const [told, setTold] = useState<Told<T> & { asked: string | null }>({ asked });
  useEffect(() => {
    if (asked === null || heard === "") return;
    const abort = new AbortController();
    askMemory<T>(tool, JSON.parse(asked) as object, abort.signal).then(
      (value) => setTold({ value, asked }),
      (failure: unknown) => {
        if (abort.signal.aborted) return;
        const error = failure instanceof ApiError ? failure : new ApiError("The page could not read the answer.", "page_fault", 0);
        setTold((last) => (isSilence(error) && last.asked === asked ? last : { error, asked }));
      },
    );
    return () => abort.abort();
  }, [tool, asked, heard]);
  if (asked === null) return {};
  return told.asked === asked || keep ? told : {};
}

/** Whole memories in any state, by id; looking at them counts as no access. */
export function useShown(nodeIds: string[]): Map<string, Memory> {
  const ids = [...new Set(nodeIds)].sort().slice(0, 100);
  const { value } = useTold<{ items: Memory[] }>("show_memories", ids.length > 0 ? { node_ids: ids } : null, true);
  return new Map((value?.items ?? []).map((memory) => [memory.node_id, memory]));
}
