import { useEffect, useState } from "react";
import { exportGraph, listGraphs } from "../api";
import type { GraphExport } from "../wire";
import { type Fetched, useFetched } from "../shell/useFetched";

const OFTEN_MS = 3_000;

/**
 * A graph as it is by now: read again by a watch, an agent or another tab, it takes the place of the one that is
 * shown. What cannot be asked for meanwhile is asked for the next time; the last one stays. Also whether that happened.
 */
export function useGraph(graphId: string): [Fetched<GraphExport>, () => void, boolean] {
  const [fetched, again] = useFetched(graphId, (signal) => exportGraph(graphId, signal));
  const [newer, setNewer] = useState<GraphExport | null>(null);
  const shown = newer ?? fetched.value;
  useEffect(() => {
    if (!shown) return;
    const abort = new AbortController();
    const look = async () => {
      if (!document.hidden) {
        const graphs = await listGraphs(abort.signal);
        const now = graphs.find((graph) => graph.graphId === graphId);
        if (now && now.revision !== shown.revision) return setNewer(await exportGraph(graphId, abort.signal));
      }
      wait();
    };
    let timer = 0;
    const wait = () => (timer = window.setTimeout(() => look().catch(() => abort.signal.aborted || wait()), OFTEN_MS));
    wait();
    return () => {
      window.clearTimeout(timer);
      abort.abort();
    };
  }, [graphId, shown]);
  return [newer && fetched.state === "ready" ? { state: "ready", value: newer } : fetched, again, newer !== null];
}
