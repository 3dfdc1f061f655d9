// A walk as text: in the address, where a link reproduces it, and in a file, where it is a test.

import type { WalkedStep, WalkStep } from "../routeWire";

export const STATUSES = ["success", "failure", "denied", "invalid", "partial", "pending", "absent"] as const;
export const MOST_STEPS = 200;
export const LONGEST_LINK = 6_000;

/** Short keys, and nothing that is not there: an address has room for little. */
interface PackedStep {
  m?: string;
  t?: [string, string | null, string][];
  p?: string;
  a?: string[];
}

export function packWalk(steps: WalkStep[]): string {
  if (steps.length === 0) return "";
  const packed = steps.map(({ message, toolResults, pick, answers }): PackedStep => {
    const yes = Object.keys(answers ?? {}).filter((name) => answers![name]);
    return {
      ...(message !== undefined && { m: message }),
      ...(toolResults?.length && { t: toolResults.map(({ toolName, status, result }) => [toolName, status, result]) }),
      ...(pick && { p: pick }),
      ...(yes.length > 0 && { a: yes }),
    };
  });
  const bytes = new TextEncoder().encode(JSON.stringify(packed));
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))
    .replace(/\+/g, "-")
    .replace(/\//g, "_")
    .replace(/=+$/, "");
}

/** Nothing where the text was cut on its way here, or is no walk. */
export function unpackWalk(text: string): WalkStep[] {
  if (!text || text.length > LONGEST_LINK) return [];
  try {
    const bytes = Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (sign) => sign.charCodeAt(0));
    const packed: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    if (!Array.isArray(packed) || packed.length > MOST_STEPS) return [];
    return packed.map((step) => unpackStep(step as PackedStep));
  } catch {
    return [];
  }
}

const isText = (value: unknown): value is string => typeof value === "string";
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);

function unpackStep({ m, t, p, a }: PackedStep): WalkStep {
  const results = Array.isArray(t) ? t.filter((one) => Array.isArray(one) && isText(one[0]) && one[0] !== "") : [];
  return {
    ...(isText(m) && { message: m }),
    ...(results.length > 0 && {
      toolResults: results.map(([toolName, status, result]) => ({
        toolName,
        status: STATUSES.some((known) => known === status) ? status : null,
        result: isText(result) ? result : "",
      })),
    }),
    ...(isText(p) && p && { pick: p }),
    ...(Array.isArray(a) && { answers: Object.fromEntries(a.filter(isText).map((name) => [name, true])) }),
  };
}

/** The file that `lore route replay` takes: what happened, and where each step led. */
export function testFile(name: string, graph: string, steps: WalkStep[], walked: WalkedStep[]): string {
  const kept = steps.slice(0, walked.length).map((step, at) => {
    const { move } = walked[at]!;
    return { ...step, expect: { skill: move.by === "tree" || move.leaf ? move.leaf : move.to, by: move.by } };
  });
  return `${JSON.stringify({ name, graph, steps: kept }, null, 2)}\n`;
}

function isStep(step: unknown): boolean {
  if (!isObject(step)) return false;
  const { message, toolResults, pick, answers, expect } = step;
  return (
    [message, pick].every((text) => text == null || isText(text)) &&
    (toolResults == null || (Array.isArray(toolResults) && toolResults.every((one) => isObject(one) && isText(one.toolName)))) &&
    (answers == null || (isObject(answers) && Object.values(answers).every((yes) => typeof yes === "boolean"))) &&
    (expect == null || isObject(expect))
  );
}

/** The steps of a test, or a sentence that says what is wrong with it. */
export function readTest(text: string): WalkStep[] | string {
  try {
    const { steps } = (JSON.parse(text) ?? {}) as { steps?: WalkStep[] };
    if (!Array.isArray(steps) || steps.length === 0) return "This file has no steps.";
    if (steps.length > MOST_STEPS) return `A test has at most ${MOST_STEPS} steps.`;
    const odd = steps.findIndex((step) => !isStep(step));
    return odd < 0 ? steps : `Step ${odd + 1} of this file is no step of a walk.`;
  } catch {
    return "This file is no JSON.";
  }
}

/** What happened in a step, in a few words. */
export function inShort(step: WalkStep): string {
  const said = [
    step.message !== undefined ? (step.message ? `“${step.message}”` : "an empty message") : "",
    ...(step.toolResults ?? []).map(({ toolName, status }) => `${toolName}${status ? ` · ${status}` : ""}`),
    step.pick ? `picks ${step.pick}` : "",
    ...Object.keys(step.answers ?? {}).map((name) => `@${name}`),
  ].filter(Boolean);
  return said.join(", ") || "nothing happens";
}
