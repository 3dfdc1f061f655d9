// Runs the layout beside the page. Frames go out about twenty times a second, of many notes fewer, as each is drawn
// as a whole; the last one is marked as settled.

import { createLayout, inTenths, type LayoutInput } from "./layout";

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
  // What has settled is drawn as it is kept, and looks the same the next time.
  const sent = (places: Float64Array, settled: boolean) => (settled ? places.map(inTenths) : places.slice());
  const frame = (settled: boolean): LayoutFrame => ({ x: sent(layout.x, settled), y: sent(layout.y, settled), settled });
  const run = () => {
    const until = performance.now() + Math.max(FRAME_MS, data.count / NOTES_A_MS);
    let settled = false;
    while (!settled && (data.still || performance.now() < until)) settled = layout.step();
    self.postMessage(frame(settled));
    if (!settled) setTimeout(run, 0);
  };
  run();
};
