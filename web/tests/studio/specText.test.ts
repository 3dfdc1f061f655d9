import { expect, test } from "vitest";
import { BLANK, EXAMPLES, goalIn, withGoal } from "../../src/builds/specText";

test("three examples each have a goal and words about it", () => {
  expect(EXAMPLES.length).toBe(3);
  for (const { text, goal, description } of EXAMPLES) {
    expect(goalIn(text)).toBe(goal);
    expect(description).not.toBe("");
  }
});

test("another goal changes the goal alone", () => {
  const changed = JSON.parse(withGoal(EXAMPLES[0]!.text, "A pond")) as { project: { goal: string } };
  expect(changed.project.goal).toBe("A pond");
  changed.project.goal = EXAMPLES[0]!.goal;
  expect(changed).toEqual(JSON.parse(EXAMPLES[0]!.text));
  expect(goalIn(withGoal(BLANK, "A pond"))).toBe("A pond");
});

test("a text that cannot be read is never overwritten, and one without a project gets one", () => {
  expect([goalIn("{,"), withGoal("{,", "A pond")]).toEqual([null, "{,"]);
  for (const text of ["{}", '{"project": 7}', '{"project": [1]}', '{"project": {"goal": 3}}']) {
    expect([goalIn(text), goalIn(withGoal(text, "A pond"))]).toEqual(["", "A pond"]);
  }
});
