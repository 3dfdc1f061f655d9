// A force layout: linked notes pull together, all notes push apart, a weak pull holds the whole near its centre.
// Equal input and seed give equal positions; it cools down and stops.

import { Quadtree } from "./quadtree";

export interface LayoutInput {
  count: number;
  sources: Uint32Array;
  targets: Uint32Array;
  /** How large each mark is drawn: large ones ask for more room. */
  radii: Float64Array;
  seed: number;
  /** Where marks stood the last time; not a number where one is new. */
  before?: { x: Float64Array; y: Float64Array };
  /** Marks that stay where they are. */
  fixed?: Uint8Array;
}

export interface Layout {
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** Moves everything once; true as soon as the layout has settled. */
  step(): boolean;
}

const REPULSION = -140;
const REST_LENGTH = 32;
const PLAIN_RADIUS = 6;
const GRAVITY = 0.035;
const FRICTION = 0.62;
const COOLING = 0.977;
const COLD = 0.004;
const LARGE = 3000; // from here on it cools faster: the shape is there long before every note has found its place
const LARGE_COOLING = 0.95;
const STILL = 0.04;

/** As fine as a place is kept. */
export const inTenths = (place: number) => Math.round(place * 10) / 10;

/** mulberry32: small, fast, and the same everywhere. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

function startingPlaces(count: number, seed: number): [Float64Array, Float64Array] {
  const random = randomFrom(seed);
  const [x, y] = [new Float64Array(count), new Float64Array(count)];
  const reach = 18 * Math.sqrt(count) + 1;
  for (let node = 0; node < count; node++) {
    x[node] = (random() - 0.5) * 2 * reach;
    y[node] = (random() - 0.5) * 2 * reach;
  }
  return [x, y];
}

function degreesOf({ count, sources, targets }: LayoutInput): Uint32Array {
  const degrees = new Uint32Array(count);
  for (let edge = 0; edge < sources.length; edge++) {
    degrees[sources[edge]!]! += 1;
    degrees[targets[edge]!]! += 1;
  }
  return degrees;
}

/** Who is new starts beside those it is linked with, the others where they stood. */
function placesFrom(input: LayoutInput): [Float64Array, Float64Array] {
  const [x, y] = startingPlaces(input.count, input.seed);
  const { before, sources, targets } = input;
  if (!before) return [x, y];
  const known = (node: number) => !Number.isNaN(before.x[node]!);
  const [sumX, sumY, met] = [new Float64Array(input.count), new Float64Array(input.count), new Uint32Array(input.count)];
  const meet = (node: number, other: number) => {
    if (known(node) || !known(other)) return;
    sumX[node]! += before.x[other]!;
    sumY[node]! += before.y[other]!;
    met[node]! += 1;
  };
  for (let edge = 0; edge < sources.length; edge++) {
    meet(sources[edge]!, targets[edge]!);
    meet(targets[edge]!, sources[edge]!);
  }
  const nudge = randomFrom(input.seed);
  for (let node = 0; node < input.count; node++) {
    if (known(node)) [x[node], y[node]] = [before.x[node]!, before.y[node]!];
    else if (met[node]! > 0) {
      x[node] = sumX[node]! / met[node]! + (nudge() - 0.5) * 2 * REST_LENGTH;
      y[node] = sumY[node]! / met[node]! + (nudge() - 0.5) * 2 * REST_LENGTH;
    }
  }
  return [x, y];
}

export function createLayout(input: LayoutInput): Layout {
  const { count, sources, targets, radii, fixed } = input;
  const [x, y] = placesFrom(input);
  const cooling = count > LARGE ? LARGE_COOLING : COOLING;
  const [velocityX, velocityY] = [new Float64Array(count), new Float64Array(count)];
  const degrees = degreesOf(input);
  const weights = radii.map((radius) => radius / PLAIN_RADIUS);
  const tree = new Quadtree();
  const pushed = new Float64Array(2);
  let heat = 1;

  function pullLinked(): void {
    for (let edge = 0; edge < sources.length; edge++) {
      const [a, b] = [sources[edge]!, targets[edge]!];
      const dx = x[b]! + velocityX[b]! - x[a]! - velocityX[a]! || 1e-6;
      const dy = y[b]! + velocityY[b]! - y[a]! - velocityY[a]! || 1e-6;
      const length = Math.sqrt(dx * dx + dy * dy);
      const strength = 1 / Math.min(degrees[a]!, degrees[b]!);
      const rest = REST_LENGTH + radii[a]! + radii[b]!;
      const pull = ((length - rest) / length) * heat * strength;
      // The better connected end moves less, so that hubs anchor their neighbours.
      const share = degrees[a]! / (degrees[a]! + degrees[b]!);
      velocityX[b]! -= dx * pull * share;
      velocityY[b]! -= dy * pull * share;
      velocityX[a]! += dx * pull * (1 - share);
      velocityY[a]! += dy * pull * (1 - share);
    }
  }

  function pushApart(): void {
    tree.build(x, y, weights);
    for (let node = 0; node < count; node++) {
      tree.push(node, x, y, REPULSION * heat, pushed);
      velocityX[node]! += pushed[0]! - x[node]! * GRAVITY * heat;
      velocityY[node]! += pushed[1]! - y[node]! * GRAVITY * heat;
    }
  }

  function move(): number {
    let farthest = 0;
    for (let node = 0; node < count; node++) {
      if (fixed?.[node]) {
        velocityX[node] = velocityY[node] = 0;
        continue;
      }
      velocityX[node]! *= FRICTION;
      velocityY[node]! *= FRICTION;
      x[node]! += velocityX[node]!;
      y[node]! += velocityY[node]!;
      farthest = Math.max(farthest, Math.abs(velocityX[node]!), Math.abs(velocityY[node]!));
    }
    return farthest;
  }

  return {
    x,
    y,
    step() {
      if (count === 0) return true;
      pullLinked();
      pushApart();
      const farthest = move();
      heat *= cooling;
      return heat < COLD || farthest < STILL;
    },
  };
}
