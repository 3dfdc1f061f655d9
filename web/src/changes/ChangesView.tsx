import { readChanges } from "../api";
import { ErrorNote } from "../shell/ErrorNote";
import type { GraphModel } from "../shell/graphModel";
import { useFetched } from "../shell/useFetched";
import { ChangeList, countChanges } from "./ChangeList";

/** What the present revision changed, against the one before it. */
export function ChangesView({ model, graphId }: { model: GraphModel; graphId: string }) {
  const [fetched, again] = useFetched(graphId, (signal) => readChanges(graphId, signal));
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
        Comparing…
      </p>
    );
  }
  const { changes, revision } = fetched.value;
  const first = changes.changed + changes.removed + changes.unchanged === 0;
  const none = changes.added + changes.changed + changes.removed === 0;
  return (
    <section className="change-sheet findings" aria-label="Changes">
      <h2>Revision {revision}</h2>
      <p className="lead">
        {first
          ? "The first reading: every note is new. Read the notes in again to see what changed since."
          : none
            ? "No file changed, only how pages are addressed."
            : `Since the revision before: ${countChanges(changes)}.`}
      </p>
      <ChangeList answer={fetched.value} model={model} />
    </section>
  );
}
