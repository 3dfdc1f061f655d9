// What is drawn above the marks, anew each time something is pointed at: its lines, rings, pins and names.

import { lineLook } from "../kinds";
import type { Scene } from "../scene";
import { type Camera, type Places, type Size, toScreen } from "./camera";
import { drawLabels } from "./drawLabels";
import type { Emphasis, Ink } from "./drawnNumbers";
import { radiusOnScreen } from "./painter";

/** How far outside a pointed or opened mark its ring is drawn. */
const RING = 5;

export interface Seen {
  scene: Scene;
  places: Places;
  camera: Camera;
  size: Size;
  emphasis: Emphasis;
  ink: Ink;
  /** The mark that is dragged, where it stands elsewhere in the drawing below; -1 without one. */
  held: number;
}

/** While the map of many notes is moved, `hurried`, names are left out. */
export function drawOver(pen: CanvasRenderingContext2D, seen: Seen, hurried: boolean): void {
  const { scene, camera, size, emphasis, ink } = seen;
  pen.clearRect(0, 0, size.width, size.height);
  const looked = emphasis.pointed >= 0 ? emphasis.pointed : emphasis.selected;
  if (looked >= 0) drawLines(pen, seen, looked);
  for (const mark of [emphasis.selected, emphasis.pointed]) {
    if (mark < 0) continue;
    const [x, y] = placeOf(seen, mark);
    pen.beginPath();
    pen.arc(x, y, radiusOnScreen(scene.marks[mark]!.radius, camera) + RING, 0, 2 * Math.PI);
    pen.lineWidth = mark === emphasis.selected ? 2.5 : 1.5;
    pen.strokeStyle = ink.accent;
    pen.stroke();
  }
  if (seen.held >= 0) {
    const { radius, look } = scene.marks[seen.held]!;
    const [x, y] = placeOf(seen, seen.held);
    pen.beginPath();
    pen.arc(x, y, radiusOnScreen(radius, camera), 0, 2 * Math.PI);
    pen.fillStyle = rgb(ink.dyes[look.dye]);
    pen.fill();
  }
  pen.fillStyle = ink.ink;
  if (camera.scale > 0.4) {
    scene.marks.forEach(({ radius }, mark) => {
      if (!emphasis.pinned(mark)) return;
      const [x, y] = placeOf(seen, mark);
      pen.beginPath();
      pen.arc(x, y - radiusOnScreen(radius, camera) - 3, 2, 0, 2 * Math.PI);
      pen.fill();
    });
  }
  if (!hurried) drawLabels(pen, seen);
}

const placeOf = ({ places, camera, size }: Seen, mark: number) => toScreen(camera, size, places.x[mark]!, places.y[mark]!);

/** From this many on the links of one note would hide what lies below them: each is thinner then. */
const MANY = 24;

/** The links of the note that is looked at, from rim to rim, with heads where they lead elsewhere or are few. */
function drawLines(pen: CanvasRenderingContext2D, seen: Seen, looked: number): void {
  const { scene, camera, emphasis, ink } = seen;
  const { sources, targets, lineTypes } = scene;
  const rim = (mark: number) =>
    radiusOnScreen(scene.marks[mark]!.radius, camera) + (mark === emphasis.selected || mark === emphasis.pointed ? RING + 1 : 1.5);
  const lines: number[] = [];
  for (let line = 0; line < sources.length; line++) {
    if ((sources[line] === looked || targets[line] === looked) && emphasis.showsLine(lineTypes[line]!)) lines.push(line);
  }
  const [strength, width] = lines.length > MANY ? [0.45, 1] : [0.85, 1.5];
  for (const line of lines) {
    const [source, target] = [sources[line]!, targets[line]!];
    const shown = Math.min(emphasis.opacity(source), emphasis.opacity(target));
    const [[x1, y1], [x2, y2]] = [placeOf(seen, source), placeOf(seen, target)];
    const far = Math.hypot(x2 - x1, y2 - y1);
    const [from, to] = [rim(source), far - rim(target)];
    if (shown <= 0 || to <= from) continue;
    const look = lineLook(lineTypes[line]!);
    const [ax, ay] = [(x2 - x1) / far, (y2 - y1) / far];
    const isFew = lines.length <= MANY || target !== looked; // many heads at one rim are a smudge
    const headed = look.directed && scene.kind === "notes" && to - from > 10 && isFew;
    const [tipX, tipY] = [x1 + ax * to, y1 + ay * to];
    pen.globalAlpha = Math.max(0.25, strength * shown);
    pen.strokeStyle = pen.fillStyle = look.dye === "ink" ? ink.ink : rgb(ink.dyes[look.dye]);
    pen.lineWidth = look.width * width;
    pen.setLineDash(look.dash);
    pen.beginPath();
    pen.moveTo(x1 + ax * from, y1 + ay * from);
    pen.lineTo(headed ? tipX - ax * 6 : tipX, headed ? tipY - ay * 6 : tipY);
    pen.stroke();
    if (!headed) continue;
    pen.beginPath();
    pen.moveTo(tipX, tipY);
    pen.lineTo(tipX - 8 * ax - 3.4 * ay, tipY - 8 * ay + 3.4 * ax);
    pen.lineTo(tipX - 8 * ax + 3.4 * ay, tipY - 8 * ay - 3.4 * ax);
    pen.fill();
  }
  pen.setLineDash([]);
  pen.globalAlpha = 1;
}

const rgb = ([red, green, blue]: [number, number, number]) => `rgb(${red * 255} ${green * 255} ${blue * 255})`;
