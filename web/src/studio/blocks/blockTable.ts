// Which blocks there are, what of a plan or a spec each stands for, and what may be joined to what.

export interface FieldRow {
  field: string;
  /** Where the value lies in the thing that the block stands for. */
  path: string[];
  /** `pin`: a number where it is written as one. */
  kind: "text" | "flag" | "choice" | "words" | "pin";
  label: string;
  choices?: string[];
  usual?: string;
  /** Long texts are written at the side. */
  isLong?: boolean;
  /** What the step lacks without it: it cannot be run then, though it may be kept. */
  lack?: string;
}

export interface ListRow {
  input: string;
  path: string[];
  label: string;
  /** What its entries are: the check of a connection, so that nothing else can be put there. */
  of: string;
}

export interface BlockRow {
  type: string;
  /** What it may be an entry of; none for the block that everything begins with. */
  is: string | null;
  title: string;
  hint: string;
  colour: string;
  fields: FieldRow[];
  lists: ListRow[];
  /** Of a step: its type in a plan. */
  step?: string;
  /** The entry is a text alone, that of its only field. */
  isPlain?: boolean;
}

const text = (field: string, path: string, label: string, isLong = false, lack?: string): FieldRow => ({ field, path: path.split("."), kind: "text", label, isLong, lack });
const flag = (field: string, path: string, label: string): FieldRow => ({ field, path: path.split("."), kind: "flag", label });
const choice = (field: string, path: string, label: string, usual: string, ...choices: string[]): FieldRow => ({ field, path: path.split("."), kind: "choice", label, usual, choices });
const list = (input: string, path: string, label: string, of: string): ListRow => ({ input, path: path.split("."), label, of });
const step = (type: string, kind: string, title: string, hint: string, colour: string, fields: FieldRow[], lists: ListRow[] = []): BlockRow => ({ type, is: "Step", title, hint, colour, fields, lists, step: kind });
const part = (type: string, is: string, title: string, hint: string, colour: string, fields: FieldRow[]): BlockRow => ({ type, is, title, hint, colour, fields, lists: [] });

export const PLAN_START = "skill_flow_start";
export const SPEC_START = "spec_project";
/** Holds what no other block stands for, to the letter. */
export const KEPT = "kept_json";

export const BLOCKS: BlockRow[] = [
  { type: PLAN_START, is: null, title: "Plan", hint: "Where the plan begins", colour: "indigo", fields: [text("NAME", "plan.skillName", "called")], lists: [list("STEPS", "plan.steps", "", "Step")] },
  step("skill_set_context", "set_context", "Remember", "Remembers a value", "slate", [text("KEY", "key", "as", false, "a name to remember it as"), text("VALUE", "value", "the text", true)]),
  step("skill_ask_user", "ask_user", "Ask", "Waits for somebody's answer", "madder", [
    text("QUESTION", "question", "the question", true, "a question"),
    text("HEADER", "header", "in short"),
    { field: "OPTIONS", path: ["options"], kind: "words", label: "choices, with commas" },
    text("STORE_AS", "storeAs", "remember as", false, "a name to remember the answer as"),
  ]),
  step("skill_branch_if", "branch", "If", "Runs what is inside when it is so", "weld", [text("CONTEXT_KEY", "contextKey", "what is remembered as", false, "the name of what is compared"), text("MATCH_VALUE", "matchValue", "is exactly")], [list("THEN_BLOCKS", "thenSteps", "then", "Step")]),
  step("skill_run_agent", "run_agent", "Let an agent", "A language model works on it", "plum", [text("PROMPT", "prompt", "do this", true, "what the agent is to do"), text("STORE_AS", "storeAs", "remember as")]),
  step("skill_invoke", "invoke_skill", "Use a skill", "Runs another skill", "lichen", [text("SKILL_ID", "skillId", "with the id", false, "the id of a skill"), text("STORE_AS", "storeAs", "remember as")]),
  step("skill_output", "output", "Say", "Says a result", "teal", [text("TEMPLATE", "template", "the text", true, "a text")]),
  {
    type: SPEC_START,
    is: null,
    title: "Build",
    hint: "What is to be made",
    colour: "indigo",
    fields: [
      text("GOAL", "project.goal", "what"),
      text("DESCRIPTION", "project.description", "in more words", true),
      text("TYPE", "project.type", "kind"),
      text("VISUAL", "style.visual", "look"),
      text("PERSONALITY", "style.personality", "mood"),
      choice("TARGET", "deployment.target", "shown as", "preview", "preview", "web", "esp32", "both"),
      flag("AUTO_FLASH", "deployment.auto_flash", "flash the board"),
      flag("TESTS", "workflow.testing_enabled", "with tests"),
      flag("REVIEW", "workflow.review_enabled", "with a review"),
    ],
    lists: [
      list("REQUIREMENTS", "requirements", "it must", "Requirement"),
      list("AGENTS", "agents", "made by", "Agent"),
      list("GATES", "workflow.human_gates", "ask me", "Gate"),
      list("RULES", "rules", "rules", "Rule"),
      list("COMPONENTS", "hardware.components", "on a board with", "Component"),
    ],
  },
  part("spec_requirement", "Requirement", "It must", "Something it must do", "teal", [text("DESCRIPTION", "description", "", true), text("TYPE", "type", "kind")]),
  part("spec_agent", "Agent", "Agent", "Somebody who works on it", "plum", [text("NAME", "name", "called"), choice("ROLE", "role", "who is a", "builder", "builder", "tester", "reviewer", "custom"), text("PERSONA", "persona", "and", true)]),
  { ...part("spec_gate", "Gate", "Ask me", "The build waits for your word", "madder", [text("QUESTION", "", "", true)]), isPlain: true },
  part("spec_rule", "Rule", "Rule", "Something that must be kept", "weld", [text("NAME", "name", "called"), choice("TRIGGER", "trigger", "when", "always", "always", "on_task_complete", "on_test_fail", "before_deploy"), text("PROMPT", "prompt", "says", true)]),
  part("spec_component", "Component", "Part", "Something wired to the board", "lichen", [text("TYPE", "type", "a"), text("NAME", "name", "called"), { field: "PIN", path: ["pin"], kind: "pin", label: "at pin" }]),
  { type: KEPT, is: "Anything", title: "As it is", hint: "Kept to the letter; change it as JSON", colour: "slate", fields: [], lists: [] },
];

export const blockRow = (type: string | undefined): BlockRow | undefined => BLOCKS.find((row) => row.type === type);

export const stepRow = (kind: unknown): BlockRow | undefined => BLOCKS.find((row) => row.step !== undefined && row.step === kind);

export const entryRow = (of: string): BlockRow => BLOCKS.find((row) => row.is === of)!;
