import { listGraphs } from "../api";
import { useFetched } from "../shell/useFetched";
import type { GraphSummary } from "../wire";
import "../styles/weave.css";

/** What a weave is made of: its figures say how wide and high it is, its hash which thread lies above where. */
type Figures = Pick<GraphSummary, "contentHash" | "nodeCount" | "edgeCount">;

const STEP = 11;
const LEAST: Figures = { contentHash: "1c5a3f9b2e74d08613b7fa52", nodeCount: 400, edgeCount: 40 };

/** Threads are notes, knots are links: a piece of cloth that no other graph has. */
export function Weave({ graph, width, height }: { graph: Figures; width: number; height: number }) {
  const digit = (at: number) => Number.parseInt(graph.contentHash[at % graph.contentHash.length] ?? "7", 16) || 0;
  const columns = Math.floor(width / STEP) - 1;
  const rows = Math.floor(height / STEP) - 1;
  const [left, top] = [(width - (columns - 1) * STEP) / 2, (height - (rows - 1) * STEP) / 2];
  const x = (column: number) => left + column * STEP;
  const y = (row: number) => top + row * STEP;
  const share = Math.min(5, 1 + Math.round(Math.log2(1 + graph.edgeCount / Math.max(1, graph.nodeCount)) * 1.5));
  const half = STEP / 2;
  const crossings = Array.from({ length: columns * rows }, (_, at) => ({ at, column: at % columns, row: Math.floor(at / columns) }));
  return (
    <g className="weave">
      {crossings.map(({ at, column, row }) => {
        const isAbove = (column + row + (digit(at) > 11 ? 1 : 0)) % 2 === 0;
        const [cx, cy] = [x(column), y(row)];
        const down = <line className={`dye-${digit(column) % 4}`} x1={cx} y1={cy - half} x2={cx} y2={cy + half} />;
        const across = <line className={`dye-${digit(row + 5) % 4}`} x1={cx - half} y1={cy} x2={cx + half} y2={cy} />;
        return (
          <g key={at}>
            {isAbove ? across : down}
            {isAbove ? <line className="gap" x1={cx} y1={cy - half} x2={cx} y2={cy + half} /> : <line className="gap" x1={cx - half} y1={cy} x2={cx + half} y2={cy} />}
            {isAbove ? down : across}
            {digit(at + row) < share ? <circle className={`dye-${digit(at + 3) % 4}`} cx={cx} cy={cy} r="3.2" /> : null}
          </g>
        );
      })}
    </g>
  );
}

/** Above the words of a place that is empty: cloth of the graph that was read last, or of none in particular. */
export function EmptyWeave() {
  const [graphs] = useFetched("graphs", listGraphs);
  return (
    <svg className="empty-weave" viewBox="0 0 220 66" width="220" height="66" aria-hidden="true">
      <Weave graph={graphs.value?.[0] ?? LEAST} width={220} height={66} />
    </svg>
  );
}
