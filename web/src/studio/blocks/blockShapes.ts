// How blocks look in the editor: one row of the table becomes one definition.

import { BLOCKS, type BlockRow, type FieldRow, KEPT } from "./blockTable";

type Definition = Record<string, unknown>;

const field = ({ field: name, kind, choices }: FieldRow): Definition => {
  if (kind === "flag") return { type: "field_checkbox", name, checked: false };
  if (kind === "choice") return { type: "field_dropdown", name, options: choices!.map((each) => [each.replaceAll("_", " "), each]) };
  return { type: "field_input", name, text: "" };
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
