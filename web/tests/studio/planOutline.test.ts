import { expect, test } from "vitest";
import { outlineOf } from "../../src/sessions/planOutline";
import { emptyStory, type Story, storyAt, tell } from "../../src/sessions/sessionStory";
import type { Given, PlanStep, SessionEvent } from "../../src/sessions/sessionWire";
import { lightsOf } from "../../src/studio/blocks/lights";

type Told = Record<string, unknown> & { type: string };

/** Numbers that look thrown, the same in every run. */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * sides);
  };
}

const numbered = (events: Told[]) =>
  events.map((event, index) => ({ ...event, seq: index + 1, ts: new Date(1_700_000_000_000 + 250 * index).toISOString() }) as unknown as SessionEvent);

function frozen<T>(value: T): T {
  if (typeof value === "object" && value !== null) {
    Object.values(value).forEach(frozen);
    Object.freeze(value);
  }
  return value;
}

const told = (step: PlanStep, status: string): Told => ({ type: "skill_step", skill_id: "plan", step_id: step.id, step_type: step.type, status });

const PLAN: PlanStep[] = [
  { id: "who", type: "set_context", key: "who", value: "Ada" },
  { id: "ask", type: "ask_user", question: "Where to, {{who}}?", header: "Way", options: ["left"], storeAs: "way" },
  { id: "sea", type: "branch", contextKey: "way", matchValue: "left", thenSteps: [{ id: "wet", type: "set_context", key: "end", value: "sea" }] },
  { id: "call", type: "invoke_skill", skillId: "s", storeAs: "bag" },
  { id: "out", type: "output", template: "{{who}} {{end}}" },
];
const SKILL = {
  id: "s",
  name: "Pack",
  category: "composite",
  workspace: { blocks: { blocks: [{ type: "skill_flow_start", next: { block: { id: "in", type: "skill_set_context", fields: { KEY: "own", VALUE: "{{way}}!" } } } }] } },
};
const GIVEN: Given = { plan: { skillName: "P", steps: PLAN }, allSkills: [SKILL] };
const [WHO, ASK, SEA, CALL, OUT] = PLAN as [PlanStep, PlanStep, PlanStep, PlanStep, PlanStep];

const LOG = numbered([
  { type: "session_started", session_id: "x", kind: "skill" },
  { type: "skill_started", skill_id: "plan", skill_name: "P", frame: 1 },
  told(WHO, "started"),
  told(WHO, "completed"),
  told(ASK, "started"),
  { type: "skill_question", skill_id: "plan", step_id: "ask", question_id: "q", questions: [{ question: "?", header: "Way", options: [], multiSelect: false }] },
  { type: "question_answered", question_id: "q", answers: { Way: ["right", "up"] } },
  told(ASK, "completed"),
  told(SEA, "started"),
  told(SEA, "completed"),
  told(CALL, "started"),
  { type: "skill_started", skill_id: "s", skill_name: "Pack", frame: 2 },
  { ...told({ id: "in", type: "set_context" }, "started"), skill_id: "s" },
  { ...told({ id: "in", type: "set_context" }, "completed"), skill_id: "s" },
  { type: "skill_completed", skill_id: "s", result: "boots", frame: 2 },
  told(CALL, "completed"),
  told(OUT, "started"),
  { type: "skill_output", skill_id: "plan", step_id: "out", content: "Ada " },
  told(OUT, "completed"),
  { type: "skill_completed", skill_id: "plan", result: "Ada ", frame: 1 },
]);

const shown = (seq: number) => outlineOf(GIVEN, storyAt(LOG, seq)).rows.map(({ row, step, status }) => `${row?.name ?? step!.id} ${status}`);
const lit = (seq: number) => [...lightsOf("plan", GIVEN, storyAt(LOG, seq)).values()];
const variables = (seq: number) => outlineOf(GIVEN, storyAt(LOG, seq)).variables.map(({ name, value, skill }) => [skill, name, value]);

test("what is to come stands behind what ran, and a branch that was not taken is passed by", () => {
  expect(shown(5)).toEqual(["who completed", "ask running", "sea to come", "wet to come", "call to come", "out to come"]);
  expect(shown(20)).toEqual(["who completed", "ask completed", "sea completed", "wet skipped", "call completed", "Pack completed", "in completed", "out completed"]);
});

test("the blocks of a plan light up as its steps do", () => {
  expect([...lightsOf("plan", GIVEN, storyAt(LOG, 6)).keys()]).toEqual(["", "plan.steps.0", "plan.steps.1", "plan.steps.2", "plan.steps.2.thenSteps.0", "plan.steps.3", "plan.steps.4"]);
  expect(lit(5)).toEqual(["working", "done", "working", "to come", "to come", "to come", "to come"]);
  expect(lit(6)).toEqual(["waits for you", "done", "waits for you", "to come", "to come", "to come", "to come"]);
  expect(lit(14)).toEqual(["working", "done", "done", "done", "skipped", "working", "to come"]);
  expect(lit(20)).toEqual(["done", "done", "done", "done", "skipped", "done", "done"]);
});

