// A plan beside its run: what ran, what is still to come, which branches were not taken, and what is remembered.

import type { RowStatus, Story, StoryRow } from "./sessionStory";
import type { CalledSkill, Given, PlanStep } from "./sessionWire";

export type OutlineStatus = RowStatus | "to come" | "skipped" | "not reached";

/** A row that ran, or a step that did not (yet). */
export interface OutlineRow {
  key: string;
  depth: number;
  status: OutlineStatus;
  row: StoryRow | null;
  step: PlanStep | null;
}

export interface Variable {
  name: string;
  value: string;
  /** The skill whose own it is; empty for the plan's. */
  skill: string;
}

export interface Outline {
  rows: OutlineRow[];
  variables: Variable[];
  /** What steps of the plan itself came to, by their ids. */
  settled: Map<string, string>;
}

interface Frame {
  skill: string;
  entries: Map<string, string>;
  parent: Frame | null;
}

export const KEY = /\{\{([\p{L}\p{N}_.-]+)\}\}/gu;

/** Equal logs make equal outlines: nothing but the plan and the story is looked at. */
export function outlineOf(given: Given | null, story: Story): Outline {
  return new Walk(given, story).whole();
}

class Walk {
  private at = 0;
  private readonly rows: OutlineRow[] = [];
  private readonly shown: Frame[] = [];
  private readonly settled = new Map<string, string>();
  private readonly skills: Map<string, CalledSkill>;

  constructor(
    private readonly given: Given | null,
    private readonly story: Story,
  ) {
    this.skills = new Map((given?.allSkills ?? []).map((skill) => [skill.id, skill]));
  }

  whole(): Outline {
    const root = this.open("", null);
    this.steps(this.given?.plan?.steps ?? [], 1, root);
    this.strays(0);
    const variables = this.shown.flatMap(({ skill, entries }) => [...entries].map(([name, value]) => ({ name, value, skill })));
    return { rows: this.rows, variables, settled: this.settled };
  }

  private open(skill: string, parent: Frame | null): Frame {
    const frame: Frame = { skill, entries: new Map(), parent };
    this.shown.push(frame);
    return frame;
  }

  private steps(steps: PlanStep[], depth: number, frame: Frame): void {
    for (const step of steps) {
      const row = this.story.rows[this.at];
      if (row?.depth === depth && row.kind === "step" && row.id === step.id) {
        this.take(row, step);
        const called = this.inside(row, step, depth, frame);
        const value = row.status === "completed" ? settle(step, row, called, frame) : null;
        if (value !== null && frame.parent === null) this.settled.set(step.id, value);
      } else this.planned(step, depth, this.story.state === "done" ? "not reached" : "to come");
    }
  }

  /** What a step that ran holds; answers the skill that it called. */
  private inside(row: StoryRow, step: PlanStep, depth: number, frame: Frame): StoryRow | null {
    let called: StoryRow | null = null;
    const next = this.story.rows[this.at];
    const hasBegun = next !== undefined && next.depth > depth;
    if (step.type === "branch" && !hasBegun && row.status === "completed") this.plannedAll(step, depth + 1, "skipped");
    else if (step.type === "branch") this.steps(step.thenSteps ?? [], depth + 1, frame);
    else if (step.type === "invoke_skill" && hasBegun && next.kind === "skill") {
      called = this.take(next, null);
      const own = this.open(next.name, frame);
      const skill = this.skills.get(String(step.skillId));
      this.steps(skill?.category === "composite" ? flowSteps(skill.workspace) : [], depth + 2, own);
      if (next.status !== "running") this.shown.splice(this.shown.indexOf(own), 1); // what it knew is gone with it
    }
    this.strays(depth);
    return called;
  }

  private take(row: StoryRow, step: PlanStep | null): StoryRow {
    this.at++;
    this.rows.push({ key: String(row.key), depth: row.depth, status: row.status, row, step });
    return row;
  }

  /** Rows that no plan told of are shown all the same. */
  private strays(depth: number): void {
    for (let row = this.story.rows[this.at]; row && row.depth > depth; row = this.story.rows[this.at]) this.take(row, null);
  }

  private planned(step: PlanStep, depth: number, status: OutlineStatus): void {
    this.rows.push({ key: `${depth} ${step.id} ${this.rows.length}`, depth, status, row: null, step });
    this.plannedAll(step, depth + 1, status);
  }

  private plannedAll(step: PlanStep, depth: number, status: OutlineStatus): void {
    for (const inner of step.thenSteps ?? []) this.planned(inner, depth, status);
  }
}

