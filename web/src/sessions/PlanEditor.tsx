import { type FormEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { ApiError } from "../api";
import { ErrorNote } from "../shell/ErrorNote";
import { EXAMPLE_PLAN } from "./examplePlan";
import { placeOf, readPlanText, type Unreadable } from "./planText";
import { runPlan } from "./sessionApi";

interface FieldFault {
  path: string;
  message: string;
}

const DRAFT = "loreweave.plan";

const faultsIn = (error: ApiError) => (Array.isArray(error.facts.fields) ? (error.facts.fields as FieldFault[]) : []);

/** A plan as JSON, with what the server found wrong in it, each fault at its field. */
export function PlanEditor({ started, close }: { started: (id: string) => void; close: () => void }) {
  const [text, setText] = useState(() => sessionStorage.getItem(DRAFT) ?? EXAMPLE_PLAN);
  const [unreadable, setUnreadable] = useState<Unreadable | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  const [busy, setBusy] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const id = useId();
  useEffect(() => field.current?.focus(), []);

  const change = (next: string) => {
    setText(next);
    sessionStorage.setItem(DRAFT, next);
  };
  const mark = (start: number, end: number) => {
    field.current?.focus();
    field.current?.setSelectionRange(start, end);
  };
  const run = async () => {
    if (busy) return;
    const read = readPlanText(text);
    setError(null);
    setUnreadable("unreadable" in read ? read.unreadable : null);
    if ("unreadable" in read) return;
    setBusy(true);
    try {
      const { session_id } = await runPlan(read.request);
      sessionStorage.removeItem(DRAFT);
      started(session_id);
    } catch (failure) {
      setError(failure instanceof ApiError ? failure : new ApiError("The page could not send the plan.", "page_fault", 0));
      setBusy(false);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void run();
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void run();
  };
  return (
    <form className="plan-editor" aria-label="Run a plan" onSubmit={submit}>
      <label htmlFor={id}>Plan</label>
      <p id={`${id}-hint`} className="soft">
        JSON: a plan, or <code>{'{"plan": …, "allSkills": […]}'}</code> where steps call skills. The example asks you one question and needs no
        model.
      </p>
      <textarea
        id={id}
        ref={field}
        value={text}
        rows={18}
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
        {error ? <Faults error={error} text={text} mark={mark} /> : null}
      </div>
      <div className="row">
        <button type="submit" className="primary" aria-disabled={busy} aria-keyshortcuts="Control+Enter Meta+Enter">
          {busy ? "Starting…" : "Run"}
        </button>
        <button type="button" onClick={close}>
          Cancel
        </button>
        {text === EXAMPLE_PLAN ? null : (
          <button type="button" className="quiet" onClick={() => change(EXAMPLE_PLAN)}>
            Back to the example
          </button>
        )}
      </div>
    </form>
  );
}

function Faults({ error, text, mark }: { error: ApiError; text: string; mark: (start: number, end: number) => void }) {
  const faults = faultsIn(error);
  if (faults.length === 0) return <ErrorNote error={error} />;
  const goTo = (path: string) => {
    const parsed = readPlanText(text);
    const place = "request" in parsed ? placeOf(text, path) : null;
    if (place) mark(...place);
  };
  return (
    <div className="error-note faults" role="alert">
      <p>{faults.length === 1 ? "The plan was refused for one field:" : `The plan was refused for ${faults.length} fields:`}</p>
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
