// What happened, in a few words for each event of a log.

import type { SessionEvent } from "../sessionWire";

type Told = { [Type in SessionEvent["type"]]: string | ((event: Extract<SessionEvent, { type: Type }>) => string) };

const STEPS = { started: "begins", completed: "is done", failed: "failed" };

const WORDS: Told = {
  session_started: "It began",
  planning_started: "Planning began",
  plan_ready: ({ tasks }) => `The plan is there: ${tasks.length} ${tasks.length === 1 ? "task" : "tasks"}`,
  workspace_created: "A folder was made for it",
  context_loaded: ({ nodes }) => `Notes were read: ${nodes.length}`,
  task_started: ({ agent_name }) => `${agent_name} begins a task`,
  task_resumed: "A task goes on",
  task_completed: "A task is done",
  task_failed: "A task failed",
  agent_output: ({ agent_name }) => `${agent_name} says something`,
  agent_status: ({ agent }) => `${agent.name}: ${agent.status}`,
  narrator_message: "The narrator says something",
  teaching_moment: ({ concept }) => `Something to learn: ${concept}`,
  commit_created: "The work was saved as a commit",
  test_result: ({ test_name, passed }) => `Test ${passed ? "passed" : "failed"}: ${test_name}`,
  coverage_update: "Tests were counted against the code",
  human_gate: "A person is asked to approve",
  gate_answered: ({ approved }) => (approved ? "It was approved" : "Changes were asked for"),
  user_question: "A question to a person",
  question_answered: ({ timed_out }) => (timed_out ? "Nobody answered in time" : "The question was answered"),
  deploy_started: "Showing it began",
  deploy_checklist: "What to check before it is shown",
  deploy_progress: ({ step }) => step,
  deploy_complete: "It can be seen",
  serial_data: "The board sent a line",
  board_state: "The board's pins changed",
  skill_started: ({ skill_name, skill_id }) => `${skill_name || skill_id} begins`,
  skill_step: ({ step_id, status }) => `Step ${step_id} ${STEPS[status]}`,
  skill_question: "A question to a person",
  skill_output: "It says something",
  skill_completed: "It came to its result",
  skill_error: "It failed",
  session_complete: "It is over",
  error: "Something went wrong",
  token_usage: ({ agent_name }) => (agent_name ? `${agent_name} used tokens` : "Tokens were used"),
  budget_warning: "Most of the token budget is spent",
  permission_auto_resolved: ({ decision }) => `A permission was decided: ${decision}`,
};

/** An event of a kind that the page does not know yet goes by its own name. */
export function eventWords(event: SessionEvent): string {
  const words = WORDS[event.type] as string | ((event: SessionEvent) => string) | undefined;
  return typeof words === "function" ? words(event) : (words ?? (event as { type: string }).type.replaceAll("_", " "));
}