test("steps that a stopped run did not come to are not to come any more", () => {
  const stopped = storyAt([...LOG.slice(0, 5), ...numbered([{ type: "skill_error", skill_id: "plan", message: "Stopped.", outcome: "stopped" }]).map((event) => ({ ...event, seq: 6 }))], 6);
  expect(outlineOf(GIVEN, stopped).rows.map(({ status }) => status)).toEqual(["completed", "stopped", ...Array(4).fill("not reached")]);
});

test("what is remembered is seen as it grows, that of a called skill while it runs", () => {
  expect(variables(4)).toEqual([["", "who", "Ada"]]);
  expect(variables(14)).toEqual([["", "who", "Ada"], ["", "way", "right, up"], ["Pack", "own", "right, up!"]]);
  expect(variables(20)).toEqual([["", "who", "Ada"], ["", "way", "right, up"], ["", "bag", "boots"]]);
});

/** A log such as no run would write: every kind of event, in any order. */
function randomLog(seed: number): SessionEvent[] {
  const roll = dice(seed);
  const id = () => "abc"[roll(3)]!;
  const kind = roll(2) === 0 ? "build" : "skill";
  const agent = () => ({ name: id(), role: "builder", persona: "", status: ["idle", "working", "waiting", "error"][roll(4)]! });
  const task = (name: string) => ({ id: name, name, description: "", status: "pending", agent_name: id(), dependencies: [], acceptance_criteria: [], retry_count: 0, error: null, reason: null, summary: null, revision_of: null });
  const makers: (() => Told)[] = [
    () => ({ type: "plan_ready", tasks: ["a", "b", "c"].slice(0, 1 + roll(3)).map(task), agents: [agent()], explanation: id(), revision: roll(3) }),
    () => ({ type: "workspace_created", nugget_dir: "/x" }),
    () => ({ type: "task_started", task_id: id(), agent_name: id() }),
    () => ({ type: "agent_output", task_id: id(), agent_name: id(), content: id() }),
    () => ({ type: "task_completed", task_id: id(), summary: id() }),
    () => ({ type: "task_failed", task_id: id(), error: id(), retry_count: roll(3) }),
    () => ({ type: "agent_status", agent: agent() }),
    () => ({ type: "commit_created", sha: id(), message: id(), agent_name: id(), task_id: id(), files_changed: [id()] }),
    () => ({ type: "test_result", test_name: id(), passed: roll(2) === 0, details: "" }),
    () => ({ type: "human_gate", gate_id: id(), task_id: id(), question: "?", context: "" }),
    () => ({ type: "gate_answered", gate_id: id(), approved: roll(2) === 0, feedback: "" }),
    () => ({ type: "user_question", task_id: id(), question_id: id(), questions: [] }),
    () => ({ type: "question_answered", question_id: id(), answers: { x: [id()] } }),
    () => ({ type: "token_usage", agent_name: id(), input_tokens: roll(9), output_tokens: roll(9), cost_usd: 0 }),
    () => ({ type: "permission_auto_resolved", task_id: id(), permission_type: "command", decision: "denied", reason: id() }),
    () => ({ type: "deploy_started", target: "web" }),
    () => ({ type: "deploy_progress", step: id(), progress: roll(100) }),
    () => ({ type: "board_state", pins: { [id()]: { mode: roll(2) ? "in" : "out", value: roll(2) } } }),
    () => ({ type: "serial_data", line: roll(4) ? id() : "[stopped]", timestamp: "", ...(roll(2) ? { source: "simulator" } : {}) }),
    () => ({ type: "skill_started", skill_id: id(), skill_name: id(), frame: 2 + roll(3) }),
    () => told({ id: id(), type: "branch" }, ["started", "completed", "failed"][roll(3)]!),
    () => ({ type: "skill_completed", skill_id: id(), result: id(), frame: 2 }),
    () => ({ type: "narrator_message", from: "n", text: id(), mood: "excited" }),
    () => ({ type: "error", message: id(), recoverable: true }),
  ];
  const events = Array.from({ length: 40 + roll(60) }, () => makers[roll(makers.length)]!());
  return numbered([{ type: "session_started", session_id: "x", kind }, ...events]);
}

test("a story followed live is, at every event, the fold of the log up to it, and no event is changed by it", () => {
  for (let seed = 1; seed <= 30; seed++) {
    const log = frozen(randomLog(seed));
    const live: Story = emptyStory();
    const given: Given = { plan: { skillName: "P", steps: [{ id: "a", type: "branch", thenSteps: [{ id: "b", type: "branch" }] }] } };
    const spec = { spec: { agents: [{ name: "a" }], requirements: [{}], rules: [{ trigger: "always" }], workflow: { human_gates: ["?"] } } };
    for (const event of log) {
      tell(live, event);
      const again = storyAt(log, event.seq);
      expect(again).toEqual(live);
      expect(outlineOf(given, again)).toEqual(outlineOf(given, live));
      expect(lightsOf("plan", given, again)).toEqual(lightsOf("plan", given, live));
      expect(lightsOf("build", spec, again)).toEqual(lightsOf("build", spec, live));
    }
  }
});
