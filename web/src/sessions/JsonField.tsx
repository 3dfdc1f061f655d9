import { type KeyboardEvent, type ReactNode, type RefObject, useId, useRef } from "react";
import type { ApiError } from "../api";
import { ErrorNote } from "../shell/ErrorNote";
import { placeOf, readObject, type Unreadable } from "./planText";

interface FieldFault {
  path: string;
  message: string;
}

export const faultsIn = (error: ApiError | null) => (Array.isArray(error?.facts.fields) ? (error.facts.fields as FieldFault[]) : []);

interface Props {
  label: string;
  /** What is written here, in sentences about it. */
  thing: string;
  hint: ReactNode;
  rows: number;
  text: string;
  change: (text: string) => void;
  unreadable: Unreadable | null;
  error: ApiError | null;
  submit: () => void;
  field?: RefObject<HTMLTextAreaElement | null>;
}

/** A thing as JSON, with what the server found wrong in it, each fault at its field. */
export function JsonField({ label, thing, hint, rows, text, change, unreadable, error, submit, field }: Props) {
  const own = useRef<HTMLTextAreaElement>(null);
  const written = field ?? own;
  const id = useId();
  const mark = (start: number, end: number) => {
    written.current?.focus();
    written.current?.setSelectionRange(start, end);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) submit();
  };
  return (
    <>
      <label htmlFor={id}>{label}</label>
      <p id={`${id}-hint`} className="soft">
        {hint}
      </p>
      <textarea
        id={id}
        ref={written}
        value={text}
        rows={rows}
        spellCheck={false}
        autoComplete="off"
        aria-invalid={unreadable || error ? true : undefined}
        aria-describedby={`${id}-hint ${id}-faults`}
        onChange={(event) => change(event.target.value)}
        onKeyDown={onKey}
      />
      <div id={`${id}-faults`}>
        {unreadable ? (
          <div className="error-note" role="alert">
            <p>{unreadable.sentence}</p>
            {unreadable.at === null ? null : (
              <button type="button" onClick={() => mark(unreadable.at!, unreadable.at! + 1)}>
                Go there
              </button>
            )}
          </div>
        ) : null}
        {error ? <Faults error={error} thing={thing} text={text} mark={mark} /> : null}
      </div>
    </>
  );
}

interface FaultsProps {
  error: ApiError;
  thing: string;
  text: string;
  mark: (start: number, end: number) => void;
}

function Faults({ error, thing, text, mark }: FaultsProps) {
  const faults = faultsIn(error);
  if (faults.length === 0) return <ErrorNote error={error} />;
  const goTo = (path: string) => {
    const place = "value" in readObject(text, thing) ? placeOf(text, path) : null;
    if (place) mark(...place);
  };
  return (
    <div className="error-note faults" role="alert">
      <p>{faults.length === 1 ? `The ${thing} was refused for one field:` : `The ${thing} was refused for ${faults.length} fields:`}</p>
      <ul>
        {faults.map((fault, index) => (
          <li key={index}>
            <button type="button" className="link" onClick={() => goTo(fault.path)}>
              <code>{fault.path}</code>
            </button>{" "}
            {fault.message}
          </li>
        ))}
      </ul>
    </div>
  );
}
