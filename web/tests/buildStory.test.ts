import { expect, test } from "vitest";
import { hasPage, openGates } from "../src/builds/buildStory";
import { emptyStory, isRunning, isWaiting, openQuestions, type Story, tell } from "../src/sessions/sessionStory";
import type { Given, PlannedTask, SessionEvent } from "../src/sessions/sessionWire";
import { lightsOf } from "../src/studio/blocks/lights";

type Told = Record<string, unknown> & { type: string };

const numbered = (events: Told[]) =>
  events.map((event, index) => ({ ...event, seq: index + 1, ts: `2026-01-01T00:00:${String(index).padStart(2, "0")}.000Z` }) as unknown as SessionEvent);

function storyOf(events: SessionEvent[]): Story {
  const story = emptyStory();
  for (const event of events) tell(story, event);
  return story;
}

const task = (id: string, more: Partial<PlannedTask> = {}): PlannedTask => ({
  id,
  name: `Task ${id}`,
  description: "",
  status: "pending",
  agent_name: "Nova",
  dependencies: [],
  acceptance_criteria: [],
  retry_count: 0,
  error: null,
  reason: null,
  summary: null,
  revision_of: null,
  ...more,
});

const nova = (status: string) => ({ name: "Nova", role: "builder", persona: "", status });
const plan = (tasks: PlannedTask[], revision?: number): Told => ({ type: "plan_ready", tasks, agents: [nova("idle")], explanation: "First one, then the other.", revision });

const done = (id: string): Told[] => [
  { type: "task_started", task_id: id, agent_name: "Nova" },
  { type: "agent_status", agent: nova("working") },
  { type: "agent_output", task_id: id, agent_name: "Nova", content: "I be" },
  { type: "permission_auto_resolved", task_id: id, permission_type: "file_write", decision: "approved", reason: "inside" },
  { type: "agent_output", task_id: id, agent_name: "Nova", content: "gin." },
  { type: "token_usage", agent_name: "Nova", input_tokens: 100, output_tokens: 20, cost_usd: 0.25 },
  { type: "commit_created", sha: `${id}0000000`, message: `Nova: Task ${id}`, agent_name: "Nova", task_id: id, timestamp: "", files_changed: [`${id}.html`] },
  { type: "task_completed", task_id: id, summary: `${id} is there.`, provenance: { remembered: `memory-${id}` } },
];

const OPENING: Told[] = [
  { type: "session_started", session_id: "s", kind: "build" },
  { type: "planning_started", max_budget: 500, warnings: ["colour: means nothing here"] },
  plan([task("a"), task("b", { dependencies: ["a"] })]),
  { type: "workspace_created", nugget_dir: "/home/you/s" },
];

const TESTED = OPENING.map((told) => (told.type === "planning_started" ? { ...told, tests_follow: "gates" as const } : told));

const GATE: Told = { type: "human_gate", gate_id: "g", task_id: "a", question: "Good so far?", context: "a is there." };

const REVISED = [
  task("a", { status: "done", summary: "a is there." }),
  task("b", { dependencies: ["a-r1"] }),
  task("a-r1", { revision_of: "a", dependencies: ["a"] }),
];

const WHOLE = numbered([
  ...OPENING,
  { type: "teaching_moment", concept: "plan", headline: "Small things", explanation: "x", tell_me_more: "y", related_concepts: ["review"] },
  { type: "narrator_message", from: "Lore", text: "Here we go!", mood: "excited", related_task_id: "a" },
  ...done("a"),
  GATE,
  { type: "gate_answered", gate_id: "g", approved: false, feedback: "bluer" },
  plan(REVISED, 1),
  ...done("a-r1"),
  { type: "user_question", task_id: "b", question_id: "q", questions: [{ question: "Which?", header: "Colour", options: [], multiSelect: false }] },
  { type: "question_answered", question_id: "q", answers: { Colour: "blue" } },
  { type: "error", message: "A file was left alone.", recoverable: true },
  ...done("b"),
  { type: "test_result", test_name: "t::one", passed: false, details: "no" },
  { type: "test_result", test_name: "t::one", passed: true, details: "" },
  { type: "coverage_update", percentage: 81.5 },
  { type: "deploy_started", target: "web" },
  { type: "deploy_checklist", rules: [{ name: "No names", prompt: "None." }] },
  { type: "deploy_progress", step: "Checked: No names", progress: 30 },
  { type: "from_a_later_version", anything: 1 },
  { type: "deploy_progress", step: "Finished", progress: 100 },
  { type: "deploy_complete", target: "web", url: "http://127.0.0.1:1/s/" },
  { type: "agent_status", agent: nova("done") },
  { type: "session_complete", summary: "All done.", outcome: "success" },
]);

