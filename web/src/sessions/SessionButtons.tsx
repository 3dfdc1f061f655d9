import { useState } from "react";
import { goTo } from "../shell/useAddress";
import { ConfirmDialog, DeleteDialog } from "./ConfirmDialog";
import { deleteSession, stopSession } from "./sessionApi";
import { isRunning, type Story } from "./sessionStory";

/** Stop and delete; both ask first. */
export function SessionButtons({ id, story, name }: { id: string; story: Story; name: string }) {
  const [asking, setAsking] = useState<"stop" | "delete" | null>(null);
  const close = () => setAsking(null);
  const remove = async () => {
    await deleteSession(id);
    goTo("/studio");
  };
  return (
    <div className="row">
      {isRunning(story) ? (
        <button type="button" onClick={() => setAsking("stop")}>
          Stop
        </button>
      ) : null}
      <button type="button" onClick={() => setAsking("delete")}>
        Delete
      </button>
      {asking === "stop" ? (
        <ConfirmDialog title={`Stop ${name}?`} keep="Let it run" confirm="Stop" act={() => stopSession(id)} close={close} after="session-title">
          {story.kind === "build" ? "It ends here. Its log and what was made so far stay." : "It ends here and cannot be continued. Its log stays."}
        </ConfirmDialog>
      ) : null}
      {asking === "delete" ? <DeleteDialog name={name} act={remove} close={close} /> : null}
    </div>
  );
}
