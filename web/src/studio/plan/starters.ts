// Something to begin with: plans that are finished in five minutes and need no model, and the examples of builds.

import { EXAMPLES } from "../../builds/specText";
import { EXAMPLE_PLAN } from "../../sessions/examplePlan";
import type { DesignKind, JsonObject } from "../blocks/blockDocument";

export interface Starter {
  name: string;
  hint: string;
  document: JsonObject;
}

const plan = (skillName: string, ...steps: JsonObject[]): JsonObject => ({ plan: { skillName, steps } });
const ask = (id: string, question: string, header: string, ...options: string[]): JsonObject => ({ id, type: "ask_user", question, header, options, storeAs: id });
const remember = (id: string, key: string, value: string): JsonObject => ({ id, type: "set_context", key, value });
const when = (id: string, contextKey: string, matchValue: string, ...thenSteps: JsonObject[]): JsonObject => ({ id, type: "branch", contextKey, matchValue, thenSteps });
const say = (id: string, template: string): JsonObject => ({ id, type: "output", template });

const STARTERS: Record<DesignKind, Starter[]> = {
  plan: [
    { name: "Plan a picnic", hint: "One question, one branch", document: { plan: JSON.parse(EXAMPLE_PLAN) as JsonObject } },
    {
      name: "Which pet is it?",
      hint: "A quiz with two questions",
      document: plan(
        "Which pet is it?",
        remember("start", "pet", "a goldfish"),
        ask("legs", "How many legs has it?", "Legs", "four", "none"),
        when("walks", "legs", "four", ask("sound", "Does it bark?", "Bark", "yes", "no"), when("barks", "sound", "yes", remember("dog", "pet", "a dog")), when("purrs", "sound", "no", remember("cat", "pet", "a cat"))),
        say("answer", "It is {{pet}}!"),
      ),
    },
    {
      name: "A tiny adventure",
      hint: "A story that asks for your name",
      document: plan(
        "A tiny adventure",
        ask("name", "What is your hero called?", "Hero"),
        ask("door", "{{name}} sees two doors. Which one?", "Door", "the red one", "the blue one"),
        remember("usual", "end", "finds a library full of maps"),
        when("red", "door", "the red one", remember("dragon", "end", "meets a friendly dragon")),
        say("story", "{{name}} opens {{door}} and {{end}}."),
      ),
    },
  ],
  build: EXAMPLES.map(({ goal, kind, text }) => ({ name: goal, hint: kind, document: JSON.parse(text) as JsonObject })),
};

export const startersOf = (kind: DesignKind) => STARTERS[kind];

/** An empty one: a name or a goal is all that is missing. */
export const emptyDesign = (kind: DesignKind): JsonObject => (kind === "plan" ? plan("My plan") : { project: { goal: "" }, workflow: { testing_enabled: true } });

/** A plan alone is put where a plan with its skills has it. */
export const asDesign = (kind: DesignKind, value: JsonObject): JsonObject => (kind === "plan" && !("plan" in value) && "steps" in value ? { plan: value } : value);

/** The names that texts of a plan may refer to, in their order. */
export function keysOf(value: unknown, found: string[] = []): string[] {
  if (Array.isArray(value)) for (const each of value) keysOf(each, found);
  else if (typeof value === "object" && value !== null) {
    for (const [name, inner] of Object.entries(value)) {
      if ((name === "storeAs" || name === "key") && typeof inner === "string" && inner !== "" && !found.includes(inner)) found.push(inner);
      else keysOf(inner, found);
    }
  }
  return found;
}
