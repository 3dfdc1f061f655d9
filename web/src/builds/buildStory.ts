// What a build comes to: the part of a session's fold that tells of the plan, its tasks, and what they made.

import type { Agent, Commit, DeployRule, NarratorLine, Outcome, PinState, PlannedTask, SessionEvent, SessionState, TeachingCard, TestOutcome, TestsFollow } from "../sessions/sessionWire";

export interface Permission {
  seq: number;
  permission: string;
  decision: string;
  reason: string;
}

/** A task as it was planned, and what it has come to since. */
export interface BuildTask extends PlannedTask {
  /** Grows with every change, so that only changed tasks are drawn again. */
  version: number;
  startedAt: string | null;
  endedAt: string | null;
  /** What its agent said, all of it. */
  said: string;
  /** The memory of what it came to. */
  remembered: string | null;
  permissions: Permission[];
  commits: Commit[];
  /** A revision took its place. */
  isReplaced: boolean;
}

export interface Gate {
  gateId: string;
  taskId: string;
  question: string;
  context: string;
  status: "open" | "approved" | "rejected" | "left open";
  feedback: string;
  /** The state to which the build goes back when it is answered. */
  openedIn: SessionState;
}

export interface Deploy {
  target: string;
  rules: DeployRule[];
  steps: string[];
  progress: number;
  isComplete: boolean;
}

/** What a board said, and how the pins of a simulated one stand. */
export interface BoardStory {
  pins: Record<string, PinState>;
  /** How inputs stand while nobody touches them: as they were when the run began. */
  rest: Record<string, number>;
  lines: { seq: number; line: string; isSimulated: boolean }[];
  /** A simulation said something, and not yet that it ended. */
  isSimulating: boolean;
}

const MOST_LINES = 500;
/** How the simulator says that a run is over. */
const SIMULATION_ENDED = /^\[(stopped|ended after|the program (ended|broke off)).*\]$/s;

export interface BuildStory {
  explanation: string;
  /** How often the plan was changed. */
  revision: number;
  tasks: BuildTask[];
  agents: Agent[];
  gates: Gate[];
  commits: Commit[];
  tests: TestOutcome[];
  coverage: number | null;
  deploy: Deploy | null;
  url: string | null;
  folder: string | null;
  lines: NarratorLine[];
  cards: TeachingCard[];
  board: BoardStory | null;
  troubles: string[];
  warnings: string[];
  testsFollow: TestsFollow | null;
  /** The states it has been in, in their order, each once. */
  reached: SessionState[];
}

export const emptyBuild = (): BuildStory => ({
  explanation: "",
  revision: 0,
  tasks: [],
  agents: [],
  gates: [],
  commits: [],
  tests: [],
  coverage: null,
  deploy: null,
  url: null,
  folder: null,
  lines: [],
  cards: [],
  board: null,
  troubles: [],
  warnings: [],
  testsFollow: null,
  reached: [],
});

/** What an event means for the session around the build. */
interface Consequence {
  state?: SessionState;
  news?: string;
}

/** Adds an event and answers what follows from it; `state` is the one in which it came. */
export function tellBuild(build: BuildStory, event: SessionEvent, state: SessionState | null): Consequence {
  const follows = apply(build, event, state) ?? {};
  if (testsBegin(build, event, follows.state ?? state)) follows.state = "testing";
  if (follows.state && !build.reached.includes(follows.state)) build.reached.push(follows.state);
  return follows;
}

