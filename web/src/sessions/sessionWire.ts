// Sessions as they cross the wire, as far as the page reads them.

export type SessionKind = "build" | "skill";
export type SessionState = "idle" | "planning" | "executing" | "testing" | "deploying" | "reviewing" | "done";
export type Outcome = "success" | "partial" | "failed" | "stopped";

export interface SessionSummary {
  id: string;
  kind: SessionKind;
  state: SessionState;
  outcome: Outcome | null;
  waits: boolean;
  goal: string;
  created_at: string;
}

/** Of the whole answer only what no event tells, and where its page is shown by the server that answers. */
export interface SessionFacts {
  id: string;
  kind: SessionKind;
  spec: SpecAsKept | null;
  url: string | null;
  tokens: { max_budget: number } | null;
  last_seq: number;
  created_at: string;
}

/** Of a spec only what the page reads. */
export interface SpecAsKept {
  project?: { goal?: string };
  hardware?: { target?: string; components?: Record<string, unknown>[] } | null;
  knowledge?: { graphId?: string } | null;
}

/** A step as plans are kept; which fields it has is told by its type. */
export interface PlanStep {
  id: string;
  type: string;
  thenSteps?: PlanStep[];
  [field: string]: unknown;
}

export interface CalledSkill {
  id: string;
  name: string;
  category: string;
  workspace?: unknown;
  [field: string]: unknown;
}

/** What a session was started with. */
export interface Given {
  spec?: SpecAsKept & Record<string, unknown>;
  plan?: { skillName: string; steps: PlanStep[]; [field: string]: unknown };
  allSkills?: CalledSkill[];
  fromGraph?: { graphId: string; nodeId: string };
  continues?: string;
}

export interface PinState {
  mode: "in" | "out" | "adc" | "dac" | "pwm" | "neopixel";
  value: number;
  colours?: string[];
}

export interface Health {
  model?: string;
  sandbox?: string;
}

export interface QuestionOption {
  label: string;
  description: string;
}

export interface Question {
  question: string;
  header: string;
  options: QuestionOption[];
  multiSelect: boolean;
}

export interface PlannedTask {
  id: string;
  name: string;
  description: string;
  status: "pending" | "in_progress" | "done" | "failed";
  agent_name: string;
  dependencies: string[];
  acceptance_criteria: string[];
  retry_count: number;
  error: string | null;
  reason: string | null;
  summary: string | null;
  revision_of: string | null;
}

export interface Agent {
  name: string;
  role: string;
  persona: string;
  status: "idle" | "working" | "done" | "error" | "waiting";
}

export interface Commit {
  sha: string;
  message: string;
  agent_name: string;
  task_id: string;
  files_changed: string[];
}

export interface TestOutcome {
  test_name: string;
  passed: boolean;
  details: string;
}

export interface NarratorLine {
  from: string;
  text: string;
  mood: string;
}

export interface TeachingCard {
  concept: string;
  headline: string;
  explanation: string;
  tell_me_more?: string;
}

export interface DeployRule {
  name: string;
  prompt: string;
}

/** The last task, or where gates are wished for their answers. */
export type TestsFollow = "tasks" | "gates";

type BuildEvents =
  | { type: "planning_started"; max_budget?: number; tests_follow?: TestsFollow; warnings?: string[] }
  | { type: "plan_ready"; tasks: PlannedTask[]; agents: Agent[]; explanation: string; revision?: number }
  | { type: "workspace_created"; nugget_dir: string }
  | { type: "task_started"; task_id: string; agent_name: string }
  | { type: "task_resumed"; task_id: string }
  | { type: "task_completed"; task_id: string; summary: string; provenance?: { remembered?: string } }
  | { type: "task_failed"; task_id: string; error: string; retry_count: number; reason?: string }
  | { type: "agent_output"; task_id: string; agent_name: string; content: string }
  | { type: "agent_status"; agent: Agent }
  | ({ type: "narrator_message" } & NarratorLine)
  | ({ type: "teaching_moment" } & TeachingCard)
  | ({ type: "commit_created" } & Commit)
  | ({ type: "test_result" } & TestOutcome)
  | { type: "coverage_update"; percentage: number }
  | { type: "human_gate"; gate_id: string; task_id: string; question: string; context: string }
  | { type: "gate_answered"; gate_id: string; approved: boolean; feedback: string }
  | { type: "user_question"; task_id: string; question_id: string; questions: Question[] }
  | { type: "deploy_started"; target: string }
  | { type: "deploy_checklist"; rules: DeployRule[] }
  | { type: "deploy_progress"; step: string; progress: number }
  | { type: "deploy_complete"; target: string; url?: string }
  | { type: "serial_data"; line: string; timestamp: string; source?: "simulator" }
  | { type: "board_state"; pins: Record<string, PinState> }
  | { type: "context_loaded"; task_id: string; graph_id: string; nodes: { id: string }[]; tokens: number; budget: number }
  | { type: "session_complete"; summary: string; outcome: Outcome };

type SkillEvents =
  | { type: "skill_started"; skill_id: string; skill_name: string; frame: number }
  | { type: "skill_step"; skill_id: string; step_id: string; step_type: string; status: "started" | "completed" | "failed" }
  | { type: "skill_question"; skill_id: string; step_id: string; question_id: string; questions: Question[] }
  | { type: "skill_output"; skill_id: string; step_id: string; content: string }
  | { type: "skill_completed"; skill_id: string; result: string; frame: number }
  | { type: "skill_error"; skill_id: string; message: string; outcome: Outcome };

type Events =
  | BuildEvents
  | SkillEvents
  | { type: "session_started"; session_id: string; kind: SessionKind; warnings?: string[] }
  | { type: "error"; message: string; recoverable: boolean; outcome?: Outcome }
  | { type: "question_answered"; question_id: string; answers?: Record<string, unknown>; timed_out?: boolean }
  | { type: "token_usage"; agent_name: string; input_tokens: number; output_tokens: number; cost_usd: number }
  | { type: "budget_warning"; total_tokens: number; max_budget: number; cost_usd: number }
  | { type: "permission_auto_resolved"; task_id: string; permission_type: string; decision: string; reason: string };

export type SessionEvent = Events & { seq: number; ts: string };
