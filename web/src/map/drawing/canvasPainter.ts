// Marks and lines without a graphics card: one stroke for all lines that look alike, one stamp for all marks that do.

import { corners, SHAPES } from "../kinds";
import { grownBy, HEADS_FROM, LINE_FLOATS, lineAlpha, MARK_FLOATS, type Painter, type View } from "./painter";

/** All that look alike, by their numbers. */
interface Alike {
  first: number;
  members: Uint32Array;
}

const MANY_LINES = 3_000; // of so many each is a hair, which is drawn without working out its edges
const STAMP_STEP = 4; // sizes of stamps a pixel

export class CanvasPainter implements Painter {
  private marks: Float32Array = new Float32Array(0);
  private lines: Float32Array = new Float32Array(0);
  private markLooks: Alike[] = [];
  private lineLooks: Alike[] = [];
  private readonly stamps = new Map<string, ImageBitmap>();

  constructor(private readonly pen: CanvasRenderingContext2D) {}

  setMarks(numbers: Float32Array): void {
    this.marks = numbers;
    this.markLooks = alike(numbers, MARK_FLOATS, 2);
    this.stamps.clear();
  }

  setLines(numbers: Float32Array): void {
    this.lines = numbers;
    this.lineLooks = alike(numbers, LINE_FLOATS, 4);
  }

  paint(view: View): void {
    const { pen } = this;
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.clearRect(0, 0, pen.canvas.width, pen.canvas.height);
    for (const look of this.lineLooks) this.paintLines(look, view);
    pen.globalAlpha = 1;
    for (const look of this.markLooks) this.paintMarks(look, view);
  }

  /** Whoever lies aside of the view on one side with both ends is passed over. */
  private paintLines({ first, members }: Alike, { camera, size, ratio, strength }: View): void {
    const { pen, lines } = this;
    const [width, dash, gap, rim] = lines.subarray(first + 4, first + 8) as unknown as [number, number, number, number];
    const [red, green, blue, alpha] = lines.subarray(first + 8, first + 12) as unknown as [number, number, number, number];
    const scale = camera.scale * ratio;
    const [right, bottom] = [size.width * ratio, size.height * ratio];
    const [dx, dy] = [right / 2 - camera.x * scale, bottom / 2 - camera.y * scale];
    pen.globalAlpha = lineAlpha(alpha, camera) * strength;
    pen.strokeStyle = pen.fillStyle = rgb(red, green, blue);
    pen.lineWidth = members.length > MANY_LINES ? Math.min(1, width * ratio) : width * ratio;
    pen.setLineDash(gap > 0 ? [dash * ratio, gap * ratio] : []);
    const headed = rim > 0 && camera.scale >= HEADS_FROM;
    const short = headed ? (rim * grownBy(camera) + 1.5) * ratio : 0;
    pen.beginPath();
    const heads = new Path2D();
    for (let member = 0; member < members.length; member++) {
      const at = members[member]!;
      const [x1, y1] = [lines[at]! * scale + dx, lines[at + 1]! * scale + dy];
      let [x2, y2] = [lines[at + 2]! * scale + dx, lines[at + 3]! * scale + dy];
      if ((x1 < 0 && x2 < 0) || (y1 < 0 && y2 < 0) || (x1 > right && x2 > right) || (y1 > bottom && y2 > bottom)) continue;
      if (headed) {
        const far = Math.hypot(x2 - x1, y2 - y1) || 1;
        const [ax, ay] = [(x2 - x1) / far, (y2 - y1) / far];
        [x2, y2] = [x2 - ax * short, y2 - ay * short];
        if (far > 2 * short + 11 * ratio) addHead(heads, x2, y2, ax * ratio, ay * ratio);
      }
      pen.moveTo(x1, y1);
      pen.lineTo(x2, y2);
    }
    pen.stroke();
    if (!headed) return;
    pen.globalAlpha = Math.min(0.9, pen.globalAlpha * 1.9);
    pen.fill(heads);
  }

