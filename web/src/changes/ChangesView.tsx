import { counted } from "../counted";
import type { Address } from "../address";
import { readChanges, readHistory } from "../api";
import { ErrorNote } from "../shell/ErrorNote";
import type { GraphModel } from "../shell/graphModel";
import { Link } from "../shell/Link";
import { useFetched } from "../shell/useFetched";
import type { RevisionSummary } from "../wire";
import { ChangeList, countChanges } from "./ChangeList";

const WHEN = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
const CLOSED = "none";

/** Every revision that is kept, newest first; one of them open, with its files and what changed in them. */
export function ChangesView({ model, address }: { model: GraphModel; address: Address }) {
  const { graph } = address;
  const [fetched, again] = useFetched(`${graph} ${model.graph.revision}`, (signal) => readHistory(graph, signal));
  if (fetched.state === "failed") {
    return (
      <div className="centred">
        <ErrorNote error={fetched.error} retry={again} />
      </div>
    );
  }
  if (!fetched.value) {
    return (
      <p className="centred soft" role="status">
        Reading the history…
      </p>
    );
  }
  const open = address.rev || String(fetched.value[0]?.revision ?? CLOSED);
  return (
    <section className="change-sheet findings" aria-label="History">
      <h2>History</h2>
      <p className="lead">{fetched.value.length === 1 ? ONLY_ONE : "Each reading that found something new, newest first."}</p>
      <ol className="revisions" aria-label="Revisions">
        {fetched.value.map((row) => (
          <Revision key={row.revision} row={row} graphId={graph} model={model} isOpen={open === String(row.revision)} />
        ))}
      </ol>
    </section>
  );
}

const ONLY_ONE = "One reading so far. Read the notes again after a change, and what changed is shown here.";

function Revision({ row, graphId, model, isOpen }: { row: RevisionSummary; graphId: string; model: GraphModel; isOpen: boolean }) {
  const { changes, revision } = row;
  const time = new Date(row.at);
  const turned = changes.added + changes.changed + changes.removed;
  const isFirst = changes.changed + changes.removed + changes.unchanged === 0;
  return (
    <li>
      <Link to={{ rev: isOpen ? CLOSED : String(revision) }} className="revision-row" aria-expanded={isOpen}>
        <b>Revision {revision}</b>
        {Number.isNaN(time.getTime()) ? null : <time dateTime={row.at}>{WHEN.format(time)}</time>}
        <span className="soft">{isFirst ? `first reading: ${counted(changes.added, "file")}` : turned ? countChanges(changes) : "no file changed, only how pages are addressed"}</span>
      </Link>
      {isOpen ? <Files row={row} graphId={graphId} model={model} isFirst={isFirst} /> : null}
    </li>
  );
}

function Files({ row, graphId, model, isFirst }: { row: RevisionSummary; graphId: string; model: GraphModel; isFirst: boolean }) {
  const { revision } = row;
  const isPresent = revision === model.graph.revision;
  const [fetched, again] = useFetched(`${graphId} ${revision}`, (signal) => readChanges(graphId, signal, revision));
  if (fetched.state === "failed") return <ErrorNote error={fetched.error} retry={again} />;
  if (!fetched.value) return <p className="soft" role="status">Comparing…</p>;
  return (
    <div className="revision-files">
      {isFirst && !isPresent ? <p className="soft">Everything was new then.</p> : null}
      {!row.keepsFiles && !isFirst ? <p className="soft">The texts of this revision are no longer kept: only the newest are.</p> : null}
      <ChangeList answer={fetched.value} model={isPresent ? model : undefined} diffs={row.keepsFiles && !isFirst} />
    </div>
  );
}
