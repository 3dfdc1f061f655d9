import { Fragment } from "react";
import { counted } from "../counted";
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
            {counted(notes.length, "remark")}
          </summary>
          <Findings name="Remarks" found={notes} routes={routes} open={open} openRule={openRule} />
        </details>
      ) : null}
    </div>
  );
}

/** Of one kind, so many are read one by one; the others are there for whoever wants them. */
const FEW = 3;

function Findings({ name, found, ...places }: Props & { name: string; found: GraphProblem[] }) {
  if (found.length === 0) return null;
  const kinds = new Map<string, GraphProblem[]>();
  for (const problem of found) kinds.set(problem.code, [...(kinds.get(problem.code) ?? []), problem]);
  return (
    <ul aria-label={name}>
      {[...kinds].map(([code, same]) => {
        const read = same.length > FEW + 1 ? FEW : same.length;
        const left = same.slice(read, read + SHOWN);
        return (
          <Fragment key={code}>
            {same.slice(0, read).map((problem, number) => (
              <Finding key={number} problem={problem} {...places} />
            ))}
            {left.length > 0 ? (
              <li className="more">
                <details>
                  <summary>{(same.length - read).toLocaleString("en")} more of the same kind</summary>
                  <ul>
                    {left.map((problem, number) => (
                      <Finding key={number} problem={problem} {...places} />
                    ))}
                  </ul>
                  {same.length - read > SHOWN ? <p className="soft">The first {SHOWN} of them.</p> : null}
                </details>
              </li>
            ) : null}
          </Fragment>
        );
      })}
    </ul>
  );
}

function Finding({ problem, routes, open, openRule }: Props & { problem: GraphProblem }) {
  const [edge] = problem.to !== null ? edgesOf(routes, problem) : [];
  const skill = skillOf(problem);
  const isKnown = routes.skills.some(({ id }) => id === skill);
  const lead = edge !== undefined ? () => openRule(edge) : skill && isKnown ? () => open(skill) : null;
  const place = problem.file ? `${problem.file}${problem.line ? `:${problem.line}` : ""}` : "";
  return (
    <li className={problem.kind}>
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
}
