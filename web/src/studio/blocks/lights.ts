// How the blocks of a design stand while it runs: a fold of the log, like everything else that is drawn of a run.

import type { BuildTask, Gate } from "../../builds/buildStory";
import { outlineOf } from "../../sessions/planOutline";
import { isRunning, isWaiting, type Story } from "../../sessions/sessionStory";
import type { Agent, Given, PlanStep } from "../../sessions/sessionWire";
import type { Mark } from "../../sessions/words";
import type { DesignKind, JsonObject } from "./blockDocument";

export type Light = "to come" | "working" | "waits for you" | "done" | "failed" | "stopped" | "skipped" | "not reached";

/** What stands on a block beside its colour. */
export const LIGHT_MARKS: Record<Light, Mark> = {
  "to come": "idle",
  working: "running",
  "waits for you": "waiting",
  done: "completed",
  failed: "failed",
  stopped: "stopped",
  skipped: "partial",
  "not reached": "idle",
};

/** How everything that has a block stands, by its path in the document; the whole is at the empty one. */
export type Lights = Map<string, Light>;

export function lightsOf(kind: DesignKind, given: Given, story: Story): Lights {
  const lights: Lights = new Map([["", ofWhole(story)]]);
  if (kind === "plan") lightSteps(lights, given, story);
  else lightSpec(lights, given.spec as JsonObject, story);
  return lights;
}

function ofWhole(story: Story): Light {
  if (isWaiting(story)) return "waits for you";
  if (isRunning(story)) return "working";
  if (story.outcome === null) return "to come";
  return story.outcome === "stopped" ? "stopped" : story.outcome === "failed" ? "failed" : "done";
}

function lightSteps(lights: Lights, given: Given, story: Story): void {
  const stands = new Map<PlanStep, Light>();
  for (const { step, row, status } of outlineOf(given, story).rows) {
    if (!step) continue;
    const asks = row?.status === "running" && row.said.some((said) => said.kind === "question" && said.asked.status === "open");
    stands.set(step, asks ? "waits for you" : status === "running" ? "working" : status === "completed" ? "done" : status);
  }
  const walk = (steps: PlanStep[], path: string) =>
    steps.forEach((step, index) => {
      const place = `${path}.${index}`;
      lights.set(place, stands.get(step) ?? "to come");
      walk(step.thenSteps ?? [], `${place}.thenSteps`);
    });
  walk(given.plan?.steps ?? [], "plan.steps");
}

const listIn = (value: unknown): JsonObject[] => (Array.isArray(value) ? (value as JsonObject[]) : []);

function lightSpec(lights: Lights, spec: JsonObject, story: Story): void {
  const { build } = story;
  const { workflow, hardware } = spec as { workflow?: JsonObject; hardware?: JsonObject };
  const isOver = story.state === "done";
  const tasks = build.tasks.filter((task) => !task.isReplaced);
  const left: Light = isOver ? "not reached" : "to come";
  const isMade = tasks.length > 0 && tasks.every((task) => task.status === "done");
  const isUnderWay = tasks.some((task) => task.status !== "pending");
  // No task says which wish it is for: they are worked on together, and are there when all of it is.
  const wish: Light = isMade ? "done" : isOver ? (story.outcome === "stopped" ? "stopped" : isUnderWay ? "failed" : left) : isUnderWay ? "working" : "to come";
  listIn(spec.requirements).forEach((_, index) => lights.set(`requirements.${index}`, wish));
  listIn(spec.agents).forEach(({ name }, index) => lights.set(`agents.${index}`, ofAgent(build.agents.find((agent) => agent.name === name), tasks, left)));
  listIn(workflow?.human_gates).forEach((question, index) => lights.set(`workflow.human_gates.${index}`, ofGate(build.gates.filter((gate) => gate.question === (question as unknown)).at(-1), left)));
  listIn(spec.rules).forEach((rule, index) => lights.set(`rules.${index}`, ofRule(rule, story, tasks, left)));
  const board: Light = build.board?.isSimulating ? "working" : build.deploy?.isComplete ? "done" : build.deploy && !isOver ? "working" : left;
  listIn(hardware?.components).forEach((_, index) => lights.set(`hardware.components.${index}`, board));
}

function ofAgent(agent: Agent | undefined, tasks: BuildTask[], left: Light): Light {
  if (agent?.status === "working") return "working";
  if (agent?.status === "waiting") return "waits for you";
  if (agent?.status === "error") return "failed";
  const own = tasks.filter((task) => task.agent_name === agent?.name);
  return agent?.status === "done" || (own.length > 0 && own.every((task) => task.status === "done")) ? "done" : left;
}

function ofGate(gate: Gate | undefined, left: Light): Light {
  if (!gate) return left;
  return gate.status === "open" ? "waits for you" : gate.status === "left open" ? "stopped" : "done";
}

function ofRule({ trigger, name }: JsonObject, story: Story, tasks: BuildTask[], left: Light): Light {
  const { deploy, tests } = story.build;
  if (trigger === "before_deploy") return !deploy?.rules.some((rule) => rule.name === name) ? left : deploy.isComplete ? "done" : isRunning(story) ? "working" : left;
  if (trigger === "on_test_fail") return tests.some((test) => !test.passed) ? "done" : story.state === "done" ? "skipped" : "to come";
  const held = tasks.some((task) => task.status === "done");
  if (held && tasks.every((task) => task.status === "done")) return "done";
  return held || (trigger !== "on_task_complete" && tasks.some((task) => task.status === "in_progress")) ? (isRunning(story) ? "working" : "stopped") : left;
}
