import { useCallback, useEffect, useState } from "react";
import { ApiError, UNANSWERED } from "../api";
import { whenBack } from "./house";

export type Fetched<T> =
  | { state: "waiting"; value?: T }
  | { state: "ready"; value: T }
  | { state: "failed"; error: ApiError; value?: undefined };

const asApiError = (failure: unknown) =>
  failure instanceof ApiError ? failure : new ApiError("The page could not read the answer.", "page_fault", 0);

/**
 * Runs `load` whenever `key` changes and drops answers that come too late. A null key asks nothing.
 * While a new answer is awaited the last one stays readable under `value`, so that views need not blink.
 */
export function useFetched<T>(
  key: string | null,
  load: (signal: AbortSignal) => Promise<T>,
  delay = 0,
): [Fetched<T>, () => void] {
  const [fetched, setFetched] = useState<Fetched<T>>({ state: "waiting" });
  const [round, setRound] = useState(0);
  useEffect(() => {
    if (key === null) {
      setFetched({ state: "waiting" });
      return;
    }
    const abort = new AbortController();
    setFetched((last) => ({ state: "waiting", value: last.value }));
    const timer = window.setTimeout(() => {
      load(abort.signal).then(
        (value) => !abort.signal.aborted && setFetched({ state: "ready", value }),
        (failure: unknown) => !abort.signal.aborted && setFetched({ state: "failed", error: asApiError(failure) }),
      );
    }, delay);
    return () => {
      window.clearTimeout(timer);
      abort.abort();
    };
    // `load` closes over exactly what `key` names.
  }, [key, round]);
  const isUnanswered = fetched.state === "failed" && fetched.error.status === 0 && fetched.error.code === UNANSWERED;
  useEffect(() => (isUnanswered ? whenBack(() => setRound((count) => count + 1)) : undefined), [isUnanswered]);
  const again = useCallback(() => setRound((count) => count + 1), []);
  return [fetched, again];
}