test("a whole build becomes tasks, commits, tests, a deploy and its end", () => {
  const { build, ...story } = storyOf(WHOLE);
  expect(build.tasks.map(({ id, status, isReplaced, said, summary }) => [id, status, isReplaced, said, summary])).toEqual([
    ["a", "done", true, "I begin.", "a is there."],
    ["b", "done", false, "I begin.", "b is there."],
    ["a-r1", "done", false, "I begin.", "a-r1 is there."],
  ]);
  expect(build.tasks.map(({ remembered }) => remembered)).toEqual(["memory-a", "memory-b", "memory-a-r1"]);
  expect(build.tasks[0]!.permissions).toMatchObject([{ permission: "file_write", decision: "approved", reason: "inside" }]);
  expect(build.commits.map(({ message, files_changed }) => [message, files_changed[0]])).toEqual([
    ["Nova: Task a", "a.html"],
    ["Nova: Task a-r1", "a-r1.html"],
    ["Nova: Task b", "b.html"],
  ]);
  expect(build.tests).toEqual([{ test_name: "t::one", passed: true, details: "" }]);
  expect(build.deploy).toMatchObject({ target: "web", progress: 100, isComplete: true, steps: ["Checked: No names", "Finished"] });
  expect([build.coverage, build.url, build.folder, build.revision]).toEqual([81.5, "http://127.0.0.1:1/s/", "/home/you/s", 1]);
  expect([build.lines.length, build.cards[0]!.headline, build.agents[0]!.status]).toEqual([1, "Small things", "done"]);
  expect([build.warnings, build.troubles]).toEqual([["colour: means nothing here"], ["A file was left alone."]]);
  expect(story.asked[0]).toMatchObject({ asker: { kind: "task", id: "b" }, status: "answered", answers: ["blue"] });
  expect(story.tokens).toEqual({ input: 300, output: 60, cost: 0.75, budget: 500 });
  expect([story.state, story.outcome, story.result]).toEqual(["done", "success", "All done."]);
  expect(build.reached).toEqual(["planning", "executing", "reviewing", "testing", "deploying"]);
});

test("the blocks of a spec light up with what its build has come to", () => {
  const rules = ["always", "on_task_complete", "on_test_fail", "before_deploy"].map((trigger) => ({ name: "No names", trigger }));
  const spec = { requirements: [{}], agents: [{ name: "Nova" }, { name: "Idle" }], workflow: { human_gates: ["Good so far?"] }, rules, hardware: { components: [{}] } };
  const lit = (type?: string) => [...lightsOf("build", { spec } as Given, storyOf(type ? WHOLE.slice(0, WHOLE.findIndex((event) => event.type === type) + 1) : WHOLE)).values()].join(", ");
  const nothing = Array(9).fill("to come").join(", ");
  expect(lit("workspace_created")).toBe(`working, ${nothing}`);
  expect(lit("task_started")).toBe("working, working, to come, to come, to come, working, to come, to come, to come, to come");
  expect(lit("human_gate")).toBe("waits for you, working, working, to come, waits for you, working, working, to come, to come, to come");
  expect(lit("deploy_checklist")).toBe("working, done, working, to come, done, done, done, to come, working, working");
  expect(lit()).toBe("done, done, done, not reached, done, done, done, skipped, done, done");
});

test("wherever a build is opened again, its story is the same, and nothing is told twice", () => {
  const whole = storyOf(WHOLE);
  for (let cut = 0; cut <= WHOLE.length; cut++) {
    const story = storyOf(WHOLE.slice(0, cut));
    expect(storyOf(WHOLE.slice(0, cut))).toEqual(story);
    for (const event of WHOLE.slice(Math.max(0, cut - 3))) tell(story, event);
    expect(story).toEqual(whole);
  }
});

