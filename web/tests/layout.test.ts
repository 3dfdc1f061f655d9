import { expect, test } from "vitest";
import { nextTowards } from "../src/map/drawing/camera";
import { findClusters } from "../src/map/clusters";
import { createLayout, type LayoutInput, randomFrom } from "../src/map/placing/layout";
import { growth, processorSeconds } from "./growth";

function webOf(count: number, seed: number): LayoutInput {
  const random = randomFrom(seed);
  const edges = count * 3;
  return {
    count,
    sources: Uint32Array.from({ length: edges }, () => Math.floor(random() * count)),
    targets: Uint32Array.from({ length: edges }, () => Math.floor(random() * count)),
    radii: new Float64Array(count).fill(6),
    seed,
  };
}

function settle(input: LayoutInput): { x: number[]; y: number[]; steps: number } {
  const layout = createLayout(input);
  let steps = 1;
  while (!layout.step()) steps++;
  return { x: [...layout.x], y: [...layout.y], steps };
}

test("the same graph and seed give the same places", () => {
  expect(settle(webOf(80, 7))).toEqual(settle(webOf(80, 7)));
});

test("another seed gives other places", () => {
  const input = webOf(80, 7);
  expect(settle({ ...input, seed: 8 }).x).not.toEqual(settle(input).x);
});

test("a layout settles within a bounded number of steps and stays finite", () => {
  const { x, y, steps } = settle(webOf(300, 3));
  expect(steps).toBeLessThan(400);
  expect([...x, ...y].every(Number.isFinite)).toBe(true);
});

test("a map of 420 notes settles within a second", () => {
  expect(processorSeconds(() => settle(webOf(420, 3)))).toBeLessThan(1);
});

test("notes without any link, or all on one spot, still find finite places", () => {
  const none = new Uint32Array(0);
  const { x } = settle({ count: 5, sources: none, targets: none, radii: new Float64Array(5).fill(6), seed: 1 });
  expect(x.every(Number.isFinite)).toBe(true);
  const stacked = createLayout({ count: 9, sources: none, targets: none, radii: new Float64Array(9).fill(6), seed: 1 });
  stacked.x.fill(0);
  stacked.y.fill(0);
  stacked.step();
  expect([...stacked.x].every(Number.isFinite)).toBe(true);
});

test("linked notes end closer than strangers", () => {
  const sources = Uint32Array.of(0, 2);
  const targets = Uint32Array.of(1, 3);
  const { x, y } = settle({ count: 4, sources, targets, radii: new Float64Array(4).fill(6), seed: 5 });
  const apart = (a: number, b: number) => Math.hypot(x[a]! - x[b]!, y[a]! - y[b]!);
  expect(apart(0, 1)).toBeLessThan(apart(0, 2));
  expect(apart(2, 3)).toBeLessThan(apart(1, 3));
});

test("a map of 1,000 notes settles in little more than ten times the work of 100", () => {
  expect(growth(40, () => settle(webOf(100, 2)), () => settle(webOf(1000, 2)))).toBeLessThan(40);
});

test("two cliques joined by one link are two clusters", () => {
  const pairs: [number, number][] = [];
  for (const base of [0, 5]) for (let a = 0; a < 5; a++) for (let b = a + 1; b < 5; b++) pairs.push([base + a, base + b]);
  pairs.push([4, 5]);
  const labels = findClusters(10, Uint32Array.from(pairs, ([a]) => a), Uint32Array.from(pairs, ([, b]) => b));
  expect(new Set(labels.slice(0, 5)).size).toBe(1);
  expect(new Set(labels.slice(5)).size).toBe(1);
  expect(labels[0]).not.toBe(labels[9]);
});

test("an arrow key walks to the nearest note that way, or nowhere", () => {
  const places = { x: Float64Array.of(0, 10, 40, 0), y: Float64Array.of(0, 1, 0, 30) };
  const anyone = () => true;
  expect(nextTowards(places, 0, "ArrowRight", anyone)).toBe(1);
  expect(nextTowards(places, 0, "ArrowDown", anyone)).toBe(3);
  expect(nextTowards(places, 0, "ArrowLeft", anyone)).toBe(-1);
  expect(nextTowards(places, 0, "ArrowRight", (node) => node !== 1)).toBe(2);
});

test("a new note finds its place beside those it is linked with, and moves nobody", () => {
  const input = webOf(120, 4);
  const settled = settle(input);
  const before = { x: Float64Array.from([...settled.x, NaN]), y: Float64Array.from([...settled.y, NaN]) };
  const grown: LayoutInput = {
    ...input,
    count: 121,
    sources: Uint32Array.from([...input.sources, 120]),
    targets: Uint32Array.from([...input.targets, 7]),
    radii: new Float64Array(121).fill(6),
    before,
    fixed: Uint8Array.from([...new Uint8Array(120).fill(1), 0]),
  };
  const { x, y } = settle(grown);
  for (let node = 0; node < 120; node++) expect(Math.hypot(x[node]! - settled.x[node]!, y[node]! - settled.y[node]!)).toBe(0);
  expect(Math.hypot(x[120]! - settled.x[7]!, y[120]! - settled.y[7]!)).toBeLessThan(300);
});
