// The questions of routing, as the server names them. Each names its source: a graph of the library, or files sent along.

import { useEffect, useRef } from "react";
import { call } from "../api";
import { useHouse } from "../shell/house";
import { type Fetched, useFetched } from "../shell/useFetched";

export type RouteSource = { graphId: string } | { files: Record<string, string> };

export interface RouteOutline {
  kind: "flat" | "tree";
  entryBy: string;
  skills: number;
  entries: number;
  ends: number;
  rules: number;
  links: number;
  errors: number;
  warnings: number;
}

export interface RouteSkill {
  id: string;
  description: string;
  tools: string[];
  trigger: "always" | "rule" | "llm-activated";
  end: boolean;
  resources: string[];
}

export interface SkillEdge {
  from: string | null;
  to: string;
  kind: "entry" | "predicate" | "on-tool-return" | "model";
  label: string | null;
  priority: number;
  reason: string | null;
}

export interface GraphProblem {
  kind: "error" | "warning" | "note";
  code: string;
  message: string;
  skill: string | null;
  from: string | null;
  to: string | null;
  file: string | null;
  line: number | null;
}

export interface RouteGraph {
  kind: "flat" | "tree";
  entryBy: string;
  skills: RouteSkill[];
  nodes: { id: string; kind: "skill" | "predicate"; label: string }[];
  edges: SkillEdge[];
  checkup: { ok: boolean; problems: GraphProblem[]; notes: GraphProblem[] };
}

export interface RouteRule {
  edge: number;
  says: string;
  tool: string | null;
  statuses: string[];
  example: string | null;
  question: string | null;
  carry: string[];
  file: string | null;
  line: number | null;
}

export interface RouteRules {
  rules: RouteRule[];
  files: Record<string, string>;
}

export interface RouteVerdict {
  edge: number;
  verdict: "won" | "beaten" | "no match" | "not asked";
  why: string;
}

export interface WalkedStep {
  told: string;
  move: { from: string | null; to: string | null; by: string; leaf: string | null; ended: boolean };
  active: string[];
  reachable: string[];
  tools: string[];
  path: string[];
  state: Record<string, unknown>;
  considered: RouteVerdict[];
  holds: boolean | null;
}

function ask<T>(name: string, source: RouteSource, body: object, signal?: AbortSignal): Promise<T> {
  const headers = { "Content-Type": "application/json" };
  return call<T>(`/${name}`, { method: "POST", headers, body: JSON.stringify({ ...source, ...body }), signal }, "/api/route");
}

export const outlineOf = (source: RouteSource, signal?: AbortSignal) => ask<RouteOutline>("outline", source, {}, signal);

/** The server quotes straight, as a terminal does; a page does not. */
export const curly = (text: string) => text.replace(/"([^"\n]*)"/g, "“$1”");

/** The graph and what its edges wait for, which belong together. */
export async function readRoutes(source: RouteSource, signal?: AbortSignal): Promise<RouteGraph & RouteRules> {
  const [graph, rules] = await Promise.all([ask<RouteGraph>("graph", source, {}, signal), ask<RouteRules>("rules", source, {}, signal)]);
  const said = (found: GraphProblem[]) => found.map((one) => ({ ...one, message: curly(one.message) }));
  const { ok, problems, notes } = graph.checkup;
  return { ...graph, ...rules, checkup: { ok, problems: said(problems), notes: said(notes) } };
}

export type Routes = RouteGraph & RouteRules;

export interface ToolResult {
  toolName: string;
  result: string;
  status: string | null;
}

/** What happens before the graph moves. A message begins a turn. */
export interface WalkStep {
  message?: string;
  toolResults?: ToolResult[];
  pick?: string;
  answers?: Record<string, boolean>;
  expect?: { skill: string | null; by?: string | null };
}

export const walkRoutes = (source: RouteSource, steps: WalkStep[], signal?: AbortSignal) =>
  ask<{ steps: WalkedStep[] }>("walk", source, { steps }, signal).then((answer) =>
    answer.steps.map((step) => ({ ...step, told: curly(step.told), considered: step.considered.map((one) => ({ ...one, why: curly(one.why) })) })),
  );

/** A skill's own file; whoever stands in a skill may read it. */
export const readSkillFile = (source: RouteSource, id: string, path: string, signal?: AbortSignal) =>
  ask<{ content: string }>("read", source, { id, currentSkillId: id, path }, signal).then((answer) => answer.content);

/** An answer that stays on screen while the server is away, and is asked for again when it is back. */
export function useAnswer<T>(key: string | null, load: (signal: AbortSignal) => Promise<T>): [Fetched<T>, T | undefined, () => void] {
  const [fetched, again] = useFetched(key, load);
  const { line } = useHouse();
  const kept = useRef<T | undefined>(undefined);
  if (fetched.state === "ready") kept.current = fetched.value;
  const isAway = fetched.state === "failed" && fetched.error.status === 0;
  useEffect(() => {
    if (isAway && line === "live") again();
  }, [isAway, line, again]);
  return [fetched, fetched.value ?? (isAway ? kept.current : undefined), again];
}
