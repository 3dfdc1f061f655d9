import { edgesOf, skillOf } from "./findMarks";
import type { GraphProblem, Routes } from "./routeWire";

interface Props {
  routes: Routes;
  open: (skill: string) => void;
  openRule: (edge: number) => void;
}

const SHOWN = 100;

/** What the check-up found; each finding leads to its place on the map and in its file. */
export function CheckList({ routes, open, openRule }: Props) {
  const { ok, problems, notes } = routes.checkup;
  return (
    <div className="routes-check">
      <p>
        {problems.length === 0 ? "Nothing is wrong with these routes." : ok ? "These routes work. Some of them look odd:" : "An agent cannot follow these routes as they are:"}
      </p>
      <Findings name="Problems" found={problems} routes={routes} open={open} openRule={openRule} />
      {notes.length > 0 ? (
        <details>
          <summary>
            {notes.length} {notes.length === 1 ? "note" : "notes"}
          </summary>
          <Findings name="Notes" found={notes} routes={routes} open={open} openRule={openRule} />
        </details>
      ) : null}
    </div>
  );
}

function Findings({ name, found, routes, open, openRule }: Props & { name: string; found: GraphProblem[] }) {
  if (found.length === 0) return null;
  return (
    <>
      <ul aria-label={name}>
        {found.slice(0, SHOWN).map((problem, number) => {
          const [edge] = problem.to !== null ? edgesOf(routes, problem) : [];
          const skill = skillOf(problem);
          const isKnown = routes.skills.some(({ id }) => id === skill);
          const lead = edge !== undefined ? () => openRule(edge) : skill && isKnown ? () => open(skill) : null;
          const place = problem.file ? `${problem.file}${problem.line ? `:${problem.line}` : ""}` : "";
          return (
            <li key={number} className={problem.kind}>
              <span className="finding-kind">{problem.kind}</span>
              <span className="finding-text">
                {lead ? (
                  <button type="button" className="link" onClick={lead}>
                    {problem.message}
                  </button>
                ) : (
                  problem.message
                )}
                {place ? <code>{place}</code> : null}
              </span>
            </li>
          );
        })}
      </ul>
      {found.length > SHOWN ? <p className="soft">And {(found.length - SHOWN).toLocaleString("en")} more of the same kinds.</p> : null}
    </>
  );
}
