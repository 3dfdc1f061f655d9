import { useEffect, useRef, useState } from "react";
import { ApiError } from "../../api";
import { ErrorNote } from "../../shell/ErrorNote";
import { takeBack } from "../changing";
import type { WayBack } from "../memoryApi";

type Way = Pick<WayBack, "tool" | "arguments">;

/** Undo, and what must be asked where the merged memory was changed, or a source erased, since. */
export function TakeBack({ way, of, children = "Undo" }: { way: Way; of: string; children?: string }) {
  const [error, setError] = useState<ApiError | null>(null);
  const [busy, setBusy] = useState(false);
  const go = async (how: Record<string, unknown> = {}) => {
    if (busy) return;
    setBusy(true);
    setError(null);
    try {
      await takeBack({ tool: way.tool, arguments: { ...way.arguments, ...how } });
    } catch (failure) {
      setError(failure instanceof ApiError ? failure : new ApiError("That did not work.", "page_fault", 0));
    }
    setBusy(false);
  };
  const isAsked = error !== null && ("changes" in error.facts || "missing_ids" in error.facts);
  return (
    <span className="memory-back">
      <button type="button" aria-label={`${children} ${of}`} aria-disabled={busy} onClick={() => void go()}>
        {children}
      </button>
      {error && isAsked ? <Ask error={error} go={go} close={() => setError(null)} /> : null}
      {error && !isAsked ? <ErrorNote error={error} /> : null}
    </span>
  );
}

function Ask({ error, go, close }: { error: ApiError; go: (how: Record<string, unknown>) => Promise<void>; close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const partial = "missing_ids" in error.facts ? { allow_partial: true } : {};
  const choose = (how: Record<string, unknown>) => {
    dialog.current?.close();
    void go({ ...partial, ...how });
  };
  return (
    <dialog ref={dialog} onClose={close} aria-labelledby="back-title">
      <h2 id="back-title">Something happened since the merge</h2>
      {"changes" in error.facts ? (
        <p>The merged memory was changed meanwhile. Its sources come back either way.</p>
      ) : (
        <p>Some of its sources were erased for good. The others can come back.</p>
      )}
      <div className="dialog-buttons">
        <button type="button" autoFocus onClick={() => dialog.current?.close()}>
          Leave it
        </button>
        {"changes" in error.facts ? (
          <>
            <button type="button" onClick={() => choose({ on_conflict: "keep_merged" })}>
              Keep it beside them
            </button>
            <button type="button" onClick={() => choose({ on_conflict: "discard_merged" })}>
              Put it in the trash
            </button>
          </>
        ) : (
          <button type="button" onClick={() => choose({})}>
            Bring the others back
          </button>
        )}
      </div>
    </dialog>
  );
}
