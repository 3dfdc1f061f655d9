import { useState } from "react";
import { ApiError } from "../api";
import { NoModel } from "../builds/NoModel";
import { EXAMPLES } from "../builds/specText";
import { beginBuild, listDesigns } from "../sessions/sessionApi";
import { sessionPath } from "../sessions/sessionPlace";
import { useShown } from "../sessions/useShown";
import { when } from "../sessions/words";
import { ErrorNote } from "../shell/ErrorNote";
import { PathLink } from "../shell/Link";
import { goTo } from "../shell/useAddress";
import { useFetched } from "../shell/useFetched";

const FIRST = 6;

/** The ways in: see it work with one click, or put something together from blocks. */
export function StudioDoors({ cannotBuild }: { cannotBuild: boolean }) {
  const [found, again] = useFetched("designs", listDesigns);
  const designs = found.value?.designs ?? [];
  const [shown, more] = useShown(designs.length, FIRST, "designs");
  return (
    <ul className="studio-doors" aria-label="Ways to begin">
      <li>
        <h2>See it work</h2>
        <p className="soft">A team plans, makes and tests a little game, and you play it. It takes a quarter of a minute.</p>
        {cannotBuild ? <DemoCommand /> : <TryDemo />}
      </li>
      <li>
        <h2>With blocks</h2>
        <p className="soft">Put a plan together that asks, decides and answers, or say what should be built.</p>
        <div className="row">
          <PathLink className="button" to="/studio/plan/new?kind=plan&starter=1">
            Plan from blocks
          </PathLink>
          <PathLink className="button" to="/studio/plan/new?kind=build&starter=1">
            Build from blocks
          </PathLink>
        </div>
      </li>
      {designs.length > 0 ? (
        <li>
          <h2>Saved designs</h2>
          <ul aria-label="Saved designs">
            {designs.slice(0, shown).map(({ id, name, kind, saved_at }) => (
              <li key={id} className="studio-saved">
                <PathLink to={`/studio/plan/${encodeURIComponent(id)}`}>{name || (kind === "plan" ? "Unnamed plan" : "Unnamed build")}</PathLink>{" "}
                <span className="soft">
                  {kind}, {when(saved_at)}
                </span>
              </li>
            ))}
          </ul>
          {more}
        </li>
      ) : found.state === "failed" && found.error.status !== 401 ? (
        <li>
          <h2>Saved designs</h2>
          <ErrorNote error={found.error} retry={again} />
        </li>
      ) : null}
    </ul>
  );
}

/** Nothing is offered that would be refused: here is how to have it. */
const DemoCommand = () => (
  <p>
    This server has no model yet. End it, then start it with one that needs no key: <code>LORE_MODEL=demo lore serve</code>
  </p>
);

function TryDemo() {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError | null>(null);
  const begin = async () => {
    if (busy) return;
    setBusy(true);
    setError(null);
    try {
      goTo(sessionPath(await beginBuild({ spec: JSON.parse(EXAMPLES[0]!.text) as object })));
    } catch (failure) {
      setError(failure instanceof ApiError ? failure : new ApiError("It could not be started.", "page_fault", 0));
      setBusy(false);
    }
  };
  return (
    <>
      <div className="row">
        <button type="button" aria-disabled={busy} onClick={() => void begin()}>
          {busy ? "Starting…" : "Try the demo"}
        </button>
      </div>
      {error ? error.code === "no_model" ? <NoModel error={error} /> : <ErrorNote error={error} /> : null}
    </>
  );
}
