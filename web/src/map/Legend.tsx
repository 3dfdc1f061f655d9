import type { Look } from "./kinds";
import { lineLook } from "./kinds";
import { KindMark } from "./KindMark";

interface Props {
  looks: Map<string, Look>;
  typeCounts: Map<string, number>;
  edgeCounts: Map<string, number>;
}

export function Legend({ looks, typeCounts, edgeCounts }: Props) {
  return (
    <details className="legend" open={window.matchMedia("(min-width: 760px)").matches}>
      <summary>Legend</summary>
      <ul aria-label="Types of note">
        {[...typeCounts].map(([type, count]) => (
          <li key={type}>
            <KindMark look={looks.get(type)} size={13} />
            <span>{type}</span>
            <span className="count">{count}</span>
          </li>
        ))}
      </ul>
      <ul aria-label="Types of link">
        {[...edgeCounts].map(([type, count]) => {
          const look = lineLook(type);
          const colour = look.dye === "ink" ? "var(--ink-soft)" : `var(--dye-${look.dye})`;
          return (
            <li key={type}>
              <svg width="30" height="8" aria-hidden="true">
                {look.directed ? <polygon points="30,4 23,0.8 23,7.2" fill={colour} /> : null}
                <line x1="0" y1="4" x2={look.directed ? 23 : 30} y2="4" stroke={colour} strokeWidth={look.width + 0.4} strokeDasharray={look.dash.join(" ")} />
              </svg>
              <span>{look.label}</span>
              <span className="count">{count}</span>
            </li>
          );
        })}
      </ul>
    </details>
  );
}
