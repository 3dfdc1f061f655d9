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

/** Of the whole answer only what no event tells. */
export interface SessionFacts {
  id: string;
  tokens: { max_budget: number } | null;
  last_seq: number;
  created_at: string;
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

type Events =
  | { type: "session_started"; session_id: string; kind: SessionKind }
  | { type: "planning_started" }
  | { type: "workspace_created" }
  | { type: "human_gate" }
  | { type: "gate_answered" }
  | { type: "deploy_started" }
  | { type: "session_complete"; summary: string; outcome: Outcome }
  | { type: "error"; message: string; recoverable: boolean; outcome?: Outcome }
  | { type: "skill_started"; skill_id: string; skill_name: string; frame: number }
  | { type: "skill_step"; skill_id: string; step_id: string; step_type: string; status: "started" | "completed" | "failed" }
  | { type: "skill_question"; skill_id: string; step_id: string; question_id: string; questions: Question[] }
  | { type: "question_answered"; question_id: string; answers?: Record<string, unknown>; timed_out?: boolean }
  | { type: "skill_output"; skill_id: string; step_id: string; content: string }
  | { type: "skill_completed"; skill_id: string; result: string; frame: number }
  | { type: "skill_error"; skill_id: string; message: string; outcome: Outcome }
  | { type: "token_usage"; agent_name: string; input_tokens: number; output_tokens: number; cost_usd: number }
  | { type: "budget_warning"; total_tokens: number; max_budget: number; cost_usd: number }
  | { type: "permission_auto_resolved"; task_id: string; permission_type: string; decision: string; reason: string };

export type SessionEvent = Events & { seq: number; ts: string };
