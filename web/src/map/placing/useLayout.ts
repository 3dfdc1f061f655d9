import { useCallback, useEffect, useRef, useState } from "react";
import { keepPlaces } from "../../api";
import type { KeptPlaces } from "../../wire";
import { inTenths } from "./layout";
import type { LayoutFrame, LayoutRequest } from "./layout.worker";
import { DYES } from "../kinds";
import type { Scene } from "../scene";

const SEED = 20_000;
const NOTHING: LayoutFrame = { x: new Float64Array(0), y: new Float64Array(0), settled: false };
/** Where fewer notes than this share stood on the map before, it is laid out as a whole. */
const MOSTLY_KNOWN = 0.5;

export const prefersStillness = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;

export interface Placing {
  /** What is drawn: of a graph that was read again the former one, until every new note has its place. */
  scene: Scene | null;
  frame: LayoutFrame;
  pins: ReadonlySet<string>;
  /** A mark that is dragged; it is kept where it is let go, and pinned there. */
  move: (mark: number, x: number, y: number) => void;
  drop: (mark: number) => void;
  togglePin: (mark: number) => void;
  /** Lays out everything anew but what is pinned. */
  arrange: () => void;
}

/** The places of a scene's marks: those that are kept stay, new ones find theirs beside them, and what settles is kept. */
export function useLayout(scene: Scene | null, view: string, kept: KeptPlaces | null, graph: string): Placing {
  const [held, setHeld] = useState<{ scene: Scene | null; view: string; frame: LayoutFrame }>({ scene: null, view, frame: NOTHING });
  const [pins, setPins] = useState<ReadonlySet<string>>(new Set());
  const [anew, setAnew] = useState(0);
  const known = useRef<KeptPlaces>({});
  const arranges = useRef(false);
  useEffect(() => {
    known.current = kept ?? {};
    setPins(new Set(Object.entries(kept ?? {}).filter(([, place]) => place[2] === 1).map(([id]) => id)));
  }, [kept]);
  const isShown = scene !== null && (held.scene === scene || (held.view === view && held.frame.settled));
  const shown = isShown ? held.scene : scene;
  const frame = isShown ? held.frame : NOTHING;
  const latest = useRef({ scene, frame, pins });
  latest.current = { scene: shown, frame, pins };

  const keep = useCallback((now: ReadonlySet<string>) => {
    const { scene, frame } = latest.current;
    if (!scene || scene.kind !== "notes" || frame.x.length === 0) return;
    Object.assign(known.current, placesOf(scene, frame, now));
    // What cannot be kept is laid out the same way the next time.
    keepPlaces(graph, known.current).catch(() => undefined);
  }, [graph]);

  useEffect(() => {
    if (!scene || kept === null) return;
    const request = requestOf(scene, scene.kind === "notes" ? known.current : {}, arranges.current ? latest.current.pins : null);
    arranges.current = false;
    if (request.fixed?.every((fixed) => fixed === 1) && request.before) {
      const frame = { ...request.before, settled: true };
      setHeld({ scene, view, frame });
      latest.current = { ...latest.current, scene, frame };
      // The picture on its card has the colours of the map, which may tell something else by now.
      if (scene.marks.some(({ id, look }) => known.current[id]![3] !== DYES.indexOf(look.dye))) keep(latest.current.pins);
      return;
    }
    const worker = new Worker(new URL("./layout.worker.ts", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }: MessageEvent<LayoutFrame>) => {
      setHeld({ scene, view, frame: data });
      if (!data.settled) return;
      worker.terminate();
      latest.current = { ...latest.current, scene, frame: data };
      keep(latest.current.pins);
    };
    worker.postMessage(request);
    return () => worker.terminate();
  }, [scene, view, kept, anew, keep]);

  return {
    scene: shown,
    frame,
    pins,
    move: (mark, x, y) => {
      frame.x[mark] = x;
      frame.y[mark] = y;
    },
    drop: (mark) => {
      const now = new Set(pins).add(shown!.marks[mark]!.id);
      setPins(now);
      keep(now);
    },
    togglePin: (mark) => {
      const id = shown!.marks[mark]!.id;
      const now = new Set(pins);
      if (!now.delete(id)) now.add(id);
      setPins(now);
      keep(now);
    },
    arrange: () => {
      arranges.current = true;
      setAnew((count) => count + 1);
    },
  };
}

/** What is kept of a scene that has settled. */
export const placesOf = ({ marks }: Scene, { x, y }: LayoutFrame, pins: ReadonlySet<string>): KeptPlaces =>
  Object.fromEntries(marks.map(({ id, look }, mark) => [id, [inTenths(x[mark]!), inTenths(y[mark]!), pins.has(id) ? 1 : 0, DYES.indexOf(look.dye)]]));

/** `pins`: given where all but these are laid out anew. */
export function requestOf(scene: Scene, places: KeptPlaces, pins: ReadonlySet<string> | null): LayoutRequest {
  const count = scene.marks.length;
  const before = { x: new Float64Array(count).fill(NaN), y: new Float64Array(count).fill(NaN) };
  const fixed = new Uint8Array(count);
  let met = 0;
  scene.marks.forEach(({ id }, mark) => {
    const place = places[id];
    if (!place || (pins && !pins.has(id))) return;
    [before.x[mark], before.y[mark], fixed[mark]] = [place[0]!, place[1]!, 1];
    met++;
  });
  const stays = met > 0 && (pins !== null || met >= count * MOSTLY_KNOWN);
  return {
    count,
    sources: scene.sources,
    targets: scene.targets,
    radii: Float64Array.from(scene.marks, (mark) => mark.radius),
    seed: SEED,
    still: prefersStillness(),
    ...(stays && { before, fixed }),
  };
}
