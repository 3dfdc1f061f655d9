import { useState } from "react";
import { ApiError } from "../../api";
import { ErrorNote } from "../../shell/ErrorNote";
import { PathLink } from "../../shell/Link";
import { goTo } from "../../shell/useAddress";
import { ConfirmDialog, DeleteDialog } from "../ConfirmDialog";
import { requestOf } from "../planOutline";
import { beginBuild, deleteSession, runPlan, stopSession } from "../sessionApi";
import { sessionPath } from "../sessionPlace";
import { isRunning, type Story } from "../sessionStory";
import type { Given, SpecAsKept } from "../sessionWire";

interface Props {
  id: string;
  story: Story;
  name: string;
  given: Given | null;
  spec: SpecAsKept | null;
  isPast: boolean;
  replay: () => void;
}

/** Stop and delete, which ask first, and once it is over: the same again. */
export function SessionButtons({ id, story, name, given, spec, isPast, replay }: Props) {
  const [asking, setAsking] = useState<"stop" | "delete" | null>(null);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError | null>(null);
  const close = () => setAsking(null);
  const remove = async () => {
    await deleteSession(id);
    goTo("/studio");
  };
  const again = async () => {
    if (busy) return;
    setBusy(true);
    setError(null);
    try {
      const begun = spec ? await beginBuild({ spec }) : (await runPlan(requestOf(given!))).session_id;
      setBusy(false);
      goTo(sessionPath(begun));
    } catch (failure) {
      setBusy(false);
      setError(failure instanceof ApiError ? failure : new ApiError("It could not be started.", "page_fault", 0));
    }
  };
  const canRepeat = (spec || given?.plan) && !isRunning(story) && story.state === "done";
  return (
    <div className="row">
      {isRunning(story) && !isPast ? (
        <button type="button" onClick={() => setAsking("stop")}>
          Stop
        </button>
      ) : null}
      {story.state === "done" && !isPast && story.lastSeq > 1 ? (
        <button type="button" title="See it happen again, from its beginning" onClick={replay}>
          Replay
        </button>
      ) : null}
      {canRepeat ? (
        <button type="button" aria-disabled={busy} onClick={() => void again()}>
          {busy ? "Starting…" : "Run again"}
        </button>
      ) : null}
      {(spec || given?.plan) && (isPast || story.state === "done") ? (
        <PathLink className="button" to={`/studio/plan/new?kind=${spec ? "build" : "plan"}&from=${encodeURIComponent(id)}${spec ? "" : `&at=${story.lastSeq}`}`}>
          {spec ? "Change a copy" : "Fork from here"}
        </PathLink>
      ) : null}
      <button type="button" onClick={() => setAsking("delete")}>
        Delete
      </button>
      {error ? <ErrorNote error={error} /> : null}
      {asking === "stop" ? (
        <ConfirmDialog title={`Stop ${name}?`} keep="Let it run" confirm="Stop" act={() => stopSession(id)} close={close} after="session-title">
          {story.kind === "build" ? "It ends here. Its log and what was made so far stay." : "It ends here and cannot be continued. Its log stays."}
        </ConfirmDialog>
      ) : null}
      {asking === "delete" ? <DeleteDialog name={name} act={remove} close={close} /> : null}
    </div>
  );
}