function apply(build: BuildStory, event: SessionEvent, state: SessionState | null): Consequence | undefined {
  switch (event.type) {
    case "session_started":
      build.warnings = event.warnings ?? [];
      return;
    case "planning_started":
      if (event.warnings) build.warnings = event.warnings;
      build.testsFollow = event.tests_follow ?? null;
      return { state: "planning", news: "The plan is being made." };
    case "plan_ready":
      return planned(build, event);
    case "workspace_created":
      build.folder = event.nugget_dir;
      return { state: "executing" };
    case "task_started":
      return change(build, event.task_id, { status: "in_progress", startedAt: event.ts, agent_name: event.agent_name });
    case "task_completed":
      return change(build, event.task_id, { status: "done", endedAt: event.ts, summary: event.summary, remembered: event.provenance?.remembered ?? null });
    case "task_failed":
      return change(build, event.task_id, { status: "failed", endedAt: event.ts, error: event.error, reason: event.reason ?? null, retry_count: event.retry_count });
    case "agent_output":
      return change(build, event.task_id, { said: (taskOf(build, event.task_id)?.said ?? "") + event.content });
    case "permission_auto_resolved":
      return permitted(build, event);
    case "agent_status":
      build.agents = build.agents.map((agent) => (agent.name === event.agent.name ? event.agent : agent));
      return;
    case "narrator_message":
      build.lines.push({ from: event.from, text: event.text, mood: event.mood });
      return;
    case "teaching_moment": {
      const { concept, headline, explanation, tell_me_more } = event;
      build.cards.push({ concept, headline, explanation, tell_me_more });
      return;
    }
    case "commit_created":
      return committed(build, event);
    case "test_result":
      return tested(build, event, state);
    case "coverage_update":
      build.coverage = event.percentage;
      return;
    case "human_gate":
      return gateOpened(build, event, state);
    case "gate_answered":
      return gateClosed(build, event);
    case "deploy_started":
      build.deploy = { target: event.target, rules: [], steps: [], progress: 0, isComplete: false };
      return { state: "deploying", news: "It is being deployed." };
    case "deploy_checklist":
      if (build.deploy) build.deploy.rules = event.rules;
      return;
    case "deploy_progress":
      if (build.deploy) build.deploy.steps.push(event.step);
      if (build.deploy) build.deploy.progress = event.progress;
      return;
    case "deploy_complete":
      if (build.deploy) build.deploy.isComplete = true;
      build.url = event.url ?? null;
      return event.url ? { news: "The preview is ready." } : undefined;
    case "board_state":
      build.board = boardStands(heard(build), event.pins);
      return;
    case "serial_data":
      build.board = boardSaid(heard(build), event);
      return;
    case "error":
      if (!event.recoverable) return;
      build.troubles.push(event.message);
      return { news: event.message };
  }
}

const heard = ({ board }: BuildStory): BoardStory => board ?? { pins: {}, rest: {}, lines: [], isSimulating: false };

function boardStands(board: BoardStory, pins: Record<string, PinState>): BoardStory {
  const rest = board.isSimulating ? { ...board.rest } : {};
  for (const [pin, { mode, value }] of Object.entries(pins)) if (mode === "in" || mode === "adc") rest[pin] ??= value;
  return { ...board, pins, rest, isSimulating: true };
}

function boardSaid(board: BoardStory, { seq, line, source }: SessionEvent & { type: "serial_data" }): BoardStory {
  const isSimulated = source === "simulator";
  const lines = [...board.lines, { seq, line, isSimulated }].slice(-MOST_LINES);
  return { ...board, lines, isSimulating: isSimulated ? board.isSimulating && !SIMULATION_ENDED.test(line) : board.isSimulating };
}

const taskOf = (build: BuildStory, id: string) => build.tasks.find((task) => task.id === id);

function change(build: BuildStory, id: string, update: Partial<BuildTask>): undefined {
  const task = taskOf(build, id);
  if (task) Object.assign(task, update, { version: task.version + 1 });
}

/** A changed plan comes whole; what its tasks have said and made stays with them. */
function planned(build: BuildStory, event: SessionEvent & { type: "plan_ready" }): Consequence {
  const replaced = new Set(event.tasks.map((task) => task.revision_of));
  build.tasks = event.tasks.map((task) => {
    const before = taskOf(build, task.id) ?? { version: 0, startedAt: null, endedAt: null, said: "", remembered: null, permissions: [], commits: [] };
    return { ...before, ...task, version: before.version + 1, isReplaced: replaced.has(task.id) };
  });
  build.agents = event.agents;
  build.explanation = event.explanation;
  build.revision = event.revision ?? 0;
  build.tests = []; // they are run again only after a plan was changed
  return { news: build.revision ? "The plan was changed." : "The plan is ready." };
}

