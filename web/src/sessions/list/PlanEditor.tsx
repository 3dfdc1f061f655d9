import { type FormEvent, useEffect, useRef, useState } from "react";
import { ApiError } from "../../api";
import { EXAMPLE_PLAN } from "../examplePlan";
import { JsonField } from "../JsonField";
import { DESIGN_DRAFT, PLAN_DRAFT as DRAFT, readPlanText, type Unreadable } from "../planText";
import { runPlan } from "../sessionApi";
import { goTo } from "../../shell/useAddress";

export function PlanEditor({ started, close }: { started: (id: string) => void; close: () => void }) {
  const [text, setText] = useState(() => sessionStorage.getItem(DRAFT) ?? EXAMPLE_PLAN);
  const [unreadable, setUnreadable] = useState<Unreadable | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  const [busy, setBusy] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);

  const change = (next: string) => {
    setText(next);
    sessionStorage.setItem(DRAFT, next);
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
  const toBlocks = () => {
    const read = readPlanText(text);
    if ("unreadable" in read) return setUnreadable(read.unreadable);
    const place = "/studio/plan/new?kind=plan&starter=draft";
    sessionStorage.setItem(DRAFT, text);
    sessionStorage.removeItem(`${DESIGN_DRAFT} ${place}`); // what was made of an earlier text
    goTo(place);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void run();
  };
  const hint = (
    <>
      A plan as JSON, or <code>{'{"plan": …, "allSkills": […]}'}</code> where steps call skills. The example asks you one question and needs no
      model.{" "}
      <button type="button" className="link" onClick={toBlocks}>
        Open as blocks
      </button>
    </>
  );
  return (
    <form className="plan-editor" aria-label="Run a plan" onSubmit={submit}>
      <JsonField
        label="Plan"
        thing="plan"
        hint={hint}
        rows={18}
        text={text}
        change={change}
        unreadable={unreadable}
        error={error}
        submit={() => void run()}
        field={field}
      />
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
