// What whoever draws the marks and lines of the map is told, and the rules of size and strength that all of them keep.

import type { Camera, Size } from "./camera";

/** What is drawn, flat: x, y, radius, shape and colour a mark; two ends, width, dash, rim and colour a line. */
export const MARK_FLOATS = 8;
export const LINE_FLOATS = 12;

export interface View {
  camera: Camera;
  size: Size;
  /** Pixels of the screen to one of the page. */
  ratio: number;
  paper: [number, number, number];
  /** How strongly lines are drawn: less where a few of them are looked at. */
  strength: number;
}

export interface Painter {
  setMarks(numbers: Float32Array): void;
  setLines(numbers: Float32Array): void;
  paint(view: View): void;
}

/** Marks shrink slower than the map, so that they stay visible from afar and do not swell from near. */
export const grownBy = (camera: Camera) => Math.min(1.9, Math.max(0.34, Math.sqrt(camera.scale)));

export const radiusOnScreen = (radius: number, camera: Camera) => radius * grownBy(camera);

/** From near fewer lines are in view, and each may be stronger. */
export const lineAlpha = (alpha: number, camera: Camera) => Math.min(0.4, alpha * Math.min(3, Math.max(1, 1.2 * camera.scale)));

/** From farther off the heads of lines would be specks. */
export const HEADS_FROM = 0.45;
