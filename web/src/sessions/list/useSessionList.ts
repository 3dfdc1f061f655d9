import { useCallback, useEffect, useState } from "react";
import { ApiError } from "../../api";
import { listSessions } from "../sessionApi";
import type { SessionSummary } from "../sessionWire";

const AGAIN_MS = 4_000;
const SELDOM_MS = 60_000;
/** Here somebody has to do something first, as type a token, and is not disturbed meanwhile. */
const FINAL = [401, 403, 404];

export interface ListedSessions {
  /** Null until the first answer; the last one stays while the server is away. */
  sessions: SessionSummary[] | null;
  error: ApiError | null;
  again: () => void;
}

/** The sessions, asked for again and again: they are started, answered and ended elsewhere too. */
export function useSessionList(): ListedSessions {
  const [sessions, setSessions] = useState<SessionSummary[] | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  const [round, setRound] = useState(0);
  useEffect(() => {
    const abort = new AbortController();
    let timer: number | undefined;
    let pause = AGAIN_MS;
    const later = () => (timer = window.setTimeout(() => (document.hidden ? later() : void ask()), pause));
    const ask = async () => {
      try {
        setSessions(await listSessions(abort.signal));
        setError(null);
        pause = AGAIN_MS;
      } catch (failure) {
        if (abort.signal.aborted) return;
        const told = failure instanceof ApiError ? failure : new ApiError("The page could not read the answer.", "page_fault", 0);
        // The same trouble is told once.
        setError((last) => (last?.message === told.message ? last : told));
        if (FINAL.includes(told.status)) return;
        pause = Math.min(2 * pause, SELDOM_MS);
      }
      if (!abort.signal.aborted) later();
    };
    void ask();
    return () => {
      window.clearTimeout(timer);
      abort.abort();
    };
  }, [round]);
  return { sessions, error, again: useCallback(() => setRound((count) => count + 1), []) };
}
