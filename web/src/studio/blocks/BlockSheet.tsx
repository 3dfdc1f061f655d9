import type { BlockSvg } from "blockly/core";
import { useId, useRef } from "react";
import { Inspector } from "../../shell/Inspector";
import { blockRow, type FieldRow } from "./blockTable";

interface Props {
  block: BlockSvg;
  keys: string[];
  fault?: string;
  close: () => void;
}

/** The fields of one block as a form: room for long texts, and what is remembered as chips to put into them. */
export function BlockSheet({ block, keys, fault, close }: Props) {
  const row = blockRow(block.type);
  if (!row) return null;
  return (
    <Inspector title={row.title} kind={row.hint} close={close}>
      <div className="task-sheet">
        {fault ? <p className="task-error">{fault}</p> : null}
        {row.fields.map((field) => (
          <FieldForm key={field.field} block={block} row={field} keys={keys} />
        ))}
      </div>
    </Inspector>
  );
}

function FieldForm({ block, row, keys }: { block: BlockSvg; row: FieldRow; keys: string[] }) {
  const id = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  const value = String(block.getFieldValue(row.field) ?? "");
  const set = (next: string) => block.setFieldValue(next, row.field);
  const insert = (key: string) => {
    const at = area.current?.selectionStart ?? value.length;
    set(`${value.slice(0, at)}{{${key}}}${value.slice(area.current?.selectionEnd ?? at)}`);
    area.current?.focus();
  };
  const label = row.label || row.field.toLowerCase();
  if (row.kind === "flag") {
    return (
      <label>
        <input type="checkbox" checked={value === "TRUE"} onChange={(event) => set(event.target.checked ? "TRUE" : "FALSE")} /> {label}
      </label>
    );
  }
  return (
    <div className="studio-field">
      <label htmlFor={id}>{label}</label>
      {row.kind === "choice" ? (
        <select id={id} value={value} onChange={(event) => set(event.target.value)}>
          {row.choices!.map((choice) => (
            <option key={choice}>{choice}</option>
          ))}
        </select>
      ) : (
        <textarea id={id} ref={area} rows={row.isLong ? 5 : 1} value={value} onChange={(event) => set(event.target.value)} />
      )}
      {row.isLong && keys.length > 0 ? (
        <div className="row" role="group" aria-label={`Put into ${label}`}>
          {keys.map((key) => (
            <button key={key} type="button" className="chip" onClick={() => insert(key)}>
              {`{{${key}}}`}
            </button>
          ))}
        </div>
      ) : null}
    </div>
  );
}
