import { expect, test } from "vitest";
import { EXAMPLE_PLAN } from "../../src/sessions/examplePlan";
import { placeOf, readPlanText } from "../../src/sessions/planText";
import { lasted } from "../../src/sessions/words";

const named = (text: string, path: string) => {
  const place = placeOf(text, path);
  return place && text.slice(...place);
};

test("the example is a plan of steps that need no model", () => {
  const read = readPlanText(EXAMPLE_PLAN) as { request: { plan: { steps: { type: string }[] } } };
  const types = read.request.plan.steps.map(({ type }) => type);
  expect(types).toEqual(["set_context", "ask_user", "branch", "output"]);
});

test("a plan alone is wrapped, and a request with its skills goes as it is", () => {
  expect(readPlanText('{"skillName": "x", "steps": []}')).toEqual({ request: { plan: { skillName: "x", steps: [] } } });
  const whole = { plan: { steps: [] }, allSkills: [] };
  expect(readPlanText(JSON.stringify(whole))).toEqual({ request: whole });
});

test("text that is no JSON says where to look", () => {
  const read = readPlanText('{\n  "steps": [,]\n}') as { unreadable: { sentence: string; at: number } };
  expect(read.unreadable.sentence).toContain("line 2, column 13");
  expect(read.unreadable.at).toBe(14);
  const faults = ['{"a": tru}', '{"a" 1}', '{"a": 1,}', '{"a": "x\n"}', '{"a": 01}', '{"a": 1} x', '{"a": [1 2]}', '{"a": "unclosed'];
  const places = faults.map((text) => (readPlanText(text) as typeof read).unreadable.at);
  expect(places).toEqual([6, 5, 8, 6, 6, 9, 9, 6]);
  for (const text of ["", "[]", "7", "null", "{"]) expect(readPlanText(text)).toHaveProperty("unreadable.sentence");
});

test("a path of the server finds its place in the text, with and without the plan around it", () => {
  const plan = { skillName: 'quo"te', steps: [{ id: "a", n: [1, { "x.y": true }] }, { id: "b\\", type: "brunch" }] };
  for (const indent of [0, 2]) {
    const alone = JSON.stringify(plan, null, indent);
    const whole = JSON.stringify({ allSkills: [{ id: "s" }], plan }, null, indent);
    for (const text of [alone, whole]) {
      expect(named(text, "plan.steps.1.type")).toBe('"brunch"');
      expect(named(text, "plan.steps.1.id")).toBe('"b\\\\"');
      expect(named(text, "plan.skillName")).toBe('"quo\\"te"');
      expect(named(text, "plan.steps.0.n.0")).toBe("1");
    }
    expect(named(whole, "allSkills.0.id")).toBe('"s"');
  }
});

test("a field that is missing leads to the thing it is missing in", () => {
  const text = '{"steps": [{"id": "a"}]}';
  expect(named(text, "plan.steps.0.header")).toBe('{"id": "a"}');
  expect(named(text, "plan.skillName")).toBe(null);
});

test("times are short", () => {
  expect([0, 999, 1_500, 61_000, 3_660_000].map(lasted)).toEqual(["0 ms", "999 ms", "1.5 s", "1 min 1 s", "1 h 1 min"]);
});