function settle(step: PlanStep, row: StoryRow, called: StoryRow | null, frame: Frame): string | null {
  const keep = (name: unknown, value: string) => {
    frame.entries.set(String(name), value);
    return value;
  };
  const output = row.said.findLast((said) => said.kind === "output")?.text ?? "";
  if (step.type === "set_context") return keep(step.key, filled(String(step.value), frame));
  if (step.type === "run_agent") return keep(step.storeAs, output);
  if (step.type === "invoke_skill") return keep(step.storeAs, called?.result ?? output);
  return step.type === "ask_user" ? keep(step.storeAs, answerTo(step, row)) : null;
}

function answerTo(step: PlanStep, row: StoryRow): string {
  const given = row.said.findLast((said) => said.kind === "question")?.asked.given ?? {};
  const answer = given[String(step.header)] ?? given[String(step.storeAs)] ?? Object.values(given)[0];
  return asText(answer);
}

const asText = (value: unknown): string =>
  Array.isArray(value) ? value.map(asText).join(", ") : typeof value === "string" ? value : value == null ? "" : JSON.stringify(value);

function known(name: string, frame: Frame | null): string {
  for (let each = frame; each; each = each.parent) {
    const found = each.entries.get(name);
    if (found !== undefined) return found;
  }
  return "";
}

const filled = (template: string, frame: Frame) => template.replace(KEY, (_, name: string) => known(name, frame));

const LONGEST_VALUE = 5_000;

/** The plan with what was answered and worked out so far put in its place, to go on from there another way. */
export function forkedPlan(given: Given, story: Story): Given {
  const { settled } = outlineOf(given, story);
  const instead = (step: PlanStep): PlanStep => {
    const value = settled.get(step.id);
    const isGiven = value !== undefined && ["ask_user", "run_agent", "invoke_skill"].includes(step.type);
    // What looks like a template would be filled in once more: such a step is run again.
    if (isGiven && value.length <= LONGEST_VALUE && !value.includes("{{")) return { id: step.id, type: "set_context", key: String(step.storeAs), value };
    return step.thenSteps ? { ...step, thenSteps: step.thenSteps.map(instead) } : step;
  };
  return { ...given, plan: { ...given.plan!, steps: given.plan!.steps.map(instead) } };
}

/** As it can be sent again: what a graph made is made again, and does not count among the skills that are sent. */
export function requestOf({ plan, allSkills = [], fromGraph }: Given) {
  const own = fromGraph ? allSkills.filter((skill) => !skill.id.startsWith(`${fromGraph.graphId}/`)) : allSkills;
  return { plan, ...(own.length > 0 ? { allSkills: own } : {}), ...(fromGraph ? { fromGraph } : {}) };
}

interface FlowBlock {
  id?: string;
  type?: string;
  fields?: Record<string, unknown>;
  inputs?: Record<string, { block?: FlowBlock }>;
  next?: { block?: FlowBlock };
}

/** The type of a step and its fields, by the block's: the contract's names. */
export const STEP_BLOCKS: Record<string, { type: string; fields: Record<string, string> }> = {
  skill_ask_user: { type: "ask_user", fields: { QUESTION: "question", HEADER: "header", OPTIONS: "options", STORE_AS: "storeAs" } },
  skill_branch_if: { type: "branch", fields: { CONTEXT_KEY: "contextKey", MATCH_VALUE: "matchValue" } },
  skill_invoke: { type: "invoke_skill", fields: { SKILL_ID: "skillId", STORE_AS: "storeAs" } },
  skill_run_agent: { type: "run_agent", fields: { PROMPT: "prompt", STORE_AS: "storeAs" } },
  skill_set_context: { type: "set_context", fields: { KEY: "key", VALUE: "value" } },
  skill_output: { type: "output", fields: { TEMPLATE: "template" } },
};

/** The steps of a flow of blocks, as far as it can be read; the server refuses what it cannot. */
function flowSteps(workspace: unknown): PlanStep[] {
  const top = (workspace as { blocks?: { blocks?: FlowBlock[] } } | undefined)?.blocks?.blocks;
  const start = Array.isArray(top) ? top.find((block) => block.type === "skill_flow_start") : undefined;
  return start ? chain(start.next?.block) : [];
}

function chain(first: FlowBlock | undefined): PlanStep[] {
  const steps: PlanStep[] = [];
  for (let block = first; block; block = block.next?.block) {
    const known = STEP_BLOCKS[block.type ?? ""];
    if (!known) continue;
    const fields = Object.fromEntries(Object.entries(known.fields).map(([name, field]) => [field, block.fields?.[name] ?? ""]));
    const step: PlanStep = { ...fields, id: block.id ?? "", type: known.type };
    if (known.type === "branch") step.thenSteps = chain(block.inputs?.THEN_BLOCKS?.block);
    steps.push(step);
  }
  return steps;
}
