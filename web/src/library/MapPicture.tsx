import { DYES } from "../map/kinds";
import type { GraphSummary } from "../wire";
import { Weave } from "./Weave";

const [WIDTH, HEIGHT] = [132, 84];

/** A small picture of a map: where its notes stand, in their colours, or before anyone looked, a weave made of the graph's own figures. */
export function MapPicture({ graph, places }: { graph: GraphSummary; places: number[][] }) {
  return (
    <svg className="map-picture" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width={WIDTH} height={HEIGHT} aria-hidden="true">
      {places.length > 2 ? <Dots places={places} /> : <Weave graph={graph} width={WIDTH} height={HEIGHT} />}
    </svg>
  );
}

function Dots({ places }: { places: number[][] }) {
  const [xs, ys] = [places.map(([x]) => x!), places.map(([, y]) => y!)];
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  const scale = Math.min((WIDTH - 14) / Math.max(1, Math.max(...xs) - left), (HEIGHT - 14) / Math.max(1, Math.max(...ys) - top));
  const [padX, padY] = [(WIDTH - (Math.max(...xs) - left) * scale) / 2, (HEIGHT - (Math.max(...ys) - top) * scale) / 2];
  const size = places.length > 80 ? 1.3 : 2.2;
  return places.map(([x, y, dye], index) => (
    <circle key={index} fill={`var(--dye-${DYES[dye ?? -1] ?? "slate"})`} cx={(x! - left) * scale + padX} cy={(y! - top) * scale + padY} r={size} />
  ));
}
