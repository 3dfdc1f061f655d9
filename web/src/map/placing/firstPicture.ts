// The picture of a map that nobody opened yet: laid out as the map itself would be, in its colours, and kept for it.

import { exportGraph, keepPlaces, readPlaces } from "../../api";
import { modelOf } from "../../shell/graphModel";
import type { KeptPlaces } from "../../wire";
import { colouringOf, tellingColours } from "../colouring";
import { type Scene, sceneOfNotes } from "../scene";
import type { LayoutFrame, LayoutRequest } from "./layout.worker";
import { placesOf, requestOf } from "./useLayout";

/** As many as the server gives for a picture. */
const PICTURED = 220;

export async function drawFirst(graphId: string, signal: AbortSignal): Promise<number[][]> {
  const [graph, known] = await Promise.all([exportGraph(graphId, signal), readPlaces(graphId, signal)]);
  const model = modelOf(graph);
  const scene = sceneOfNotes(model.nodes, graph.edges, colouringOf(model, tellingColours(model)));
  const places = placesOf(scene, await settled(scene, known, signal), new Set(Object.keys(known).filter((id) => known[id]![2] === 1)));
  // Who may only read draws it for this page alone.
  keepPlaces(graphId, places).catch(() => undefined);
  const all = Object.values(places);
  const step = Math.max(1, Math.floor(all.length / PICTURED));
  return all.filter((_, at) => at % step === 0).map(([x, y, , dye]) => [x!, y!, dye!]);
}

function settled(scene: Scene, known: KeptPlaces, signal: AbortSignal): Promise<LayoutFrame> {
  const worker = new Worker(new URL("./layout.worker.ts", import.meta.url), { type: "module" });
  const request: LayoutRequest = { ...requestOf(scene, known, null), still: true };
  return new Promise<LayoutFrame>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<LayoutFrame>) => data.settled && resolve(data);
    worker.onerror = () => reject(new Error("The map could not be laid out."));
    signal.addEventListener("abort", () => reject(signal.reason as Error));
    worker.postMessage(request);
  }).finally(() => worker.terminate());
}