function permitted(build: BuildStory, event: SessionEvent & { type: "permission_auto_resolved" }): undefined {
  const told: Permission = { seq: event.seq, permission: event.permission_type, decision: event.decision, reason: event.reason };
  return change(build, event.task_id, { permissions: [...(taskOf(build, event.task_id)?.permissions ?? []), told] });
}

/** Nothing is left to do, and nobody is asked: neither about a task that failed nor at a gate after the only one. */
function testsBegin(build: BuildStory, event: SessionEvent, state: SessionState | null): boolean {
  const isAsked =
    event.type === "task_completed"
      ? build.testsFollow === "gates" && build.tasks.length === 1
      : event.type === "task_failed"
        ? event.reason === "attempts"
        : event.type !== "gate_answered" || !event.approved;
  const { tasks } = build;
  if (isAsked || build.testsFollow === null || state !== "executing") return false;
  return tasks.some(({ status }) => status === "done") && tasks.every(({ status }) => status === "done" || status === "failed");
}

function committed(build: BuildStory, event: SessionEvent & { type: "commit_created" }): undefined {
  const { sha, message, agent_name, task_id, files_changed } = event;
  const commit: Commit = { sha, message, agent_name, task_id, files_changed };
  build.commits.push(commit);
  return change(build, task_id, { commits: [...(taskOf(build, task_id)?.commits ?? []), commit] });
}

function tested(build: BuildStory, event: SessionEvent & { type: "test_result" }, state: SessionState | null): Consequence | undefined {
  const { test_name, passed, details } = event;
  const result: TestOutcome = { test_name, passed, details };
  const at = build.tests.findIndex((each) => each.test_name === test_name);
  if (at < 0) build.tests.push(result);
  else build.tests[at] = result;
  return state === "executing" ? { state: "testing" } : undefined;
}

function gateOpened(build: BuildStory, event: SessionEvent & { type: "human_gate" }, state: SessionState | null): Consequence {
  const { gate_id: gateId, task_id: taskId, question, context } = event;
  const openedIn = openGates(build)[0]?.openedIn ?? state ?? "executing";
  build.gates.push({ gateId, taskId, question, context, status: "open", feedback: "", openedIn });
  return { state: "reviewing", news: `You are asked to decide: ${question}` };
}

function gateClosed(build: BuildStory, event: SessionEvent & { type: "gate_answered" }): Consequence | undefined {
  const gate = openGates(build).find((each) => each.gateId === event.gate_id);
  if (!gate) return;
  gate.status = event.approved ? "approved" : "rejected";
  gate.feedback = event.feedback;
  const news = event.approved ? "It was approved." : "It was rejected.";
  return { state: openGates(build).length > 0 ? "reviewing" : gate.openedIn, news };
}

export const openGates = (build: BuildStory) => build.gates.filter((gate) => gate.status === "open");

const PAGE = /^(?:(?:dist|build|public|src)\/)?index\.html$/;

/** Whether something was made that can be shown. */
export const hasPage = (build: BuildStory) => build.commits.some(({ files_changed }) => files_changed.some((file) => PAGE.test(file)));

/** The end of the session: nothing waits any more, what ran when it was stopped is stopped, and nobody is at work. */
export function endBuild(build: BuildStory, outcome: Outcome, ts: string): void {
  build.agents = build.agents.map((agent) => (agent.status === "working" || agent.status === "waiting" ? { ...agent, status: "idle" } : agent));
  for (const gate of openGates(build)) gate.status = "left open";
  for (const task of build.tasks) {
    if (task.status === "in_progress") change(build, task.id, { status: "failed", endedAt: ts, reason: outcome === "stopped" ? "stopped" : task.reason });
  }
}
