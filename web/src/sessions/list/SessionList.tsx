import { useState } from "react";
import { PathLink } from "../../shell/Link";
import { DeleteDialog } from "../ConfirmDialog";
import { StatusMark } from "../StatusMark";
import { deleteSession } from "../sessionApi";
import { sessionPath } from "../sessionPlace";
import type { SessionSummary } from "../sessionWire";
import { useShown } from "../useShown";
import { KINDS, standing, WAITS, when } from "../words";

const FEW = 100;

const nameOf = ({ goal, kind }: SessionSummary) => goal || (kind === "build" ? "Build without a goal yet" : "Unnamed plan");

export function SessionList({ sessions, changed }: { sessions: SessionSummary[]; changed: () => void }) {
  const [doomed, setDoomed] = useState<SessionSummary | null>(null);
  const [shown, more] = useShown(sessions.length, FEW, "sessions");
  const remove = async (session: SessionSummary) => {
    await deleteSession(session.id);
    changed();
  };
  return (
    <>
      <ul className="session-list" aria-label="Sessions">
        {forYouFirst(sessions).slice(0, shown).map((session) => (
          <SessionItem key={session.id} session={session} doom={() => setDoomed(session)} />
        ))}
      </ul>
      {more}
      {doomed ? <DeleteDialog name={nameOf(doomed)} act={() => remove(doomed)} close={() => setDoomed(null)} /> : null}
    </>
  );
}

/** What waits for a person comes before what merely is new. */
const forYouFirst = (sessions: SessionSummary[]) => [...sessions.filter(({ waits }) => waits), ...sessions.filter(({ waits }) => !waits)];

function SessionItem({ session, doom }: { session: SessionSummary; doom: () => void }) {
  const [mark, word] = session.waits ? WAITS : standing(session.state, session.outcome);
  const name = nameOf(session);
  return (
    <li>
      <StatusMark mark={mark} />
      <div>
        <PathLink className="row-link" to={sessionPath(session.id)}>
          {name}
        </PathLink>
        <p className="soft">
          <span>{KINDS[session.kind]}</span> <time dateTime={session.created_at}>{when(session.created_at)}</time>
        </p>
      </div>
      <span className={`standing ${mark}`}>{word}</span>
      <button type="button" className="quiet" aria-label={`Delete ${name}`} onClick={doom}>
        Delete
      </button>
    </li>
  );
}
