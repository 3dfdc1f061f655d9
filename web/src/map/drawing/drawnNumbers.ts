// The numbers of which the map is drawn, and what decides them. All state comes in.

import { type Dye, DYES, type LineLook, lineLook, SHAPES } from "../kinds";
import type { Scene } from "../scene";
import type { Places } from "./camera";
import { LINE_FLOATS, MARK_FLOATS } from "./painter";

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

const SHAPE_NUMBERS = Object.fromEntries(SHAPES.map((shape, number) => [shape, number]));

export function markNumbers(scene: Scene, places: Places, emphasis: Emphasis, ink: Ink): Float32Array {
  const numbers = new Float32Array(scene.marks.length * MARK_FLOATS);
  scene.marks.forEach(({ look, radius }, mark) => {
    const at = mark * MARK_FLOATS;
    numbers[at] = places.x[mark]!;
    numbers[at + 1] = places.y[mark]!;
    numbers[at + 2] = radius;
    numbers[at + 3] = SHAPE_NUMBERS[look.shape]!;
    numbers.set(ink.dyes[look.dye], at + 4);
    numbers[at + 7] = emphasis.opacity(mark);
  });
  return numbers;
}

/** Where more lines meet, their heads are a smudge: those of the note that is looked at keep theirs. */
const MOST_HEADS = 400;

/** How wide a line of a scene is: between clusters by how many links it stands for. */
const widthOf = (scene: Scene, line: number, look: LineLook) =>
  look.width * (scene.kind === "clusters" ? Math.min(5, 0.5 + Math.log2(1 + scene.lineWeights[line]!) / 2) : 1);

export const lineRgb = (look: LineLook, ink: Ink): Rgb => (look.dye === "ink" ? ink.inkRgb : ink.dyes[look.dye]);

/** Every line that is shown. Those of the note that is looked at are drawn once more, above all of these. */
export function lineNumbers(scene: Scene, places: Places, emphasis: Emphasis, ink: Ink): Float32Array {
  const { sources, targets, lineTypes } = scene;
  // Many lines at once must each be faint.
  const calm = Math.min(0.4, Math.max(0.09, 6 / Math.sqrt(1 + sources.length)));
  const headed = sources.length <= MOST_HEADS && scene.kind === "notes";
  const numbers = new Float32Array(sources.length * LINE_FLOATS);
  let at = 0;
  for (let line = 0; line < sources.length; line++) {
    const [source, target, type] = [sources[line]!, targets[line]!, lineTypes[line]!];
    const seen = Math.min(emphasis.opacity(source), emphasis.opacity(target));
    if (seen <= 0 || !emphasis.showsLine(type)) continue;
    const look = lineLook(type);
    numbers[at] = places.x[source]!;
    numbers[at + 1] = places.y[source]!;
    numbers[at + 2] = places.x[target]!;
    numbers[at + 3] = places.y[target]!;
    numbers[at + 4] = widthOf(scene, line, look);
    numbers[at + 5] = look.dash[0] ?? 0;
    numbers[at + 6] = look.dash[1] ?? 0;
    numbers[at + 7] = headed && look.directed ? scene.marks[target]!.radius : 0;
    numbers.set(lineRgb(look, ink), at + 8);
    numbers[at + 11] = seen * calm;
    at += LINE_FLOATS;
  }
  return numbers.subarray(0, at);
}
