import { useEffect, useRef, useState } from "react";
import { HOME } from "../address";
import { ApiError, deleteGraph } from "../api";
import { ErrorNote } from "../shell/ErrorNote";
import { Link } from "../shell/Link";
import type { GraphSummary } from "../wire";

const WHEN = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

function when(text: string): string {
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? text : WHEN.format(time);
}

export function GraphTable({ graphs, changed }: { graphs: GraphSummary[]; changed: () => void }) {
  const [doomed, setDoomed] = useState<GraphSummary | null>(null);
  return (
    <>
      <ul className="graph-cards">
        {graphs.map((graph) => (
          <li key={graph.graphId}>
            <Score score={graph.score} />
            <div>
              <Link className="row-link" to={{ ...HOME, graph: graph.graphId }}>
                {graph.graphId}
              </Link>
              <p>
                {graph.nodeCount.toLocaleString("en")} notes · {graph.edgeCount.toLocaleString("en")} links · <span>revision {graph.revision}</span>
                {graph.kind === "skill" ? "" : ` · ${graph.kind}`}
              </p>
              <p className="soft">read {when(graph.ingestedAt)}</p>
            </div>
            <button type="button" className="quiet" aria-label={`Delete ${graph.graphId}`} onClick={() => setDoomed(graph)}>
              Delete
            </button>
          </li>
        ))}
      </ul>
      {doomed ? <DeleteDialog graph={doomed} close={() => setDoomed(null)} changed={changed} /> : null}
    </>
  );
}

/** A ring filled as far as the score; the figure itself stands inside. */
export function Score({ score }: { score: number }) {
  const around = 2 * Math.PI * 16;
  return (
    <svg className="score-ring" viewBox="0 0 40 40" width="44" height="44" role="img" aria-label={`Score ${score} of 100`}>
      <circle cx="20" cy="20" r="16" className="track" />
      <circle cx="20" cy="20" r="16" className="fill" strokeDasharray={`${(around * score) / 100} ${around}`} transform="rotate(-90 20 20)" />
      <text x="20" y="20.5" textAnchor="middle" dominantBaseline="central">
        {score}
      </text>
    </svg>
  );
}

function DeleteDialog({ graph, close, changed }: { graph: GraphSummary; close: () => void; changed: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [error, setError] = useState<ApiError | null>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const remove = async () => {
    try {
      await deleteGraph(graph.graphId);
      changed();
      close();
    } catch (failure) {
      setError(failure instanceof ApiError ? failure : new ApiError("It could not be deleted.", "page_fault", 0));
    }
  };
  return (
    <dialog ref={dialog} onClose={close} aria-labelledby="delete-title">
      <h2 id="delete-title">Delete {graph.graphId}?</h2>
      <p>
        Its {graph.nodeCount.toLocaleString("en")} notes leave this library. The files they were read from stay untouched.
      </p>
      {error ? <ErrorNote error={error} /> : null}
      <div className="dialog-buttons">
        <button type="button" onClick={() => dialog.current?.close()} autoFocus>
          Keep it
        </button>
        <button type="button" className="danger" onClick={remove}>
          Delete
        </button>
      </div>
    </dialog>
  );
}
