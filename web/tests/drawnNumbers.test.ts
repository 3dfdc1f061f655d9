import { shorten } from "../src/map/drawing/drawLabels";
import { expect, test } from "vitest";
import { type Emphasis, type Ink, lineNumbers, markNumbers } from "../src/map/drawing/drawnNumbers";
import { LINE_FLOATS, MARK_FLOATS } from "../src/map/drawing/painter";
import { DYES, looksFor } from "../src/map/kinds";
import { sceneOfNotes } from "../src/map/scene";
import type { Edge, NodeCard } from "../src/wire";

const INK = {
  dyes: Object.fromEntries(DYES.map((dye, index) => [dye, [index / 20, 0, 0]])),
  inkRgb: [1, 1, 1],
  paperRgb: [0, 0, 0],
} as unknown as Ink;
const CALM: Emphasis = { opacity: () => 1, showsLine: () => true, selected: -1, pointed: -1, named: () => false, pinned: () => false };

const card = (id: string): NodeCard => ({
  id, name: id, type: "skill", domain: "general", description: "", tags: [], inDegree: 1, outDegree: 1, path: `${id}.md`,
});
const edge = (source: string, target: string, type = "REFERENCES"): Edge => ({ source, target, type, count: 1, contexts: [] });
const PLACES = { x: Float64Array.from([-200, 200, 5000]), y: Float64Array.from([0, 0, 5000]) };

function lines(edges: Edge[], emphasis: Emphasis = CALM) {
  const scene = sceneOfNotes(["a", "b", "c"].map(card), edges, { lookOf: () => ({ dye: "slate", shape: "circle" }) });
  const numbers = lineNumbers(scene, PLACES, emphasis, INK);
  return Array.from({ length: numbers.length / LINE_FLOATS }, (_, at) => [...numbers.slice(at * LINE_FLOATS, (at + 1) * LINE_FLOATS)]);
}

test("a link that leads somewhere has a head at the rim of the mark it leads to, one that holds both ways has none", () => {
  expect(lines([edge("a", "b")])[0]!.slice(0, 4)).toEqual([-200, 0, 200, 0]);
  expect(lines([edge("a", "b")])[0]![7]).toBeGreaterThan(3);
  expect(lines([edge("a", "b", "CROSS_DOMAIN")])[0]![7]).toBe(0);
});

test("lines of other types or of hidden notes are none, and what is pointed at changes no number", () => {
  const edges = [edge("a", "c"), edge("a", "b", "EXTENDS")];
  expect(lines(edges, { ...CALM, pointed: 1, selected: 2 })).toEqual(lines(edges));
  expect(lines(edges, { ...CALM, showsLine: (type) => type === "EXTENDS" })).toHaveLength(1);
  expect(lines(edges, { ...CALM, opacity: (mark) => (mark === 2 ? 0 : 1) })).toHaveLength(1);
});

test("every mark tells its place, its shape and how strongly it is drawn", () => {
  const scene = sceneOfNotes(["a", "b"].map(card), [], { lookOf: ({ id }) => ({ dye: "teal", shape: id === "a" ? "circle" : "hexagon" }) });
  const numbers = markNumbers(scene, PLACES, { ...CALM, opacity: (mark) => (mark ? 0.5 : 1) }, INK);
  expect(numbers).toHaveLength(2 * MARK_FLOATS);
  expect([numbers[0], numbers[3], numbers[7]]).toEqual([-200, 0, 1]);
  expect([numbers[8], numbers[11], numbers[15]]).toEqual([200, 5, 0.5]);
});

test("twelve types have twelve colours, and no two of fifty look alike", () => {
  const looks = [...looksFor(Array.from({ length: 12 }, (_, at) => `kind ${at}`)).values()];
  expect(new Set(looks.map(({ dye }) => dye)).size).toBe(12);
  const known = [...looksFor(["moc", "framework", "technique", "claim", "exploration", "skill", "x", "y", "z"]).values()];
  expect(new Set(known.map(({ dye }) => dye)).size).toBe(9);
  const many = [...looksFor(Array.from({ length: 50 }, (_, at) => `kind ${at}`)).values()];
  expect(new Set(many.map(({ dye, shape }) => dye + shape)).size).toBe(50);
});

test("a long name ends with a whole word on the map, and one long word is cut", () => {
  expect(shorten("About the way notes link to others")).toBe("About the way notes link to others");
  expect(shorten("A very long title that goes on and on about notes")).toBe("A very long title that goes on…");
  expect(shorten("Donaudampfschifffahrtselektrizitätenhauptbetriebswerk")).toBe("Donaudampfschifffahrtselektrizitä…");
});
