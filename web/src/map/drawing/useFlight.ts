import { type RefObject, useEffect, useRef } from "react";
import { type Camera, type Places, type Size, toScreen } from "./camera";
import type { Scene } from "../scene";
import { prefersStillness } from "../placing/useLayout";

interface Air {
  scene: Scene;
  frame: Places & { settled: boolean };
  camera: RefObject<Camera>;
  size: RefObject<Size>;
  selected: number;
  /** All that is shown is in view already: there is nowhere to fly to. */
  isWhole: () => boolean;
  moved: () => void;
}

const FLIGHT_MS = 380;
const NEAR = 0.9; // pixels a world unit: near enough to read names
const MIDDLE = 0.15; // of the view on each side is no longer its middle

/** The map flies to what is chosen elsewhere, so that one sees where it is; what is chosen on the map itself stays put. */
export function useFlight({ scene, frame, camera, size, selected, isWhole, moved }: Air) {
  const flight = useRef(0);
  const chosen = useRef(-1);
  const fly = (mark: number) => {
    cancelAnimationFrame(flight.current);
    const from = camera.current;
    const to = { x: frame.x[mark]!, y: frame.y[mark]!, scale: Math.max(from.scale, NEAR) };
    const begun = performance.now();
    const step = () => {
      const share = prefersStillness() ? 1 : Math.min(1, (performance.now() - begun) / FLIGHT_MS);
      const eased = share * share * (3 - 2 * share);
      const between = (a: number, b: number) => a + (b - a) * eased;
      camera.current = { x: between(from.x, to.x), y: between(from.y, to.y), scale: between(from.scale, to.scale) };
      moved();
      if (share < 1) flight.current = requestAnimationFrame(step);
    };
    step();
  };
  useEffect(() => {
    if (selected < 0 || !frame.settled || frame.x.length <= selected) return;
    if (chosen.current === selected) return;
    chosen.current = selected;
    if (isWhole()) return;
    const [x, y] = toScreen(camera.current, size.current, frame.x[selected]!, frame.y[selected]!);
    const { width, height } = size.current;
    const inMiddle = x > width * MIDDLE && x < width * (1 - MIDDLE) && y > height * MIDDLE && y < height * (1 - MIDDLE);
    if (!inMiddle || camera.current.scale < NEAR * 0.6) fly(selected);
  }, [selected, frame.settled, scene]);
  useEffect(() => {
    if (selected < 0) chosen.current = -1;
  }, [selected]);
  useEffect(() => () => cancelAnimationFrame(flight.current), []);
  return { fly, chosenHere: (mark: number) => (chosen.current = mark) };
}