  private paintMarks({ first, members }: Alike, { camera, size, ratio, paper }: View): void {
    const { pen, marks } = this;
    const alpha = marks[first + 7]!;
    if (alpha <= 0) return;
    const stamp = this.stampOf(first, Math.ceil(marks[first + 2]! * grownBy(camera) * ratio * STAMP_STEP) / STAMP_STEP, ratio, paper);
    const half = stamp.width / 2;
    const scale = camera.scale * ratio;
    const [right, bottom] = [size.width * ratio + half, size.height * ratio + half];
    const [dx, dy] = [(size.width / 2) * ratio - camera.x * scale, (size.height / 2) * ratio - camera.y * scale];
    for (let member = 0; member < members.length; member++) {
      const at = members[member]!;
      const [x, y] = [marks[at]! * scale + dx, marks[at + 1]! * scale + dy];
      if (x > -half && y > -half && x < right && y < bottom) pen.drawImage(stamp, Math.round(x - half), Math.round(y - half));
    }
  }

  /** A mark with paper round it, so that lines end before it. */
  private stampOf(first: number, radius: number, ratio: number, paper: [number, number, number]): ImageBitmap {
    const [, , , shape, red, green, blue, alpha] = this.marks.subarray(first, first + MARK_FLOATS);
    const key = [radius, shape, red, green, blue, alpha, paper].join(" ");
    const known = this.stamps.get(key);
    if (known) return known;
    const side = 2 * Math.ceil(radius * 1.2 + 1.3 * ratio + 0.5);
    const canvas = new OffscreenCanvas(side, side);
    const pen = canvas.getContext("2d")!;
    const outline = outlineOf(shape!, radius, side / 2);
    pen.lineJoin = "round";
    pen.lineWidth = 2.6 * ratio;
    pen.strokeStyle = pen.fillStyle = rgb(...paper);
    pen.globalAlpha = Math.min(1, alpha! * 4);
    pen.stroke(outline);
    pen.fill(outline);
    pen.globalAlpha = alpha!;
    pen.fillStyle = rgb(red!, green!, blue!);
    pen.fill(outline);
    const stamp = canvas.transferToImageBitmap();
    this.stamps.set(key, stamp);
    return stamp;
  }
}

/** Those whose numbers from `from` on are equal, together: told apart by what their bits are mixed to, twice. */
function alike(numbers: Float32Array, floats: number, from: number): Alike[] {
  const bits = new Uint32Array(numbers.buffer, numbers.byteOffset, numbers.length);
  const found = new Map<number, number[]>();
  for (let at = 0; at < numbers.length; at += floats) {
    let [one, other] = [7, 11];
    for (let part = at + from; part < at + floats; part++) {
      one = Math.imul(one ^ bits[part]!, 0x9e3779b1);
      one ^= one >>> 15;
      other = Math.imul(other + bits[part]!, 0x85ebca77) ^ (other >>> 13);
    }
    const key = (one >>> 0) * 0x200000 + (other >>> 11);
    const members = found.get(key);
    if (members) members.push(at);
    else found.set(key, [at]);
  }
  return [...found.values()].map((members) => ({ first: members[0]!, members: Uint32Array.from(members) }));
}

const rgb = (red: number, green: number, blue: number) => `rgb(${red * 255} ${green * 255} ${blue * 255})`;

function addHead(path: Path2D, x: number, y: number, ax: number, ay: number): void {
  path.moveTo(x, y);
  path.lineTo(x - 8 * ax - 3.4 * ay, y - 8 * ay + 3.4 * ax);
  path.lineTo(x - 8 * ax + 3.4 * ay, y - 8 * ay - 3.4 * ax);
  path.closePath();
}

/** As large as the graphics card draws each shape. */
function outlineOf(shape: number, radius: number, middle: number): Path2D {
  const outline = new Path2D();
  const name = SHAPES[shape]!;
  if (name === "circle") outline.arc(middle, middle, radius * 0.94, 0, 2 * Math.PI);
  const reach = name === "circle" ? 0 : radius * 1.13;
  corners(name).forEach(([x, y], at) => outline[at === 0 ? "moveTo" : "lineTo"](middle + x * reach, middle + y * reach));
  outline.closePath();
  return outline;
}
