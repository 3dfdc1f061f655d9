import { useState } from "react";
import { ApiError } from "../../api";
import { EmptyWeave } from "../../library/Weave";
import { ErrorNote } from "../../shell/ErrorNote";
import { restoreMemory } from "../changing";
import { restOf, titleOf, type Trash, type ViewProps } from "../memoryApi";
import { useServerTime, useShown, useTold } from "../memoryNews";
import { timeLeft } from "./changeWords";
import { EraseDialog } from "./EraseDialog";
import { TakeBack } from "./TakeBack";

type Item = Trash["items"][number];

/** What can still come back, and for how long on the server's clock. */
export function TrashView({ open }: ViewProps) {
  const { value, error } = useTold<Trash>("list_deleted", { limit: 200 }, true);
  const [erased, setErased] = useState<Item | null>(null);
  const [refused, setRefused] = useState<ApiError | null>(null);
  const now = useServerTime();
  const sources = useShown(value?.merges.flatMap(({ source_ids }) => source_ids) ?? []);
  if (error && !value) return <ErrorNote error={error} />;
  if (!value) {
    return (
      <p className="memory-lead soft" role="status">
        Looking into the trash…
      </p>
    );
  }
  const restore = (item: Item) => {
    setRefused(null);
    restoreMemory(item).catch((failure: unknown) => setRefused(failure instanceof ApiError ? failure : new ApiError("That did not work.", "page_fault", 0)));
  };
  if (value.items.length + value.merges.length === 0) {
    return (
      <div className="memory-empty">
        <EmptyWeave />
        <h2>The trash is empty</h2>
        <p>What is forgotten comes here and can come back whole for thirty days; so can what was merged.</p>
      </div>
    );
  }
  return (
    <div className="memory-trash">
      {refused ? <ErrorNote error={refused} /> : null}
      {value.items.length > 0 ? (
        <section aria-label="Forgotten">
          <h2>Forgotten</h2>
          <ul className="memory-rows">
            {value.items.map((item) => (
              <li key={item.node_id}>
                <div>
                  <button type="button" className="link memory-name" onClick={() => open(item.node_id)}>
                    {titleOf(item.name, item.preview)}
                  </button>
                  {restOf(item.name, item.preview) ? <p className="soft memory-preview-line">{restOf(item.name, item.preview)}</p> : null}
                  <p className="memory-facts soft">
                    <time dateTime={item.recoverable_until} title={item.recoverable_until}>
                      {timeLeft(item.recoverable_until, now)}
                    </time>
                  </p>
                </div>
                <div className="memory-acts">
                  <button type="button" aria-label={`Restore ${item.name}`} onClick={() => restore(item)}>
                    Restore
                  </button>
                  <button type="button" className="quiet" aria-label={`Erase ${item.name}`} onClick={() => setErased(item)}>
                    Erase…
                  </button>
                </div>
              </li>
            ))}
          </ul>
        </section>
      ) : null}
      {value.merges.length > 0 ? (
        <section aria-label="Merges">
          <h2>Merges that can be undone</h2>
          <ul className="memory-rows">
            {value.merges.map((merge) => (
              <li key={merge.reversal_hash}>
                <div>
                  <button type="button" className="link memory-name" onClick={() => open(merge.merged_id)}>
                    {titleOf(merge.target_name ?? "An erased memory")}
                  </button>
                  <p className="soft memory-preview-line">
                    from {merge.source_ids.map((id) => `“${titleOf(sources.get(id)?.name ?? "erased")}”`).join(", ")}
                    {merge.rationale ? `: ${merge.rationale}` : ""}
                  </p>
                  <p className="memory-facts soft">
                    <time dateTime={merge.reversible_until}>{timeLeft(merge.reversible_until, now)}</time>
                  </p>
                </div>
                <div className="memory-acts">
                  <TakeBack way={{ tool: "undo_merge", arguments: { reversal_hash: merge.reversal_hash } }} of={`the merge into ${merge.target_name ?? "an erased memory"}`} />
                </div>
              </li>
            ))}
          </ul>
        </section>
      ) : null}
      {erased ? <EraseDialog memory={erased} close={() => setErased(null)} /> : null}
    </div>
  );
}
