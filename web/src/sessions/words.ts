// How states, kinds and times are called on the page.

import type { Outcome, PlanStep, SessionKind, SessionState } from "./sessionWire";

export type Mark = "idle" | "running" | "waiting" | "completed" | "partial" | "failed" | "stopped";

export const KINDS: Record<SessionKind, string> = { skill: "Plan", build: "Build" };

const OUTCOMES: Record<Outcome, [Mark, string]> = {
  success: ["completed", "Done"],
  partial: ["partial", "Partly done"],
  failed: ["failed", "Failed"],
  stopped: ["stopped", "Stopped"],
};

const STATES: Record<SessionState, [Mark, string]> = {
  idle: ["idle", "Not started"],
  planning: ["running", "Planning"],
  executing: ["running", "Running"],
  testing: ["running", "Testing"],
  deploying: ["running", "Deploying"],
  reviewing: ["waiting", "Waits for a review"],
  done: ["completed", "Done"],
};

/** A question is open: whatever the state, a person is needed. */
export const WAITS: [Mark, string] = ["waiting", "Waits for an answer"];

export const standing = (state: SessionState, outcome: Outcome | null): [Mark, string] =>
  outcome ? OUTCOMES[outcome] : STATES[state];

const STEP_TYPES: Record<string, string> = {
  ask_user: "asks a person",
  branch: "branch",
  invoke_skill: "calls a skill",
  run_agent: "agent",
  set_context: "sets a value",
  output: "output",
};

export const stepType = (type: string) => STEP_TYPES[type] ?? type;

const LONGEST = 90;

const cut = (value: unknown) => {
  const text = (typeof value === "string" ? value : "").replace(/\s+/g, " ");
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
};

const STEP_WORDS: Record<string, (step: PlanStep) => string> = {
  ask_user: ({ question }) => `asks “${cut(question)}”`,
  branch: ({ contextKey, matchValue }) => `if ${cut(contextKey)} is “${cut(matchValue)}”`,
  invoke_skill: ({ skillId }) => `uses the skill ${cut(skillId)}`,
  run_agent: ({ prompt }) => `lets an agent “${cut(prompt)}”`,
  set_context: ({ key, value }) => `remembers ${cut(key)}: “${cut(value)}”`,
  output: ({ template }) => `says “${cut(template)}”`,
};

/** What a step does, as its plan has it. */
export const stepWords = (step: PlanStep) => STEP_WORDS[step.type]?.(step) ?? stepType(step.type);

const WHEN = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
const TIME = new Intl.DateTimeFormat(undefined, { timeStyle: "medium" });

function shown(format: Intl.DateTimeFormat, text: string): string {
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? text : format.format(time);
}

export const when = (text: string) => shown(WHEN, text);
export const timeOfDay = (text: string) => shown(TIME, text);

/** Short enough for a column, exact enough to compare. */
export function lasted(milliseconds: number): string {
  const whole = Math.max(0, Math.round(milliseconds));
  if (whole < 1_000) return `${whole} ms`;
  if (whole < 60_000) return `${(whole / 1_000).toFixed(1)} s`;
  const minutes = Math.floor(whole / 60_000);
  if (minutes < 60) return `${minutes} min ${Math.floor((whole % 60_000) / 1_000)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

export const between = (from: string, to: string) => lasted(Date.parse(to) - Date.parse(from));
