import { expect, test } from "vitest";
import { beginning } from "../src/routes/drawn/useCamera";
import { layOut, nearest, shortRule, wrapped } from "../src/routes/drawn/layout";
import { nextAlong } from "../src/routes/drawn/walkKeys";
import type { Routes, SkillEdge, WalkedStep } from "../src/routes/routeWire";
import type { WalkStep } from "../src/routes/routeWire";
import { LONGEST_LINK, packWalk, readTest, testFile, unpackWalk } from "../src/routes/walk/walkText";

const WALK: WalkStep[] = [
  { message: "Ich möchte “Geld” zurück 💶" },
  { toolResults: [{ toolName: "issue_refund", status: "denied", result: '{"amount": 500}' }], answers: { is_angry: true } },
  { pick: "glossary" },
  {},
];

test("a walk in an address is the same walk", () => {
  const text = packWalk(WALK);
  expect(text).toMatch(/^[\w-]+$/);
  expect(unpackWalk(text)).toEqual(WALK);
  expect(packWalk([])).toBe("");
});

test("an address that was cut, or is no walk, is no walk at all", () => {
  const text = packWalk(WALK);
  expect(unpackWalk(text.slice(0, -7))).toEqual([]);
  expect(unpackWalk("@@@")).toEqual([]);
  expect(unpackWalk(btoa('{"a": 1}'))).toEqual([]);
  expect(unpackWalk(btoa(JSON.stringify([{ t: [["x", "nonsense", 5], ["", null, ""]], p: 7 }])))).toEqual([{ toolResults: [{ toolName: "x", status: null, result: "" }] }]);
  expect(unpackWalk("A".repeat(LONGEST_LINK + 1))).toEqual([]);
});

test("a file whose steps are none says which, and nothing is taken for what it is not", () => {
  const read = (...steps: unknown[]) => readTest(JSON.stringify({ steps }));
  for (const odd of [null, "a", { message: 5 }, { toolResults: "x" }, { toolResults: [{ toolName: 5 }] }, { answers: { q: "no" } }, { expect: "refunds" }]) {
    expect(read({ message: "hi" }, odd)).toBe("Step 2 of this file is no step of a walk.");
  }
  expect(readTest("null")).toBe("This file has no steps.");
  const nothing = { message: null, toolResults: null, pick: null, answers: null, expect: { skill: null } };
  expect(read(nothing)).toEqual([nothing]);
});

test("a saved test holds what happened and where each step led, and is read back", () => {
  const led = (to: string, by: string, leaf: string | null = null) => ({ move: { to, by, leaf } }) as WalkedStep;
  const text = testFile("desk", "desk", WALK.slice(0, 2), [led("refunds", "entry"), led("escalation", "route")]);
  const steps = readTest(text) as WalkStep[];
  expect(steps.map(({ expect: wanted }) => wanted)).toEqual([
    { skill: "refunds", by: "entry" },
    { skill: "escalation", by: "route" },
  ]);
  expect(steps[0]!.message).toBe(WALK[0]!.message);
  expect(readTest("[")).toBe("This file is no JSON.");
  expect(readTest("{}")).toBe("This file has no steps.");
  expect(readTest(JSON.stringify({ steps: Array(201).fill({}) }))).toContain("at most 200");
});

const edge = (from: string | null, to: string, label: string | null = null): SkillEdge => ({ from, to, kind: from ? "on-tool-return" : "entry", label, priority: 0, reason: null });

test("labels are short and take two lines at most", () => {
  expect(shortRule(edge("a", "b", "on issue_refund status=denied where amount > 100 !10"), null)).toBe("issue_refund denied where amount > 100");
  expect(shortRule(edge("a", "b", "on /refund/i"), null)).toBe("/refund/i");
  expect(shortRule(edge("a", "b"), "is_angry")).toBe("@is_angry");
  expect(wrapped("")).toEqual([]);
  expect(wrapped("one two three four five six seven eight nine ten")).toHaveLength(2);
});

test("arrows walk along the edges, and up and down to what stands there", () => {
  const box = (id: string, x: number, y: number) => ({ id, kind: "skill" as const, x, y, width: 10, height: 10 });
  const drawing = { boxes: [box("a", 0, 0), box("b", 100, 0), box("c", 100, 90), box("d", 200, 0)], ways: [], width: 0, height: 0, left: 0, loose: 0 };
  const edges = [edge(null, "a"), edge("a", "c"), edge("a", "b"), edge("b", "d"), edge("d", "a")];
  expect(nextAlong(drawing, edges, "a", "ArrowRight")).toBe("b");
  expect(nextAlong(drawing, edges, "b", "ArrowDown")).toBe("c");
  expect(nextAlong(drawing, edges, "d", "ArrowRight")).toBe("a");
  expect(nextAlong(drawing, edges, "d", "ArrowLeft")).toBe("b");
  expect(nextAlong(drawing, edges, "c", "ArrowRight")).toBeNull();
});

test("of a graph too large to draw only what is near is drawn", () => {
  const ids = Array.from({ length: 500 }, (_, number) => `s${number}`);
  const routes = {
    nodes: ids.map((id) => ({ id, kind: "skill", label: id })),
    edges: [edge(null, "s0"), ...ids.slice(1).map((id, number) => edge(`s${number}`, id))],
  } as unknown as Routes;
  const near = nearest(routes, "s300", 21);
  expect([...near].sort()).toEqual(ids.slice(290, 311).sort());
  expect(nearest(routes, "", 10).has("s0")).toBe(true);
  expect(nearest(routes, "", 500).size).toBe(500);
});

test("skills that nothing leads to stand in rows, and none on another", async () => {
  const ids = Array.from({ length: 14 }, (_, number) => `s${number}`);
  const routes = { nodes: ids.map((id) => ({ id, kind: "skill", label: id })), edges: [edge("s0", "s1")], rules: [] } as unknown as Routes;
  const { boxes, width, height } = await layOut(routes, "");
  expect(boxes.length).toBe(14);
  expect(height).toBeLessThan(width);
  for (const [at, box] of boxes.entries()) {
    expect(box.x + box.width / 2 <= width && box.y + box.height / 2 <= height).toBe(true);
    for (const other of boxes.slice(at + 1)) expect(Math.abs(box.x - other.x) >= box.width || Math.abs(box.y - other.y) >= box.height).toBe(true);
  }
});

test("a map that is higher than its room opens around its way in, and shows no more nothing than it must", () => {
  const [drawn, room] = [{ width: 500, height: 2_000 }, { width: 900, height: 400 }];
  const shownAt = (y: number) => {
    const camera = beginning(drawn, room, { x: 100, y, width: 170, height: 64 });
    return Math.round(y * camera.scale + camera.y);
  };
  expect(shownAt(1_000)).toBe(200);
  expect(shownAt(40)).toBeLessThan(60);
  expect(shownAt(1_960)).toBeGreaterThan(340);
  expect(beginning({ width: 500, height: 300 }, room, undefined).y).toBe(50);
});
