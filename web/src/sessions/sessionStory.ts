// What a session comes to: a fold over its log. Equal events make equal stories, however they arrive.

import { type BuildStory, emptyBuild, endBuild, openGates, tellBuild } from "../builds/buildStory";
import type { Outcome, Question, SessionEvent, SessionKind, SessionState } from "./sessionWire";

export type RowStatus = "running" | "completed" | "failed" | "stopped";

export interface AskedQuestion {
  questionId: string;
  /** Who asks: a step of a skill run, or a task of a build. */
  asker: { kind: "step" | "task"; id: string };
  questions: Question[];
  status: "open" | "answered" | "late" | "left open";
  /** What was answered, as text, and as it came. */
  answers: string[];
  given: Record<string, unknown>;
}

export type Said =
  | { kind: "output"; seq: number; text: string }
  | { kind: "question"; seq: number; asked: AskedQuestion }
  | { kind: "permission"; seq: number; permission: string; decision: string; reason: string };

/** A step, or a skill that a step called. Steps run one at a time, so rows in the order they began are the tree. */
export interface StoryRow {
  /** The number of the event it began with. */
  key: number;
  /** Grows with every change, so that only changed rows are drawn again. */
  version: number;
  kind: "step" | "skill";
  depth: number;
  id: string;
  name: string;
  stepType: string;
  status: RowStatus;
  startedAt: string;
  endedAt: string | null;
  said: Said[];
  tokens: number;
  /** What a skill came to. */
  result: string | null;
}

export interface Story {
  lastSeq: number;
  events: SessionEvent[];
  kind: SessionKind | null;
  name: string;
  state: SessionState | null;
  outcome: Outcome | null;
  result: string | null;
  error: string | null;
  startedAt: string | null;
  endedAt: string | null;
  rows: StoryRow[];
  /** Rows under way, the innermost last. */
  open: StoryRow[];
  asked: AskedQuestion[];
  tokens: { input: number; output: number; cost: number; budget: number | null };
  build: BuildStory;
  /** The last thing worth saying aloud. */
  news: string;
}

export const emptyStory = (): Story => ({
  lastSeq: 0,
  events: [],
  kind: null,
  name: "",
  state: null,
  outcome: null,
  result: null,
  error: null,
  startedAt: null,
  endedAt: null,
  rows: [],
  open: [],
  asked: [],
  tokens: { input: 0, output: 0, cost: 0, budget: null },
  build: emptyBuild(),
  news: "",
});

/** The story as it stood with an event: the fold of the log up to it, whoever followed what meanwhile. */
export function storyAt(events: readonly SessionEvent[], seq: number): Story {
  const story = emptyStory();
  for (const event of events) {
    if (event.seq > seq) break;
    tell(story, event);
  }
  return story;
}

/** Adds the next event; one that was told before changes nothing. Answers whether it was the next. */
export function tell(story: Story, event: SessionEvent): boolean {
  if (event.seq !== story.lastSeq + 1) return false;
  story.lastSeq = event.seq;
  story.events.push(event);
  apply(story, event);
  const { state = story.state, news = story.news } = tellBuild(story.build, event, story.state);
  Object.assign(story, { state, news });
  return true;
}

function apply(story: Story, event: SessionEvent): void {
  switch (event.type) {
    case "session_started":
      story.kind = event.kind;
      story.state = event.kind === "skill" ? "executing" : "idle";
      story.startedAt = event.ts;
      break;
    case "planning_started":
      story.tokens.budget = event.max_budget ?? null;
      break;
    case "skill_started":
      skillStarted(story, event);
      break;
    case "skill_step":
      if (event.status === "started") begin(story, { kind: "step", id: event.step_id, name: event.step_id, stepType: event.step_type }, event);
      else endStep(story, event);
      break;
    case "skill_question":
      asked(story, event, { kind: "step", id: event.step_id });
      break;
    case "user_question":
      asked(story, event, { kind: "task", id: event.task_id });
      break;
    case "question_answered":
      closeQuestion(story, event.question_id, event.timed_out ? "late" : "answered", event.answers);
      story.news = event.timed_out ? "Nobody answered the question in time." : "The question was answered.";
      break;
    case "skill_output":
      say(story, { kind: "output", seq: event.seq, text: event.content });
      break;
    case "permission_auto_resolved":
      say(story, { kind: "permission", seq: event.seq, permission: event.permission_type, decision: event.decision, reason: event.reason });
      break;
    case "token_usage":
      spend(story, event);
      break;
    case "budget_warning":
      story.tokens.budget = event.max_budget;
      story.news = "Most of the token budget is spent.";
      break;
    case "skill_completed":
      if (event.frame === 1) finish(story, "success", event.ts, { result: event.result });
      else skillEnded(story, event);
      break;
    case "skill_error":
      finish(story, event.outcome, event.ts, { error: event.message });
      break;
    case "session_complete":
      finish(story, event.outcome, event.ts, { result: event.summary });
      break;
    case "error":
      if (!event.recoverable) finish(story, event.outcome ?? "failed", event.ts, { error: event.message });
      break;
  }
}

