// Runs the layout beside the page. Frames go out about twenty times a second, of many notes fewer, as each is drawn
// as a whole; the last one is marked as settled.

import { createLayout, type LayoutInput } from "./layout";

export interface LayoutRequest extends LayoutInput {
  /** Send the settled positions alone: for people who asked for less motion. */
  still: boolean;
}

export interface LayoutFrame {
  x: Float64Array;
  y: Float64Array;
  settled: boolean;
}

const FRAME_MS = 48;
const NOTES_A_MS = 40;

self.onmessage = ({ data }: MessageEvent<LayoutRequest>) => {
  const layout = createLayout(data);
  const frame = (settled: boolean): LayoutFrame => ({ x: layout.x.slice(), y: layout.y.slice(), settled });
  const run = () => {
    const until = performance.now() + Math.max(FRAME_MS, data.count / NOTES_A_MS);
    let settled = false;
    while (!settled && (data.still || performance.now() < until)) settled = layout.step();
    self.postMessage(frame(settled));
    if (!settled) setTimeout(run, 0);
  };
  run();
};
