import type { GraphSummary } from "../wire";

const [WIDTH, HEIGHT] = [132, 84];

/** A small picture of a map: where its notes stand, or before anyone looked, a weave made of the graph's own figures. */
export function MapPicture({ graph, places }: { graph: GraphSummary; places: number[][] }) {
  return (
    <svg className="map-picture" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width={WIDTH} height={HEIGHT} aria-hidden="true">
      {places.length > 2 ? <Dots places={places} /> : <Weave graph={graph} />}
    </svg>
  );
}

function Dots({ places }: { places: number[][] }) {
  const [xs, ys] = [places.map(([x]) => x!), places.map(([, y]) => y!)];
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  const scale = Math.min((WIDTH - 14) / Math.max(1, Math.max(...xs) - left), (HEIGHT - 14) / Math.max(1, Math.max(...ys) - top));
  const [padX, padY] = [(WIDTH - (Math.max(...xs) - left) * scale) / 2, (HEIGHT - (Math.max(...ys) - top) * scale) / 2];
  const size = places.length > 80 ? 1.3 : 2.2;
  return places.map(([x, y], index) => <circle key={index} className={`thread-${index % 4}`} cx={(x! - left) * scale + padX} cy={(y! - top) * scale + padY} r={size} />);
}

/** Threads are notes, knots are links. */
function Weave({ graph }: { graph: GraphSummary }) {
  const digits = [...graph.contentHash.slice(0, 24)].map((digit) => Number.parseInt(digit, 16) || 0);
  const threads = Math.max(4, Math.min(11, Math.round(Math.log2(graph.nodeCount + 2))));
  const step = WIDTH / (threads + 1);
  const rows = Math.max(3, Math.min(7, Math.round(Math.log2(graph.edgeCount + 2) / 1.6)));
  return (
    <>
      {Array.from({ length: threads }, (_, at) => (
        <line key={at} className={`thread-${(digits[at] ?? 0) % 4}`} x1={step * (at + 1)} y1="4" x2={step * (at + 1)} y2={HEIGHT - 4} />
      ))}
      {Array.from({ length: rows }, (_, row) =>
        Array.from({ length: threads }, (_, at) =>
          ((digits[(row * threads + at) % 24] ?? 0) + row) % 3 === 0 ? (
            <circle key={`${row} ${at}`} className={`thread-${(row + at) % 4}`} cx={step * (at + 1)} cy={(HEIGHT / (rows + 1)) * (row + 1)} r="3" />
          ) : null,
        ),
      )}
    </>
  );
}
