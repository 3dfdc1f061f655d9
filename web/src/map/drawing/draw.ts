// What the map shows on top of its drawing, and the numbers of which the drawing is made. All state comes in.

import { type Camera, type Places, type Size, toScreen } from "./camera";
import { grownBy, LINE_FLOATS, MARK_FLOATS } from "./glPainter";
import { type Dye, DYES, lineLook, SHAPES } from "../kinds";
import type { Scene } from "../scene";

type Rgb = [number, number, number];

export interface Ink {
  dyes: Record<Dye, Rgb>;
  inkRgb: Rgb;
  paperRgb: Rgb;
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
  pinned: (mark: number) => boolean;
  /** Marks whose labels come first, whatever their rank. */
  named: (mark: number) => boolean;
}

/** The colours of the moment, as the page itself resolves them. */
export function readInk(): Ink {
  const probe = document.createElement("span");
  document.body.append(probe);
  const pen = document.createElement("canvas").getContext("2d", { willReadFrequently: true })!;
  const text = (name: string) => {
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color;
  };
  const rgb = (name: string): Rgb => {
    pen.fillStyle = text(name);
    pen.fillRect(0, 0, 1, 1);
    const [red, green, blue] = pen.getImageData(0, 0, 1, 1).data;
    return [red! / 255, green! / 255, blue! / 255];
  };
  const ink: Ink = {
    dyes: Object.fromEntries(DYES.map((dye) => [dye, rgb(`--dye-${dye}`)])) as Record<Dye, Rgb>,
    inkRgb: rgb("--ink"),
    paperRgb: rgb("--ground"),
    ink: text("--ink"),
    paper: text("--ground"),
    accent: text("--accent"),
    font: getComputedStyle(document.body).fontFamily,
  };
  probe.remove();
  return ink;
}

/** How far outside a pointed or opened mark its ring is drawn. */
const RING = 5;
const SHAPE_NUMBERS = Object.fromEntries(SHAPES.map((shape, number) => [shape, number]));

export const radiusOnScreen = (radius: number, camera: Camera) => radius * grownBy(camera);

export function markNumbers(scene: Scene, places: Places, emphasis: Emphasis, ink: Ink): Float32Array {
  const numbers = new Float32Array(scene.marks.length * MARK_FLOATS);
  scene.marks.forEach((mark, index) => {
    const place = [places.x[index]!, places.y[index]!, mark.radius, SHAPE_NUMBERS[mark.look.shape]!];
    numbers.set([...place, ...ink.dyes[mark.look.dye], emphasis.opacity(index)], index * MARK_FLOATS);
  });
  return numbers;
}

/** Where more lines meet, their heads are a smudge: those of the note that is looked at keep theirs. */
const MOST_HEADS = 400;

/** Lines by their strength, the strongest first. */
export function lineNumbers(scene: Scene, places: Places, emphasis: Emphasis, ink: Ink): Float32Array {
  const { sources, targets, lineTypes, lineWeights } = scene;
  const focus = emphasis.pointed >= 0 ? emphasis.pointed : emphasis.selected;
  // Many lines at once must each be faint.
  const calm = Math.min(0.4, Math.max(0.09, 6 / Math.sqrt(1 + sources.length)));
  const headed = sources.length <= MOST_HEADS;
  const shown: { line: number; alpha: number; near: boolean }[] = [];
  for (let line = 0; line < sources.length; line++) {
    if (!emphasis.showsLine(lineTypes[line]!)) continue;
    const near = sources[line] === focus || targets[line] === focus;
    const seen = Math.min(emphasis.opacity(sources[line]!), emphasis.opacity(targets[line]!));
    if (seen <= 0) continue;
    shown.push({ line, near, alpha: near ? Math.max(0.25, 0.85 * seen) : seen * (focus >= 0 ? calm * 0.6 : calm) });
  }
  shown.sort((a, b) => b.alpha - a.alpha);
  const numbers = new Float32Array(shown.length * LINE_FLOATS);
  shown.forEach(({ line, alpha, near }, index) => {
    const [source, target] = [sources[line]!, targets[line]!];
    const look = lineLook(lineTypes[line]!);
    const thick = scene.kind === "clusters" ? Math.min(5, 0.5 + Math.log2(1 + lineWeights[line]!) / 2) : near ? 1.5 : 1;
    const ring = target === emphasis.selected || target === emphasis.pointed ? RING + 1 : 0;
    const rim = (near || headed) && look.directed && scene.kind === "notes" ? scene.marks[target]!.radius + ring : 0;
    numbers.set([places.x[source]!, places.y[source]!, places.x[target]!, places.y[target]!], index * LINE_FLOATS);
    numbers.set([look.width * thick, look.dash[0] ?? 0, look.dash[1] ?? 0, rim], index * LINE_FLOATS + 4);
    numbers.set([...(look.dye === "ink" ? ink.inkRgb : ink.dyes[look.dye]), alpha], index * LINE_FLOATS + 8);
  });
  return numbers;
}

type At = (mark: number) => [number, number];

/** Rings, pins and names; while the map is moved of many notes only the rings. */
export function drawOver(
  pen: CanvasRenderingContext2D,
  scene: Scene,
  places: Places,
  camera: Camera,
  size: Size,
  emphasis: Emphasis,
  ink: Ink,
  hurried: boolean,
): void {
  pen.clearRect(0, 0, size.width, size.height);
  const at = (mark: number) => toScreen(camera, size, places.x[mark]!, places.y[mark]!);
  for (const mark of [emphasis.selected, emphasis.pointed]) {
    if (mark < 0) continue;
    const [x, y] = at(mark);
    pen.beginPath();
    pen.arc(x, y, radiusOnScreen(scene.marks[mark]!.radius, camera) + RING, 0, 2 * Math.PI);
    pen.lineWidth = mark === emphasis.selected ? 2.5 : 1.5;
    pen.strokeStyle = ink.accent;
    pen.stroke();
  }
  pen.fillStyle = ink.ink;
  if (camera.scale > 0.4) {
    scene.marks.forEach(({ radius }, index) => {
      if (!emphasis.pinned(index)) return;
      const [x, y] = at(index);
      pen.beginPath();
      pen.arc(x, y - radiusOnScreen(radius, camera) - 3, 2, 0, 2 * Math.PI);
      pen.fill();
    });
  }
  if (!hurried) drawLabels(pen, scene, at, camera, size, emphasis, ink);
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
