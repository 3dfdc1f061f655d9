// Which marks are named, and where there is room for their names.

import type { Scene } from "../scene";
import { toScreen } from "./camera";
import type { Emphasis } from "./drawnNumbers";
import type { Seen } from "./drawOver";
import { radiusOnScreen } from "./painter";

type Box = [left: number, top: number, right: number, bottom: number];

const overlap = (a: Box, b: Box) => a[0] < b[2] && a[2] > b[0] && a[1] < b[3] && a[3] > b[1];

const LABEL_LENGTH = 34;
const ENDS = 12; // left clear beside the longest
/** The best connected notes are named even where marks stand so close that a label must cover some. */
const LANDMARKS = 8;
const MOST_TRIED = 400;
const MANY = 24; // of so many that come first none may hide another mark
const CLEAR = 0.3; // marks fainter than this have no name and may be covered

/** To its last whole word, where one is near. */
export function shorten(text: string): string {
  if (text.length <= LABEL_LENGTH) return text;
  const cut = text.slice(0, LABEL_LENGTH - 1);
  const whole = text[LABEL_LENGTH - 1] === " " ? cut : cut.slice(0, Math.max(cut.lastIndexOf(" "), 0));
  return `${(whole.length > LABEL_LENGTH / 2 ? whole : cut).trimEnd()}…`;
}

/** How much a name is asked for, whatever the rank of its note. */
const urgency = (mark: number, { pointed, selected, named }: Emphasis) => (mark === pointed ? 3 : mark === selected ? 2 : named(mark) ? 1 : 0);

export function drawLabels(pen: CanvasRenderingContext2D, seen: Seen): void {
  const { scene, camera, size, emphasis, ink } = seen;
  const room = Math.round((size.width * size.height) / 14_000) * Math.max(0.6, Math.min(4, camera.scale));
  const near = marksNear(seen);
  const taken: Box[] = [];
  pen.textBaseline = "middle";
  pen.textAlign = "center";
  pen.lineJoin = "round";
  const order = namedFirst(seen);
  const isFew = order.filter((mark) => urgency(mark, emphasis) === 1).length <= MANY;
  for (const [place, mark] of order.entries()) {
    const urgent = urgency(mark, emphasis);
    if (taken.length > room && !urgent) break;
    const { radius, rank, label } = scene.marks[mark]!;
    const [x, y] = toScreen(camera, size, seen.places.x[mark]!, seen.places.y[mark]!);
    const strong = urgent > 0 || rank >= 1000;
    pen.font = `${strong ? 600 : 400} ${strong ? 12 : 11}px ${ink.font}`;
    const text = urgent > 1 && pen.measureText(label).width < size.width - 2 * ENDS ? label : shorten(label);
    const half = pen.measureText(text).width / 2 + 3;
    const middle = Math.min(Math.max(x, half), size.width - half);
    const below = y + radiusOnScreen(radius, camera) + 9;
    const box: Box = [middle - half, below - 7, middle + half, below + 7];
    if (urgent < 2 && taken.some((other) => overlap(box, other))) continue;
    const mayHide = place < LANDMARKS || rank >= 1000 || urgent > 1 || (urgent === 1 && isFew);
    if (!mayHide && near(box)) continue;
    taken.push(box);
    pen.globalAlpha = Math.max(0.7, emphasis.opacity(mark));
    pen.strokeStyle = ink.paper;
    pen.lineWidth = 4;
    pen.strokeText(text, middle, below);
    pen.fillStyle = ink.ink;
    pen.fillText(text, middle, below);
  }
  pen.globalAlpha = 1;
}

const ranked = new WeakMap<Scene, Uint32Array>();

/** All marks of a scene, the best connected first; worked out once. */
function byRank(scene: Scene): Uint32Array {
  const known = ranked.get(scene);
  if (known) return known;
  const order = Uint32Array.from(scene.marks.keys()).sort((a, b) => scene.marks[b]!.rank - scene.marks[a]!.rank || a - b);
  ranked.set(scene, order);
  return order;
}

/** Marks within the view in the order in which they are named. */
function namedFirst({ scene, places, camera, size, emphasis }: Seen): number[] {
  const urgent: number[] = [];
  const others: number[] = [];
  const [halfWidth, halfHeight] = [size.width / 2 / camera.scale, size.height / 2 / camera.scale];
  for (const mark of byRank(scene)) {
    if (Math.abs(places.x[mark]! - camera.x) > halfWidth || Math.abs(places.y[mark]! - camera.y) > halfHeight) continue;
    if (emphasis.opacity(mark) <= CLEAR) continue;
    if (urgency(mark, emphasis)) urgent.push(mark);
    else if (others.length < MOST_TRIED) others.push(mark);
  }
  urgent.sort((a, b) => urgency(b, emphasis) - urgency(a, emphasis));
  return [...urgent.slice(0, MOST_TRIED), ...others];
}

const CELL = 40;

/** Tells whether a mark stands in a box, so that plain names hide none. */
function marksNear({ scene, places, camera, size, emphasis }: Seen): (box: Box) => boolean {
  const columns = Math.ceil(size.width / CELL) + 2;
  const rows = Math.ceil(size.height / CELL) + 2;
  const cells: (Box[] | undefined)[] = new Array(columns * rows);
  const column = (x: number) => Math.min(columns - 1, Math.max(0, Math.floor(x / CELL) + 1));
  const row = (y: number) => Math.min(rows - 1, Math.max(0, Math.floor(y / CELL) + 1));
  for (let mark = 0; mark < scene.marks.length; mark++) {
    const x = (places.x[mark]! - camera.x) * camera.scale + size.width / 2;
    const y = (places.y[mark]! - camera.y) * camera.scale + size.height / 2;
    if (x < -CELL || y < -CELL || x > size.width + CELL || y > size.height + CELL || emphasis.opacity(mark) < CLEAR) continue;
    const half = radiusOnScreen(scene.marks[mark]!.radius, camera) * 0.7;
    const cell = row(y) * columns + column(x);
    (cells[cell] ??= []).push([x - half, y - half, x + half, y + half]);
  }
  return (box) => {
    // A mark is smaller than a cell: one that reaches into the box stands in a cell beside it at most.
    for (let down = row(box[1]) - 1; down <= row(box[3]) + 1; down++) {
      for (let across = column(box[0]) - 1; across <= column(box[2]) + 1; across++) {
        if (cells[down * columns + across]?.some((other) => overlap(box, other))) return true;
      }
    }
    return false;
  };
}
