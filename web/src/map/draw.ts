// Paints a scene on a canvas. Pure drawing: all state comes in, nothing is kept but the colours of the moment.

import { headOf, headsAreReadable } from "./arrows";
import { type Camera, type Places, type Size, toScreen } from "./camera";
import { corners, type Dye, DYES, lineLook, SHAPES, type Shape } from "./kinds";
import type { Scene } from "./scene";

export interface Ink {
  dyes: Record<Dye, string>;
  ink: string;
  paper: string;
  accent: string;
  font: string;
}

export interface Emphasis {
  /** How strongly a mark is drawn, 0 to 1. */
  opacity: (mark: number) => number;
  /** Whether lines of this type are drawn. */
  showsLine: (type: string) => boolean;
  selected: number;
  pointed: number;
  /** Marks whose labels come first, whatever their rank. */
  named: (mark: number) => boolean;
}

export function readInk(): Ink {
  const style = getComputedStyle(document.documentElement);
  const read = (name: string) => style.getPropertyValue(name).trim();
  return {
    dyes: Object.fromEntries(DYES.map((dye) => [dye, read(`--dye-${dye}`)])) as Record<Dye, string>,
    ink: read("--ink"),
    paper: read("--ground"),
    accent: read("--accent"),
    font: getComputedStyle(document.body).fontFamily,
  };
}

/** How far outside a pointed or opened mark its ring is drawn. */
const RING = 5;

const CORNERS = Object.fromEntries(SHAPES.map((shape) => [shape, corners(shape)])) as Record<Shape, [number, number][]>;

function traceShape(pen: CanvasRenderingContext2D, shape: Shape, x: number, y: number, radius: number): void {
  pen.beginPath();
  const points = CORNERS[shape];
  if (points.length === 0) pen.arc(x, y, radius * 0.92, 0, 2 * Math.PI);
  else for (const [dx, dy] of points) pen.lineTo(x + dx * radius * 1.12, y + dy * radius * 1.12);
  pen.closePath();
}

/** Marks shrink slower than the map, so that they stay visible from afar and do not swell from near. */
export const radiusOnScreen = (radius: number, camera: Camera) =>
  radius * Math.min(1.9, Math.max(0.5, Math.sqrt(camera.scale)));

export function drawScene(
  pen: CanvasRenderingContext2D,
  scene: Scene,
  places: Places,
  camera: Camera,
  size: Size,
  emphasis: Emphasis,
  ink: Ink,
): void {
  pen.clearRect(0, 0, size.width, size.height);
  const at = (mark: number) => toScreen(camera, size, places.x[mark]!, places.y[mark]!);
  drawLines(pen, scene, at, camera, size, emphasis, ink);
  drawMarks(pen, scene, at, camera, size, emphasis, ink);
  drawLabels(pen, scene, at, camera, size, emphasis, ink);
}

type At = (mark: number) => [number, number];

/** Whether a line lies wholly beyond one side of the view. */
const missesView = ([x1, y1]: [number, number], [x2, y2]: [number, number], { width, height }: Size) =>
  (x1 < 0 && x2 < 0) || (y1 < 0 && y2 < 0) || (x1 > width && x2 > width) || (y1 > height && y2 > height);

interface Bundle {
  type: string;
  alpha: number;
  thick: number;
  near: boolean;
  lines: number[];
}

