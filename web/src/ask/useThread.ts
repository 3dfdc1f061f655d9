import { useCallback, useEffect, useRef, useState } from "react";
import { ApiError } from "../api";
import { goTo } from "../shell/useAddress";
import { askTurn, isThreadId, keepTurn, newThreadId, readThread, type ReadSource, type ThreadTurn } from "./threadApi";

export interface ShownTurn extends ThreadTurn {
  /** Said about how it ended: no model, cut off, a fault. */
  note: string;
}

export interface ThreadState {
  turns: ShownTurn[];
  graph: string | null;
  /** The number of the turn that is being answered. */
  running: number | null;
  error: ApiError | null;
  ask: (query: string, number?: number) => void;
  stop: () => void;
}

const shown = (turn: ThreadTurn): ShownTurn => ({ ...turn, note: turn.mode === "failed" ? "The answer broke off." : "" });

/** One conversation, of the space it was begun in, else of the `latest`. It is kept by the server from its first question on, so that its address can be sent. */
export function useThread(id: string | null, graphAsked: string, latest: string | null): ThreadState {
  const [turns, setTurns] = useState<ShownTurn[]>([]);
  const [graph, setGraph] = useState<string | null>(graphAsked || null);
  const [running, setRunning] = useState<number | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  const abort = useRef<AbortController | null>(null);
  const own = useRef<string | null>(null); // begun here: nothing to read of it

  useEffect(() => {
    if (id !== null && id === own.current) return;
    abort.current?.abort();
    own.current = null;
    setTurns([]);
    setRunning(null);
    setError(null);
    setGraph(graphAsked || null);
    if (id === null) return;
    const reading = new AbortController();
    if (!isThreadId(id)) {
      setError(new ApiError("There is no conversation at this address. It may have been cut short on its way here.", "not_found", 404));
      return;
    }
    readThread(id, reading.signal).then(
      (thread) => {
        setTurns(thread.asked.map(shown));
        setGraph(thread.graphId);
      },
      (failure: unknown) => {
        if (!reading.signal.aborted) setError(failure instanceof ApiError ? failure : new ApiError("The page could not read the answer.", "page_fault", 0));
      },
    );
    return () => reading.abort();
  }, [id, graphAsked]);
  useEffect(() => () => abort.current?.abort(), []);

  const stop = useCallback(() => abort.current?.abort(), []);

  const ask = (query: string, number = turns.length) => {
    abort.current?.abort();
    const stopping = (abort.current = new AbortController());
    const thread = id ?? newThreadId();
    own.current = thread;
    const before = turns.slice(0, number);
    const space = graph ?? latest; // the one that is named above the question
    setGraph(space);
    let turn: ShownTurn = { query, answer: "", mode: "stopped", model: "", sources: [], unverified: [], note: "" };
    const show = (change: Partial<ShownTurn>) => {
      turn = { ...turn, ...change };
      if (own.current === thread) setTurns([...before, turn]);
    };
    const keep = async () => {
      const { note: _, ...kept } = turn;
      await keepTurn(thread, number, space, kept);
    };
    show({});
    setRunning(number);
    setError(null);
    if (id === null) goTo(`/ask/${thread}`);
    void (async () => {
      try {
        await keep();
        const hearer = {
          read: (sources: ReadSource[]) => show({ sources: [...turn.sources, ...sources] }),
          text: (piece: string) => show({ answer: turn.answer + piece }),
        };
        const end = await askTurn(before, query, space, stopping.signal, hearer);
        show({ mode: end.mode, model: end.model, unverified: end.unverified, note: end.warning ?? (end.truncated ? "The answer was cut off at its length limit." : "") });
      } catch (failure) {
        if (stopping.signal.aborted) show({ mode: "stopped" });
        else show({ mode: "failed", note: failure instanceof Error ? failure.message : "The answer broke off." });
      }
      // Why there is none says more than that it was not kept.
      await keep().catch(() => show({ note: turn.note || "This answer could not be kept: the server did not take it." }));
      if (abort.current === stopping) setRunning(null);
    })();
  };
  return { turns, graph, running, error, ask, stop };
}
