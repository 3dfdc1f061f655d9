import { expect, test } from "vitest";
import { emptyStory, isRunning, openQuestions, type Story, tell } from "../src/sessions/sessionStory";
import type { SessionEvent } from "../src/sessions/sessionWire";

type Told = Record<string, unknown> & { type: string };

const numbered = (events: Told[]) =>
  events.map((event, index) => ({ ...event, seq: index + 1, ts: `2026-01-01T00:00:${String(index).padStart(2, "0")}.000Z` }) as unknown as SessionEvent);

function storyOf(events: SessionEvent[]): Story {
  const story = emptyStory();
  for (const event of events) tell(story, event);
  return story;
}

const step = (id: string, status: string, type = "set_context"): Told => ({ type: "skill_step", skill_id: "plan", step_id: id, step_type: type, status });
const question = (id: string): Told => ({
  type: "skill_question",
  skill_id: "plan",
  step_id: "ask",
  question_id: id,
  questions: [{ question: "Which?", header: "Colour", options: [], multiSelect: false }],
});

const OPENING: Told[] = [
  { type: "session_started", session_id: "s", kind: "skill" },
  { type: "skill_started", skill_id: "plan", skill_name: "A plan", frame: 1 },
];

const WHOLE = numbered([
  ...OPENING,
  step("call", "started", "invoke_skill"),
  { type: "skill_started", skill_id: "letter", skill_name: "Letter", frame: 2 },
  step("write", "started", "run_agent"),
  { type: "token_usage", agent_name: "a", input_tokens: 100, output_tokens: 20, cost_usd: 0.5 },
  { type: "permission_auto_resolved", task_id: "write", permission_type: "command", decision: "denied", reason: "no shells" },
  { type: "skill_output", skill_id: "letter", step_id: "write", content: "Dear Ada" },
  step("write", "completed", "run_agent"),
  { type: "skill_completed", skill_id: "letter", result: "Dear Ada", frame: 2 },
  step("call", "completed", "invoke_skill"),
  step("ask", "started", "ask_user"),
  question("q"),
  { type: "question_answered", question_id: "q", answers: { Way: ["left", "up"], Why: "because" } },
  step("ask", "completed", "ask_user"),
  { type: "skill_completed", skill_id: "plan", result: "the end", frame: 1 },
]);

test("steps and the skills they call become an indented list with what each of them said", () => {
  const story = storyOf(WHOLE);
  expect(story.rows.map(({ depth, kind, name, status }) => [depth, kind, name, status])).toEqual([
    [1, "step", "call", "completed"],
    [2, "skill", "Letter", "completed"],
    [3, "step", "write", "completed"],
    [1, "step", "ask", "completed"],
  ]);
  expect(story.rows[2]!.said.map(({ kind }) => kind)).toEqual(["permission", "output"]);
  expect(story.rows[2]!.tokens).toBe(120);
  expect(story.tokens).toEqual({ input: 100, output: 20, cost: 0.5, budget: null });
  expect([story.name, story.state, story.outcome, story.result]).toEqual(["A plan", "done", "success", "the end"]);
  expect(story.asked[0]).toMatchObject({ status: "answered", answers: ["left, up", "because"] });
  expect(story.open).toEqual([]);
});

test("however often the line breaks, the story is the same", () => {
  const whole = storyOf(WHOLE);
  for (let cut = 0; cut <= WHOLE.length; cut++) {
    const story = emptyStory();
    for (const event of WHOLE.slice(0, cut)) tell(story, event);
    // After a break the server may repeat what came before; nothing is told twice.
    for (const event of WHOLE.slice(Math.max(0, cut - 3))) tell(story, event);
    expect(story).toEqual(whole);
  }
});

test("an event behind a hole is not told", () => {
  const story = storyOf(WHOLE.slice(0, 4));
  expect(tell(story, WHOLE[6]!)).toBe(false);
  expect(story.lastSeq).toBe(4);
});

test("a question is open until the log closes it, and late when nobody answered", () => {
  const asking = numbered([...OPENING, step("ask", "started", "ask_user"), question("q")]);
  const story = storyOf(asking);
  expect(openQuestions(story).map(({ questionId }) => questionId)).toEqual(["q"]);
  const before = story.rows[0]!.version;
  const closing = numbered([...Array(4).fill({ type: "x" }), { type: "question_answered", question_id: "q", timed_out: true }])[4]!;
  tell(story, closing);
  expect(openQuestions(story)).toEqual([]);
  expect(story.asked[0]!.status).toBe("late");
  expect(story.rows[0]!.version).toBeGreaterThan(before);
});

test("what was under way when a session was stopped is stopped, and its question closed", () => {
  const story = storyOf(
    numbered([
      ...OPENING,
      step("ask", "started", "ask_user"),
      question("q"),
      { type: "skill_error", skill_id: "plan", message: "The session was stopped.", outcome: "stopped" },
    ]),
  );
  expect(story.rows[0]!.status).toBe("stopped");
  expect(story.asked[0]!.status).toBe("left open");
  expect([story.outcome, story.error, isRunning(story)]).toEqual(["stopped", "The session was stopped.", false]);
});

test("a failure fails every step around it, and the skills between them", () => {
  const story = storyOf(
    numbered([
      ...OPENING,
      step("call", "started", "invoke_skill"),
      { type: "skill_started", skill_id: "letter", skill_name: "Letter", frame: 2 },
      step("write", "started", "run_agent"),
      step("write", "failed", "run_agent"),
      step("call", "failed", "invoke_skill"),
      { type: "skill_error", skill_id: "plan", message: "No model.", outcome: "failed" },
    ]),
  );
  expect(story.rows.map(({ status }) => status)).toEqual(["failed", "failed", "failed"]);
});

test("events of builds and events unknown to the page change what they must and break nothing", () => {
  const story = storyOf(
    numbered([
      { type: "session_started", session_id: "s", kind: "build" },
      { type: "planning_started" },
      { type: "from_a_later_version", anything: 1 },
      { type: "workspace_created", nugget_dir: "x" },
      { type: "error", message: "a bump", recoverable: true },
      { type: "session_complete", summary: "built", outcome: "partial" },
    ]),
  );
  expect([story.kind, story.state, story.outcome, story.result, story.error]).toEqual(["build", "done", "partial", "built", null]);
  expect(story.events.length).toBe(6);
});