test("a gate is open until the log closes it, and the build goes back to where it was", () => {
  const opened = [...OPENING, ...done("a"), GATE];
  const story = storyOf(numbered(opened));
  expect([story.state, isWaiting(story), openGates(story.build)[0]!.question]).toEqual(["reviewing", true, "Good so far?"]);
  const answered = storyOf(numbered([...opened, { type: "gate_answered", gate_id: "g", approved: true, feedback: "" }]));
  expect([answered.state, isWaiting(answered), answered.build.gates[0]!.status]).toEqual(["executing", false, "approved"]);
  const late = storyOf(numbered([...OPENING, { type: "deploy_started", target: "web" }, GATE, { type: "gate_answered", gate_id: "g", approved: true, feedback: "" }]));
  expect(late.state).toBe("deploying");
});

test("a build that is tested is testing once nothing is left to do and nobody is asked", () => {
  const state = (...told: Told[]) => storyOf(numbered([...TESTED, ...told])).state;
  const failed = (reason: string): Told => ({ type: "task_failed", task_id: "b", error: "no", retry_count: 0, reason });
  const answered = (approved: boolean): Told => ({ type: "gate_answered", gate_id: "g", approved, feedback: "" });
  expect(state(...done("a"))).toBe("executing");
  expect(state(...done("a"), ...done("b"))).toBe("testing");
  expect(state(...done("a"), failed("attempts"))).toBe("executing");
  expect(state(...done("a"), failed("dependency"))).toBe("testing");
  expect(state(...done("a"), GATE, ...done("b"))).toBe("reviewing");
  expect(state(...done("a"), GATE, ...done("b"), answered(true))).toBe("testing");
  expect(state(...done("a"), GATE, ...done("b"), answered(false))).toBe("executing");
  expect(state(plan([task("a")]), ...done("a"))).toBe("executing");
  expect(state(plan([task("a")]), ...done("a"), GATE, answered(true))).toBe("testing");
});

test.each([
  ["index.html", true],
  ["public/index.html", true],
  ["notes/index.html", false],
  ["main.py", false],
])("with %s there is a page to be shown: %s", (file, there) => {
  const commit: Told = { type: "commit_created", sha: "1", message: "", agent_name: "Nova", task_id: "a", timestamp: "", files_changed: ["style.css", file] };
  expect(hasPage(storyOf(numbered([...OPENING, commit])).build)).toBe(there);
});

test("of two gates the build waits for both", () => {
  const opened = [...OPENING, GATE, { ...GATE, gate_id: "h" }];
  const story = storyOf(numbered([...opened, { type: "gate_answered", gate_id: "g", approved: true, feedback: "" }]));
  expect([story.state, openGates(story.build).map(({ gateId }) => gateId)]).toEqual(["reviewing", ["h"]]);
  const both = storyOf(numbered([...opened, ...["g", "h"].map((gate_id) => ({ type: "gate_answered", gate_id, approved: true, feedback: "" }))]));
  expect(both.state).toBe("executing");
});

test("a changed plan keeps what its tasks said, and marks those that were replaced", () => {
  const { build } = storyOf(numbered([...OPENING, ...done("a"), plan(REVISED, 1)]));
  expect(build.tasks.map(({ id, said, isReplaced }) => [id, said, isReplaced])).toEqual([
    ["a", "I begin.", true],
    ["b", "", false],
    ["a-r1", "", false],
  ]);
});

test("a task that failed says why and how often it was tried", () => {
  const failing: Told = { type: "task_failed", task_id: "a", error: "The model is gone.", retry_count: 2, reason: "attempts" };
  const { build } = storyOf(numbered([...OPENING, { type: "task_started", task_id: "a", agent_name: "Nova" }, failing]));
  expect(build.tasks[0]).toMatchObject({ status: "failed", error: "The model is gone.", retry_count: 2, reason: "attempts" });
});

test("what a stopped build was about is stopped, and asks nobody any more", () => {
  const question: Told = { type: "user_question", task_id: "a", question_id: "q", questions: [] };
  const stop: Told = { type: "error", message: "The session was stopped.", recoverable: false, outcome: "stopped" };
  const working: Told = { type: "agent_status", agent: nova("working") };
  const story = storyOf(numbered([...OPENING, { type: "task_started", task_id: "a", agent_name: "Nova" }, working, question, GATE, stop]));
  expect(story.build.agents[0]!.status).toBe("idle");
  expect(story.build.tasks.map(({ status, reason }) => [status, reason])).toEqual([
    ["failed", "stopped"],
    ["pending", null],
  ]);
  expect([story.build.gates[0]!.status, openQuestions(story).length, isWaiting(story), isRunning(story)]).toEqual(["left open", 0, false, false]);
});
