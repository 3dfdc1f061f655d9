import { useEffect, useState } from "react";
import type { LayoutFrame, LayoutRequest } from "./layout.worker";
import type { Scene } from "./scene";

const SEED = 20_000;
const NOTHING: LayoutFrame = { x: new Float64Array(0), y: new Float64Array(0), settled: false };

export const prefersStillness = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;

/** The places of a scene's marks as the worker finds them. The worker ends when they have settled. */
export function useLayout(scene: Scene | null): LayoutFrame {
  const [held, setHeld] = useState<{ scene: Scene | null; frame: LayoutFrame }>({ scene: null, frame: NOTHING });
  useEffect(() => {
    if (!scene) return;
    const worker = new Worker(new URL("./layout.worker.ts", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }: MessageEvent<LayoutFrame>) => {
      setHeld({ scene, frame: data });
      if (data.settled) worker.terminate();
    };
    const request: LayoutRequest = {
      count: scene.marks.length,
      sources: scene.sources,
      targets: scene.targets,
      radii: Float64Array.from(scene.marks, (mark) => mark.radius),
      seed: SEED,
      still: prefersStillness(),
    };
    worker.postMessage(request);
    return () => worker.terminate();
  }, [scene]);
  return held.scene === scene ? held.frame : NOTHING;
}