function asked(story: Story, event: SessionEvent & { type: "skill_question" | "user_question" }, asker: AskedQuestion["asker"]): void {
  const asked: AskedQuestion = { questionId: event.question_id, asker, questions: event.questions, status: "open", answers: [], given: {} };
  story.asked.push(asked);
  say(story, { kind: "question", seq: event.seq, asked });
  story.news = `A question: ${event.questions.map((each) => each.question || each.header).join(" ")}`;
}

function skillStarted(story: Story, event: SessionEvent & { type: "skill_started" }): void {
  if (event.frame === 1) story.name = event.skill_name;
  else begin(story, { kind: "skill", id: event.skill_id, name: event.skill_name || event.skill_id, stepType: "" }, event);
}

function skillEnded(story: Story, event: SessionEvent & { type: "skill_completed" }): void {
  const isMeant = (row: StoryRow) => row.kind === "skill" && row.id === event.skill_id;
  const row = story.open.findLast(isMeant);
  if (row) row.result = event.result;
  endUpTo(story, isMeant, "completed", event.ts);
}

function begin(story: Story, what: Pick<StoryRow, "kind" | "id" | "name" | "stepType">, { seq, ts }: SessionEvent): void {
  const depth = story.open.length + 1;
  const row: StoryRow = { key: seq, version: 0, depth, status: "running", startedAt: ts, endedAt: null, said: [], tokens: 0, result: null, ...what };
  story.rows.push(row);
  story.open.push(row);
  story.news = `${what.kind === "step" ? "Step" : "Skill"} ${what.name} started.`;
}

function endStep(story: Story, event: SessionEvent & { type: "skill_step" }): void {
  const status = event.status === "failed" ? "failed" : "completed";
  endUpTo(story, (row) => row.kind === "step" && row.id === event.step_id, status, event.ts);
  story.news = `Step ${event.step_id} ${status}.`;
}

/** Ends the innermost row that is meant, and whatever inside it was never said to have ended. */
function endUpTo(story: Story, isMeant: (row: StoryRow) => boolean, status: RowStatus, ts: string): void {
  if (!story.open.some(isMeant)) return;
  for (let row = story.open.pop(); row; row = story.open.pop()) {
    end(row, status, ts);
    if (isMeant(row)) return;
  }
}

function end(row: StoryRow, status: RowStatus, ts: string): void {
  row.status = status;
  row.endedAt = ts;
  row.version++;
}

function say(story: Story, said: Said): void {
  const row = story.open[story.open.length - 1];
  if (!row) return;
  row.said.push(said);
  row.version++;
}

function closeQuestion(story: Story, questionId: string, status: AskedQuestion["status"], answers: Record<string, unknown> = {}): void {
  const asked = story.asked.find((each) => each.questionId === questionId);
  if (!asked || asked.status !== "open") return;
  asked.status = status;
  asked.given = answers;
  asked.answers = Object.values(answers).map((answer) => (Array.isArray(answer) ? answer.join(", ") : typeof answer === "string" ? answer : JSON.stringify(answer)));
  for (const row of story.open) row.version++;
}

function spend(story: Story, event: SessionEvent & { type: "token_usage" }): void {
  story.tokens.input += event.input_tokens;
  story.tokens.output += event.output_tokens;
  story.tokens.cost += event.cost_usd;
  const row = story.open[story.open.length - 1];
  if (!row) return;
  row.tokens += event.input_tokens + event.output_tokens;
  row.version++;
}

const ENDINGS: Record<Outcome, string> = {
  success: "The session is done.",
  partial: "The session is partly done.",
  failed: "The session failed.",
  stopped: "The session was stopped.",
};

function finish(story: Story, outcome: Outcome, ts: string, what: { result?: string; error?: string }): void {
  for (const asked of openQuestions(story)) closeQuestion(story, asked.questionId, "left open");
  const status = outcome === "stopped" ? "stopped" : outcome === "success" ? "completed" : "failed";
  for (let row = story.open.pop(); row; row = story.open.pop()) end(row, status, ts);
  endBuild(story.build, outcome, ts);
  story.state = "done";
  story.outcome = outcome;
  story.endedAt = ts;
  story.result = what.result ?? null;
  story.error = what.error ?? null;
  story.news = ENDINGS[outcome];
}

export const openQuestions = (story: Story) => story.asked.filter((each) => each.status === "open");

/** Whether a person is needed. */
export const isWaiting = (story: Story) => openQuestions(story).length > 0 || openGates(story.build).length > 0;

export const isRunning = (story: Story) => story.state !== null && story.state !== "done" && story.state !== "idle";
