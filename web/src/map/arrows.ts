// Which way a link points: a small head where its line meets the mark of the note it leads to.

import type { Camera } from "./camera";

/** Seen from further away heads would be specks; those of the pointed or opened note are drawn at any distance. */
const READABLE_SCALE = 0.45;
const LENGTH = 7;
const HALF_WIDTH = 2.9;
/** A line needs this much room between its marks for a head to be told from them. */
const ROOM = 14;

export type Head = [tipX: number, tipY: number, leftX: number, leftY: number, rightX: number, rightY: number];

export const headsAreReadable = (camera: Camera) => camera.scale >= READABLE_SCALE;

/** The corners of the head of a line from one place to another; none where the marks leave no room for it. */
export function headOf(from: [number, number], to: [number, number], fromRadius: number, toRadius: number, size = 1): Head | null {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const distance = Math.hypot(dx, dy);
  if (distance - fromRadius - toRadius < ROOM) return null;
  const [alongX, alongY] = [dx / distance, dy / distance];
  const [tipX, tipY] = [to[0] - alongX * (toRadius + 1.5), to[1] - alongY * (toRadius + 1.5)];
  const [baseX, baseY] = [tipX - alongX * LENGTH * size, tipY - alongY * LENGTH * size];
  const [asideX, asideY] = [-alongY * HALF_WIDTH * size, alongX * HALF_WIDTH * size];
  return [tipX, tipY, baseX + asideX, baseY + asideY, baseX - asideX, baseY - asideY];
}
