import { useMemo } from "react";
import { exportGraph, readPlaces } from "../api";
import { useFetched } from "../shell/useFetched";
import type { KeptPlaces, NodeCard } from "../wire";
import type { ReadSource } from "./threadApi";

const [WIDTH, HEIGHT, EDGE] = [220, 140, 8];

interface Props {
  graph: string;
  sources: ReadSource[];
  cited: number[];
  pointed: number | null;
}

/** Where the cited notes stand among all of them, as they were last drawn; a graph that never was has no small map. */
export function SmallMap({ graph, sources, cited, pointed }: Props) {
  const [places] = useFetched(graph, (signal) => readPlaces(graph, signal));
  const isDrawn = places.value && Object.keys(places.value).length > 1;
  const [fetched] = useFetched(isDrawn ? graph : null, (signal) => exportGraph(graph, signal));
  const nodes = fetched.value?.nodes;
  const drawn = useMemo(() => (isDrawn ? fitted(places.value!) : null), [isDrawn, places.value]);
  const notes = useMemo(() => (nodes ? sources.map((source) => noteOf(source, nodes)) : []), [nodes, sources]);
  if (!drawn || notes.length === 0) return null;
  const names = cited.map((at) => sources[at]!.title).join(", ");
  return (
    <svg className="small-map" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width={WIDTH} height={HEIGHT} role="img" aria-label={`Where the cited notes stand on the map: ${names}`}>
      {[...drawn].map(([id, [x, y]]) => (
        <circle key={id} cx={x} cy={y} r={1.4} />
      ))}
      {cited.map((at) => {
        const place = drawn.get(notes[at] ?? "");
        return place ? <circle key={`cited ${at}`} className={at === pointed ? "cited-note lit" : "cited-note"} cx={place[0]} cy={place[1]} r={at === pointed ? 6 : 3} /> : null;
      })}
    </svg>
  );
}

function noteOf(source: ReadSource, nodes: NodeCard[]): string | undefined {
  if (source.kind !== "section") return source.id;
  const slug = source.id.split("#")[0]!;
  const isIt = (path: string) => path.replace(/\.(md|mdx|markdown)$/, "") === slug || path.replace(/(^|\/)(_?index|README|SKILL)\.(md|mdx|markdown)$/, "") === slug;
  return nodes.find(({ path }) => isIt(path))?.id;
}

/** The places of the map, brought to the size of the small one. */
function fitted(places: KeptPlaces): Map<string, [number, number]> {
  const all = Object.entries(places).filter(([, [x, y]]) => Number.isFinite(x) && Number.isFinite(y));
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [, [x, y]] of all) {
    left = Math.min(left, x!);
    right = Math.max(right, x!);
    top = Math.min(top, y!);
    bottom = Math.max(bottom, y!);
  }
  const scale = Math.min((WIDTH - 2 * EDGE) / Math.max(1, right - left), (HEIGHT - 2 * EDGE) / Math.max(1, bottom - top));
  const middle = (low: number, high: number, room: number) => room / 2 - ((low + high) / 2) * scale;
  const [dx, dy] = [middle(left, right, WIDTH), middle(top, bottom, HEIGHT)];
  return new Map(all.map(([id, [x, y]]) => [id, [x! * scale + dx, y! * scale + dy]]));
}
