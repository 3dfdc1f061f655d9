import { type FormEvent, useEffect, useRef, useState } from "react";
import { renameGraph } from "../api";
import type { GraphSummary } from "../wire";

/** What people call a graph. Its id and its addresses stay; nothing written gives the id back. */
export function RenameForm({ graph, done, fail }: { graph: GraphSummary; done: (changed: boolean) => void; fail: (failure: unknown) => void }) {
  const [name, setName] = useState(graph.name ?? graph.graphId);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.select(), []);
  const save = async (event: FormEvent) => {
    event.preventDefault();
    try {
      await renameGraph(graph.graphId, name);
      done(true);
    } catch (failure) {
      fail(failure);
    }
  };
  return (
    <form className="rename" onSubmit={save} onKeyDown={(event) => event.key === "Escape" && done(false)}>
      <input ref={field} type="text" aria-label={`Name of ${graph.graphId}`} maxLength={120} value={name} onChange={(event) => setName(event.target.value)} />
      <button type="submit">Save</button>
      <button type="button" className="quiet" onClick={() => done(false)}>
        Cancel
      </button>
    </form>
  );
}
