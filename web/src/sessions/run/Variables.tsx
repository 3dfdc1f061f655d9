import { SaidText } from "../SaidText";
import type { Variable } from "../planOutline";

/** What the plan remembers just now, and which skill's own it is. */
export function Variables({ variables }: { variables: Variable[] }) {
  if (variables.length === 0) return null;
  return (
    <section className="variables" aria-labelledby="variables-title">
      <h2 id="variables-title">Remembered</h2>
      <dl>
        {variables.map(({ name, value, skill }) => (
          <div key={`${skill} ${name}`}>
            <dt>
              <code className="chip">{name || "(no name)"}</code>
              {skill ? <span className="soft"> in {skill}</span> : null}
            </dt>
            <dd>{value === "" ? <span className="soft">empty</span> : <SaidText text={value} />}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
