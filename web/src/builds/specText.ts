// The spec of a build as it is typed: examples to begin with, and the goal, which is all that it needs.

import clubWebsite from "../../../examples/club-website.json";
import nightLight from "../../../examples/night-light.json";
import starGame from "../../../examples/star-game.json";
import { readObject } from "../sessions/planText";

export const LONGEST_GOAL = 2_000;

const written = (spec: object) => JSON.stringify(spec, null, 2);

export interface ExampleSpec {
  kind: string;
  goal: string;
  description: string;
  text: string;
}

const example = (kind: string, spec: typeof starGame | typeof clubWebsite | typeof nightLight): ExampleSpec => ({
  kind,
  goal: spec.project.goal,
  description: spec.project.description,
  text: written(spec),
});

export const EXAMPLES = [example("A game", starGame), example("A website, with a gate", clubWebsite), example("A program for a board", nightLight)];

/** What a wish alone becomes: tests are wanted unless somebody says otherwise. */
export const BLANK = written({ project: { goal: "" }, workflow: { testing_enabled: true } });

const projectOf = (spec: Record<string, unknown>) =>
  typeof spec.project === "object" && spec.project !== null && !Array.isArray(spec.project) ? (spec.project as Record<string, unknown>) : {};

/** Null where the text cannot be read. */
export function goalIn(text: string): string | null {
  const read = readObject(text, "spec");
  if ("unreadable" in read) return null;
  const { goal } = projectOf(read.value);
  return typeof goal === "string" ? goal : "";
}

/** The text with another goal; one that cannot be read stays as it is. */
export function withGoal(text: string, goal: string): string {
  const read = readObject(text, "spec");
  if ("unreadable" in read) return text;
  return written({ ...read.value, project: { ...projectOf(read.value), goal } });
}
