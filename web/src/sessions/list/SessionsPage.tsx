import { useRef, useState } from "react";
import { BuildForm } from "../../builds/BuildForm";
import { ErrorNote } from "../../shell/ErrorNote";
import { EmptyWeave } from "../../library/Weave";
import { StudioDoors } from "../../studio/StudioDoors";
import { goTo } from "../../shell/useAddress";
import { useHouse } from "../../shell/house";
import { usePageTitle } from "../../shell/usePageTitle";
import { HouseNotes } from "./HouseNotes";
import { PlanEditor } from "./PlanEditor";
import { SessionList } from "./SessionList";
import { sessionPath } from "../sessionPlace";
import { useSessionList } from "./useSessionList";

export function SessionsPage() {
  const { sessions, error, again } = useSessionList();
  const [form, setForm] = useState<"plan" | "build" | null>(null);
  const planOpener = useRef<HTMLButtonElement>(null);
  const buildOpener = useRef<HTMLButtonElement>(null);
  const { health } = useHouse();
  const cannotBuild = health?.model === "none";
  usePageTitle("Studio");
  const close = () => {
    (form === "plan" ? planOpener : buildOpener).current?.focus();
    setForm(null);
  };
  const started = (id: string) => goTo(sessionPath(id));
  return (
    <main id="main" className="sessions" tabIndex={-1}>
      <div className="page-head">
        <div>
          <h1>Studio</h1>
          <p className="soft">Say what you want or lay out the steps; agents do them, and ask you where it matters.</p>
        </div>
        <div className="row">
          <button ref={buildOpener} type="button" className={health && !cannotBuild ? "primary" : undefined} aria-expanded={form === "build"} onClick={() => setForm("build")}>
            Build something
          </button>
          <button ref={planOpener} type="button" className={cannotBuild ? "primary" : undefined} aria-expanded={form === "plan"} onClick={() => setForm("plan")}>
            Run a plan
          </button>
        </div>
      </div>
      <HouseNotes />
      {form === "build" ? <BuildForm started={started} close={close} /> : null}
      {form === "plan" ? <PlanEditor started={started} close={close} /> : null}
      {form === null ? <StudioDoors key={sessions ? "open" : "shut"} cannotBuild={cannotBuild} /> : null}
      {error && error.status !== 0 ? <ErrorNote error={error} retry={again} /> : null}
      {sessions?.length ? (
        <>
          <h2 className="session-list-title">Sessions</h2>
          <SessionList sessions={sessions} changed={again} />
        </>
      ) : null}
      {sessions?.length === 0 && form === null ? <NoSessions /> : null}
      {!sessions && !error ? (
        <p className="soft" role="status">
          Reading…
        </p>
      ) : null}
    </main>
  );
}

const NoSessions = () => (
  <div className="empty">
    <EmptyWeave />
    <p className="lead">No session yet.</p>
    <p>
      <b>Build something:</b> say what it should be, and a team of agents plans it, makes it, tests it and shows it to you. You watch, decide where
      they ask, and play with what comes out. From a shell: <code>lore build SPEC.json</code>.
    </p>
    <p>
      <b>Run a plan:</b> a short list of steps that ask somebody, branch, call a skill, let an agent work, say the result. The example needs no
      model. From a shell: <code>lore run PLAN.json</code>.
    </p>
    <p>Either survives reloads and restarts.</p>
  </div>
);