function drawLines(
  pen: CanvasRenderingContext2D,
  scene: Scene,
  at: At,
  camera: Camera,
  size: Size,
  emphasis: Emphasis,
  ink: Ink,
): void {
  const { sources, targets, lineTypes, lineWeights } = scene;
  const focus = emphasis.pointed >= 0 ? emphasis.pointed : emphasis.selected;
  // Many lines at once must each be faint; from near fewer are in view, and each may be stronger.
  const calm = Math.min(0.4, Math.max(0.07, 6 / Math.sqrt(1 + sources.length)) * Math.max(1, 1.8 * camera.scale));
  // Lines of one look are painted as one path: thousands of strokes become a handful.
  const bundles = new Map<string, Bundle>();
  for (let line = 0; line < sources.length; line++) {
    const type = lineTypes[line]!;
    if (!emphasis.showsLine(type)) continue;
    const [source, target] = [sources[line]!, targets[line]!];
    if (missesView(at(source), at(target), size)) continue;
    const near = source === focus || target === focus;
    const seen = Math.min(emphasis.opacity(source), emphasis.opacity(target));
    const alpha = near ? Math.max(0.25, 0.85 * seen) : seen * (focus >= 0 ? calm * 0.6 : calm);
    const thick = scene.kind === "clusters" ? Math.min(5, 0.5 + Math.log2(1 + lineWeights[line]!) / 2) : near ? 1.5 : 1;
    const key = `${type} ${alpha.toFixed(3)} ${thick.toFixed(1)} ${near}`;
    const bundle = bundles.get(key) ?? { type, alpha, thick, near, lines: [] };
    bundle.lines.push(line);
    bundles.set(key, bundle);
  }
  const readable = headsAreReadable(camera);
  for (const { type, alpha, thick, near, lines } of [...bundles.values()].sort((a, b) => a.alpha - b.alpha)) {
    const look = lineLook(type);
    pen.globalAlpha = alpha;
    pen.strokeStyle = pen.fillStyle = look.dye === "ink" ? ink.ink : ink.dyes[look.dye];
    pen.lineWidth = look.width * thick;
    pen.setLineDash(look.dash);
    pen.beginPath();
    for (const line of lines) {
      pen.moveTo(...at(sources[line]!));
      pen.lineTo(...at(targets[line]!));
    }
    pen.stroke();
    if (look.directed && scene.kind === "notes" && (near || readable)) {
      // A head is small: at the strength of its line it would be lost.
      pen.globalAlpha = Math.min(0.9, alpha * 1.9);
      const ringed = (mark: number) => mark === emphasis.selected || mark === emphasis.pointed;
      const rim = (mark: number) => radiusOnScreen(scene.marks[mark]!.radius, camera) + (ringed(mark) ? RING + 1 : 0);
      drawHeads(pen, scene, at, rim, size, lines, Math.min(1.4, 0.8 + 0.2 * look.width * thick));
    }
  }
  pen.setLineDash([]);
  pen.globalAlpha = 1;
}

/** The heads of lines of one look, as one path; only those that can be seen. */
function drawHeads(
  pen: CanvasRenderingContext2D,
  { sources, targets }: Scene,
  at: At,
  rim: (mark: number) => number,
  size: Size,
  lines: number[],
  scale: number,
): void {
  pen.beginPath();
  for (const line of lines) {
    const [source, target] = [sources[line]!, targets[line]!];
    const to = at(target);
    const reach = rim(target) + 10;
    if (to[0] < -reach || to[1] < -reach || to[0] > size.width + reach || to[1] > size.height + reach) continue;
    const head = headOf(at(source), to, rim(source), rim(target), scale);
    if (!head) continue;
    pen.moveTo(head[0], head[1]);
    pen.lineTo(head[2], head[3]);
    pen.lineTo(head[4], head[5]);
  }
  pen.fill();
}

function drawMarks(
  pen: CanvasRenderingContext2D,
  scene: Scene,
  at: At,
  camera: Camera,
  size: Size,
  emphasis: Emphasis,
  ink: Ink,
): void {
  scene.marks.forEach((mark, index) => {
    const [x, y] = at(index);
    const radius = radiusOnScreen(mark.radius, camera);
    if (x < -radius || y < -radius || x > size.width + radius || y > size.height + radius) return;
    traceShape(pen, mark.look.shape, x, y, radius);
    // Paper under a faint mark keeps the lines from shining through it.
    pen.fillStyle = ink.paper;
    pen.fill();
    pen.globalAlpha = emphasis.opacity(index);
    pen.fillStyle = ink.dyes[mark.look.dye];
    pen.fill();
    pen.globalAlpha = 1;
    pen.lineWidth = 1.5;
    pen.strokeStyle = ink.paper;
    pen.stroke();
    if (index === emphasis.selected || index === emphasis.pointed) {
      pen.beginPath();
      pen.arc(x, y, radius + RING, 0, 2 * Math.PI);
      pen.lineWidth = index === emphasis.selected ? 2.5 : 1.5;
      pen.strokeStyle = ink.accent;
      pen.stroke();
    }
  });
}

