// Where the map is looked at from: world positions to screen positions and back.

export interface Camera {
  /** The world point in the middle of the view, and pixels per world unit. */
  x: number;
  y: number;
  scale: number;
}

export interface Size {
  width: number;
  height: number;
}

export interface Places {
  x: Float64Array;
  y: Float64Array;
}

/** What covers the right side: the buttons. */
const BUTTONS = 32;
const MIN_SCALE = 0.02;
const MAX_SCALE = 8;

export const toScreen = (camera: Camera, size: Size, x: number, y: number): [number, number] => [
  (x - camera.x) * camera.scale + size.width / 2,
  (y - camera.y) * camera.scale + size.height / 2,
];

export const toWorld = (camera: Camera, size: Size, x: number, y: number): [number, number] => [
  (x - size.width / 2) / camera.scale + camera.x,
  (y - size.height / 2) / camera.scale + camera.y,
];

/** Zooms so that the world point under (x, y) stays where it is. */
export function zoomAt(camera: Camera, size: Size, factor: number, x: number, y: number): Camera {
  const [worldX, worldY] = toWorld(camera, size, x, y);
  const scale = Math.min(MAX_SCALE, Math.max(MIN_SCALE, camera.scale * factor));
  return {
    x: worldX - (x - size.width / 2) / scale,
    y: worldY - (y - size.height / 2) / scale,
    scale,
  };
}

/** Shows everything, clear of the edges and of what covers the sides: at the left the legend. */
export function fitAll({ x, y }: Places, size: Size, aside = 0, counts: (node: number) => boolean = () => true): Camera {
  if (x.length === 0) return { x: 0, y: 0, scale: 1 };
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let node = 0; node < x.length; node++) {
    if (!counts(node)) continue;
    left = Math.min(left, x[node]!);
    right = Math.max(right, x[node]!);
    top = Math.min(top, y[node]!);
    bottom = Math.max(bottom, y[node]!);
  }
  if (left > right) return { x: 0, y: 0, scale: 1 };
  const margin = Math.min(56, size.width * 0.07);
  const room = (length: number, edge: number) => Math.max(40, length - 2 * edge);
  // At the sides there is room for half a name.
  const fitting = Math.min(room(size.width - aside - BUTTONS, margin * 1.3) / Math.max(1, right - left), room(size.height, margin) / Math.max(1, bottom - top));
  const scale = Math.min(2.2, Math.max(MIN_SCALE, fitting));
  return { x: (left + right - (aside - BUTTONS) / scale) / 2, y: (top + bottom) / 2, scale };
}

const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] } as const;
export type Direction = keyof typeof DIRECTIONS;
export const isDirection = (key: string): key is Direction => key in DIRECTIONS;

/** The mark an arrow key moves to: near, and more ahead than aside. -1 when there is none that way. */
export function nextTowards({ x, y }: Places, from: number, key: Direction, allowed: (node: number) => boolean): number {
  const [aheadX, aheadY] = DIRECTIONS[key];
  let [best, least] = [-1, Infinity];
  for (let node = 0; node < x.length; node++) {
    if (node === from || !allowed(node)) continue;
    const dx = x[node]! - x[from]!;
    const dy = y[node]! - y[from]!;
    const ahead = dx * aheadX + dy * aheadY;
    const aside = Math.abs(dx * aheadY) + Math.abs(dy * aheadX);
    if (ahead <= 0 || aside > ahead * 1.5) continue;
    const cost = ahead + aside * 2;
    if (cost < least) [best, least] = [node, cost];
  }
  return best;
}
