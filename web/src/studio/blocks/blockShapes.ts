// How blocks look in the editor: one row of the table becomes one definition.

import { BLOCKS, type BlockRow, type FieldRow, KEPT } from "./blockTable";
import { HINTED } from "./hintedField";

type Definition = Record<string, unknown>;

const field = ({ field: name, kind, choices }: FieldRow): Definition => {
  if (kind === "flag") return { type: "field_checkbox", name, checked: false };
  if (kind === "choice") return { type: "field_dropdown", name, options: choices!.map((each) => [each.replaceAll("_", " "), each]) };
  return { type: HINTED, name, text: "", hint: HINTS[name] ?? "nothing yet" };
};

/** What stands in a field as long as nothing does. */
const HINTS: Record<string, string> = {
  NAME: "a name",
  KEY: "a name",
  VALUE: "a text",
  QUESTION: "what to ask",
  HEADER: "a word or two",
  OPTIONS: "yes, no",
  STORE_AS: "a name",
  CONTEXT_KEY: "a name",
  MATCH_VALUE: "an answer",
  PROMPT: "what to do",
  SKILL_ID: "a skill",
  TEMPLATE: "what to say",
  GOAL: "what to make",
  DESCRIPTION: "what it does",
  TYPE: "any",
  VISUAL: "any",
  PERSONALITY: "any",
  PERSONA: "what they are like",
  PIN: "number",
};

function definition(row: BlockRow): Definition {
  const shape: Definition = { type: row.type, tooltip: row.hint, style: row.colour };
  let line = 0;
  const add = (message: string, args: Definition[]) => {
    shape[`message${line}`] = message;
    if (args.length > 0) shape[`args${line}`] = args;
    line++;
  };
  row.fields.forEach((each, index) => add(`${index === 0 ? `${row.title} ` : ""}${each.label} %1`, [field(each)]));
  if (row.fields.length === 0) add(row.title, []);
  for (const { input, label, of } of row.lists) add(`${label} %1`.trim(), [{ type: "input_statement", name: input, check: of }]);
  if (row.is !== null) {
    // What is kept as it is fits wherever it was found.
    const check = row.type === KEPT ? null : row.is;
    Object.assign(shape, { previousStatement: check, nextStatement: check });
  }
  return shape;
}

export const blockDefinitions = (): Definition[] => BLOCKS.map(definition);

/** The shelf from which blocks are taken. */
export const shelf = (kind: "plan" | "build") => ({
  kind: "flyoutToolbox",
  contents: BLOCKS.filter((row) => (kind === "plan" ? row.step !== undefined : row.is !== null && row.step === undefined && row.type !== KEPT)).map(({ type }) => ({ kind: "block", type })),
});