type Box = [left: number, top: number, right: number, bottom: number];

const overlap = (a: Box, b: Box) => a[0] < b[2] && a[2] > b[0] && a[1] < b[3] && a[3] > b[1];

/** Where marks stand, so that plain labels do not hide them. */
function markBoxes(scene: Scene, at: At, camera: Camera, emphasis: Emphasis): Box[] {
  const boxes: Box[] = [];
  scene.marks.forEach((mark, index) => {
    if (emphasis.opacity(index) < 0.3) return;
    const [x, y] = at(index);
    const half = radiusOnScreen(mark.radius, camera) * 0.7;
    boxes.push([x - half, y - half, x + half, y + half]);
  });
  return boxes;
}

const LABEL_LENGTH = 34;
/** The best connected notes are named even where marks stand so close that a label must cover some. */
const LANDMARKS = 8;
const shorten = (text: string) => (text.length > LABEL_LENGTH ? `${text.slice(0, LABEL_LENGTH - 1).trimEnd()}…` : text);

function drawLabels(
  pen: CanvasRenderingContext2D,
  scene: Scene,
  at: At,
  camera: Camera,
  size: Size,
  emphasis: Emphasis,
  ink: Ink,
): void {
  const urgent = (index: number) =>
    index === emphasis.pointed ? 3 : index === emphasis.selected ? 2 : emphasis.named(index) ? 1 : 0;
  const room = Math.round((size.width * size.height) / 14_000) * Math.max(0.6, Math.min(4, camera.scale));
  const order = scene.marks
    .map((_, index) => index)
    .filter((index) => emphasis.opacity(index) > 0.3)
    .sort((a, b) => urgent(b) - urgent(a) || scene.marks[b]!.rank - scene.marks[a]!.rank || a - b)
    .slice(0, 400);
  const taken: Box[] = [];
  const marks = markBoxes(scene, at, camera, emphasis);
  pen.textBaseline = "middle";
  pen.textAlign = "center";
  pen.lineJoin = "round";
  for (const [place, index] of order.entries()) {
    if (taken.length > room && !urgent(index)) break;
    const mark = scene.marks[index]!;
    const [x, y] = at(index);
    if (x < 0 || y < 0 || x > size.width || y > size.height) continue;
    const strong = urgent(index) > 0 || mark.rank >= 1000;
    pen.font = `${strong ? 600 : 400} ${strong ? 12 : 11}px ${ink.font}`;
    const text = urgent(index) > 1 ? mark.label : shorten(mark.label);
    const half = pen.measureText(text).width / 2 + 3;
    const middle = Math.min(Math.max(x, half), size.width - half);
    const below = y + radiusOnScreen(mark.radius, camera) + 9;
    const box: Box = [middle - half, below - 7, middle + half, below + 7];
    if (urgent(index) < 2 && taken.some((other) => overlap(box, other))) continue;
    if (!strong && place >= LANDMARKS && marks.some((other) => overlap(box, other))) continue;
    taken.push(box);
    pen.globalAlpha = Math.max(0.7, emphasis.opacity(index));
    pen.strokeStyle = ink.paper;
    pen.lineWidth = 4;
    pen.strokeText(text, middle, below);
    pen.fillStyle = ink.ink;
    pen.fillText(text, middle, below);
  }
  pen.globalAlpha = 1;
}
