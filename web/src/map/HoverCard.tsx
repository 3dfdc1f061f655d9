import type { CSSProperties } from "react";
import { readable } from "../shell/graphModel";
import type { Size } from "./drawing/camera";
import { KindMark } from "./KindMark";
import type { Mark } from "./scene";

const WIDTH = 260;

/** What is pointed at, in a few words; screen readers hear the same from the map. */
export function HoverCard({ mark, at, size }: { mark: Mark; at: [number, number]; size: Size }) {
  const left = Math.min(Math.max(8, at[0] + 18), Math.max(8, size.width - WIDTH - 8));
  const above = at[1] > size.height - 150;
  const place = { "--left": `${left}px`, "--top": `${above ? at[1] - 16 : at[1] + 22}px` } as CSSProperties;
  const { node } = mark;
  return (
    <div className={above ? "hover-card above" : "hover-card"} style={place} aria-hidden="true">
      <p className="hover-name">
        <KindMark look={mark.look} /> {mark.label}
      </p>
      {node ? (
        <>
          {node.description ? <p>{readable(node.description)}</p> : null}
          <p className="soft">
            {node.type} · {node.inDegree} in · {node.outDegree} out
          </p>
        </>
      ) : null}
    </div>
  );
}
