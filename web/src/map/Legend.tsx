import { go, useQueryField } from "../shell/useAddress";
import { COLOURINGS, type Colouring } from "./colouring";
import { lineLook } from "./kinds";
import { KindMark } from "./KindMark";

interface Props {
  colouring: Colouring;
  edgeCounts: Map<string, number>;
  /** The type of link that alone is shown. */
  edge: string;
}

/** What colours, shapes and lines mean; pressing one shows it alone. */
export function Legend({ colouring, edgeCounts, edge }: Props) {
  const [only, setOnly] = useQueryField("only");
  const [, setColour] = useQueryField("colour");
  return (
    <details className="legend" open={window.matchMedia("(min-width: 760px)").matches}>
      <summary>Legend</summary>
      <label className="legend-by">
        Colours tell
        <select
          value={colouring.by}
          onChange={(event) => {
            setOnly("");
            setColour(event.target.value);
          }}
        >
          {COLOURINGS.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <ul aria-label={colouring.by === "type" ? "Types of note" : `Notes by ${colouring.by}`}>
        {[...colouring.groups].map(([name, { look, count }]) => (
          <li key={name}>
            <button type="button" className="quiet" aria-pressed={only === name} onClick={() => setOnly(only === name ? "" : name)}>
              <KindMark look={look} size={13} />
              <span title={name}>{name}</span>
              <span className="count">{count.toLocaleString("en")}</span>
            </button>
          </li>
        ))}
      </ul>
      {edgeCounts.size > 0 ? (
        <ul aria-label="Types of link">
          {[...edgeCounts].map(([type, count]) => {
            const look = lineLook(type);
            const colour = look.dye === "ink" ? "var(--ink-soft)" : `var(--dye-${look.dye})`;
            return (
              <li key={type}>
                <button type="button" className="quiet" aria-pressed={edge === type} onClick={() => go({ edge: edge === type ? "" : type }, "replace")}>
                  <svg width="30" height="8" aria-hidden="true">
                    {look.directed ? <polygon points="30,4 23,0.8 23,7.2" fill={colour} /> : null}
                    <line x1="0" y1="4" x2={look.directed ? 23 : 30} y2="4" stroke={colour} strokeWidth={look.width + 0.4} strokeDasharray={look.dash.join(" ")} />
                  </svg>
                  <span>{look.label}</span>
                  <span className="count">{count.toLocaleString("en")}</span>
                </button>
              </li>
            );
          })}
        </ul>
      ) : null}
    </details>
  );
}
