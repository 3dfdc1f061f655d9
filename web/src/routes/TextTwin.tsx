import { type Marks, wordsOf } from "./drawn/SkillCard";
import type { Routes } from "./routeWire";

interface Props {
  routes: Routes;
  marks: Marks;
  open: (skill: string) => void;
  openRule: (edge: number) => void;
}

const SHOWN = 300;

/** The map as a table: every skill, how it stands, and where it leads. */
export function TextTwin({ routes, marks, open, openRule }: Props) {
  const out = new Map<string | null, number[]>();
  routes.edges.forEach(({ from }, number) => (out.get(from) ?? out.set(from, []).get(from)!).push(number));
  const leads = (from: string | null) => (
    <ul>
      {(out.get(from) ?? []).map((edge) => (
        <li key={edge}>
          <button type="button" className="link" onClick={() => openRule(edge)}>
            {routes.edges[edge]!.to}
          </button>{" "}
          <span className="soft">{routes.rules[edge]?.says}</span>
        </li>
      ))}
    </ul>
  );
  const questions = routes.nodes.filter(({ kind }) => kind === "predicate");
  return (
    <div className="routes-twin" role="region" aria-label="The map as a table" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">Skill</th>
            <th scope="col">Now</th>
            <th scope="col">Leads to</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">Start</th>
            <td />
            <td>{leads(null)}</td>
          </tr>
          {questions.map(({ id, label }) => (
            <tr key={id}>
              <th scope="row">
                {id}: {label}
              </th>
              <td>question</td>
              <td>{leads(id)}</td>
            </tr>
          ))}
          {routes.skills.slice(0, SHOWN).map((skill) => (
            <tr key={skill.id}>
              <th scope="row">
                <button type="button" className="link" onClick={() => open(skill.id)}>
                  {skill.id}
                </button>
                <span className="soft">{skill.description}</span>
              </th>
              <td>{wordsOf(skill.id, skill, marks)}</td>
              <td>{leads(skill.id)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {routes.skills.length > SHOWN ? <p className="soft">The first {SHOWN} of {routes.skills.length.toLocaleString("en")} skills.</p> : null}
    </div>
  );
}
