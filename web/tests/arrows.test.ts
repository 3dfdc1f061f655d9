import { expect, test } from "vitest";
import { headOf } from "../src/map/arrows";
import { drawScene, type Emphasis, type Ink } from "../src/map/draw";
import { DYES, looksFor } from "../src/map/kinds";
import { sceneOfNotes } from "../src/map/scene";
import type { Edge, NodeCard } from "../src/wire";

const SIZE = { width: 800, height: 600 };
const INK = { dyes: Object.fromEntries(DYES.map((dye) => [dye, dye])), ink: "ink", paper: "paper", accent: "accent", font: "serif" } as Ink;
const CALM: Emphasis = { opacity: () => 1, showsLine: () => true, selected: -1, pointed: -1, named: () => false };

const card = (id: string): NodeCard => ({
  id, name: id, type: "skill", domain: "general", description: "", tags: [], inDegree: 1, outDegree: 1, path: `${id}.md`,
});
const edge = (source: string, target: string, type = "REFERENCES"): Edge => ({ source, target, type, count: 1, contexts: [] });

/** The corners of every three-cornered path that is filled, as a canvas would be told them. */
function headsDrawn(edges: Edge[], scale: number, emphasis: Emphasis = CALM): [number, number][][] {
  const heads: [number, number][][] = [];
  let paths: [number, number][][] = [];
  const pen = new Proxy({} as Record<string, unknown>, {
    get: (kept, name: string) => {
      if (name === "beginPath") return () => (paths = []);
      if (name === "moveTo") return (x: number, y: number) => paths.push([[x, y]]);
      if (name === "lineTo") return (x: number, y: number) => paths.at(-1)?.push([x, y]);
      if (name === "fill") return () => heads.push(...paths.filter((path) => path.length === 3));
      if (name === "measureText") return () => ({ width: 10 });
      return name in kept ? kept[name] : () => undefined;
    },
    set: (kept, name: string, value) => ((kept[name] = value), true),
  }) as unknown as CanvasRenderingContext2D;
  const scene = sceneOfNotes(["a", "b", "c"].map(card), edges, looksFor(["skill"]));
  const places = { x: Float64Array.from([-200, 200, 5000]), y: Float64Array.from([0, 0, 5000]) };
  drawScene(pen, scene, places, { x: 0, y: 0, scale }, SIZE, emphasis, INK);
  return heads;
}

test("a head lies on the line, its tip just outside the mark it points to", () => {
  const [tipX, tipY, leftX, leftY, rightX, rightY] = headOf([0, 0], [100, 0], 5, 10)!;
  expect(tipY).toBeCloseTo(0);
  expect(tipX).toBeGreaterThan(86);
  expect(tipX).toBeLessThan(90);
  expect([leftX, leftY]).toEqual([rightX, -rightY]);
  expect(leftX).toBeLessThan(tipX);
});

test("marks that leave no room have no head between them", () => {
  expect(headOf([0, 0], [20, 0], 8, 8)).toBeNull();
  expect(headOf([0, 0], [0, 0], 8, 8)).toBeNull();
});

test("each link has a head at the note it leads to", () => {
  const [one] = headsDrawn([edge("a", "b")], 1);
  const [other] = headsDrawn([edge("b", "a")], 1);
  expect(one![0]![0]).toBeGreaterThan(550);
  expect(other![0]![0]).toBeLessThan(250);
  expect(headsDrawn([edge("a", "b"), edge("b", "a", "EXTENDS")], 1)).toHaveLength(2);
});

test("a bond that holds both ways has no head", () => {
  expect(headsDrawn([edge("a", "b", "CROSS_DOMAIN")], 1)).toEqual([]);
});

test("from far away only the pointed note has heads, and what lies outside the view has none", () => {
  expect(headsDrawn([edge("a", "b")], 0.3)).toEqual([]);
  expect(headsDrawn([edge("a", "b")], 0.3, { ...CALM, pointed: 0 })).toHaveLength(1);
  expect(headsDrawn([edge("a", "c")], 1)).toEqual([]);
});
