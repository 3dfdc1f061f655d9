import { useEffect, useRef, useState } from "react";
import { ErrorNote } from "../shell/ErrorNote";
import { goTo } from "../shell/useAddress";
import { HouseNotes } from "./HouseNotes";
import { PlanEditor } from "./PlanEditor";
import { SessionList } from "./SessionList";
import { sessionPath } from "./sessionPlace";
import { useSessionList } from "./useSessionList";

export function SessionsPage() {
  const { sessions, error, again } = useSessionList();
  const [isWriting, setIsWriting] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    document.title = "Sessions · Loreweave";
  }, []);
  const close = () => {
    setIsWriting(false);
    opener.current?.focus();
  };
  return (
    <main id="main" className="sessions" tabIndex={-1}>
      <div className="page-head">
        <h1>Sessions</h1>
        <button ref={opener} type="button" className="primary" aria-expanded={isWriting} onClick={() => setIsWriting(true)}>
          Run a plan
        </button>
      </div>
      <HouseNotes />
      {isWriting ? <PlanEditor started={(id) => goTo(sessionPath(id))} close={close} /> : null}
      {error ? <ErrorNote error={error} retry={again} /> : null}
      {sessions?.length ? <SessionList sessions={sessions} changed={again} /> : null}
      {sessions?.length === 0 && !isWriting ? <NoSessions write={() => setIsWriting(true)} /> : null}
      {!sessions && !error ? (
        <p className="soft" role="status">
          Reading…
        </p>
      ) : null}
    </main>
  );
}

function NoSessions({ write }: { write: () => void }) {
  return (
    <div className="empty">
      <p className="lead">No session yet.</p>
      <p>
        A plan is a short list of steps: ask somebody, branch, call a skill, let an agent work, say the result. While it runs you watch it here
        and answer its questions; it survives reloads and restarts.
      </p>
      <p>
        Start with the example, which needs no model, or from a shell: <code>lore run PLAN.json</code>.
      </p>
      <button type="button" className="primary" onClick={write}>
        Open the example plan
      </button>
    </div>
  );
}
