import { type FormEvent, useEffect, useId, useRef, useState } from "react";
import { ApiError } from "../api";
import { faultsIn, JsonField } from "../sessions/JsonField";
import { readObject, type Unreadable } from "../sessions/planText";
import { beginBuild } from "../sessions/sessionApi";
import { NoModel } from "./NoModel";
import { BLANK, EXAMPLES, goalIn, LONGEST_GOAL, withGoal } from "./specText";

const DRAFT = "loreweave.spec";

/** A wish in one line, an example, or a whole spec: the text of the spec is what all three change. */
export function BuildForm({ started, close }: { started: (id: string) => void; close: () => void }) {
  const [text, setText] = useState(() => sessionStorage.getItem(DRAFT) ?? BLANK);
  const [unreadable, setUnreadable] = useState<Unreadable | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  const [busy, setBusy] = useState(false);
  const [isWhole, setIsWhole] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  useEffect(() => field.current?.focus(), []);

  const goal = goalIn(text);
  const chosen = EXAMPLES.find((example) => example.text === text);
  const change = (next: string) => {
    setText(next);
    sessionStorage.setItem(DRAFT, next);
  };
  const begin = async () => {
    if (busy) return;
    const read = readObject(text, "spec");
    setError(null);
    setUnreadable("unreadable" in read ? read.unreadable : null);
    if ("unreadable" in read) return setIsWhole(true);
    setBusy(true);
    try {
      const session = await beginBuild({ spec: read.value });
      sessionStorage.removeItem(DRAFT);
      started(session);
    } catch (failure) {
      const told = failure instanceof ApiError ? failure : new ApiError("The page could not send the spec.", "page_fault", 0);
      setError(told);
      setBusy(false);
      const faults = faultsIn(told);
      if (faults.some(({ path }) => path !== "project.goal")) setIsWhole(true);
      else if (faults.length > 0) field.current?.focus();
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void begin();
  };
  const goalFault = faultsIn(error).find(({ path }) => path === "project.goal");
  const needsModel = error?.code === "no_model";
  const shownBelow = needsModel || (goalFault && faultsIn(error).length === 1) ? null : error;
  return (
    <form className="plan-editor build-form" aria-label="Build something" onSubmit={submit}>
      <label htmlFor={id}>What should it be?</label>
      <div className="wish">
        <input
          id={id}
          ref={field}
          type="text"
          autoComplete="off"
          placeholder="A page that counts my plants"
          maxLength={LONGEST_GOAL}
          value={goal ?? ""}
          readOnly={goal === null}
          aria-invalid={goalFault ? true : undefined}
          aria-describedby={`${id}-goal`}
          onChange={(event) => change(withGoal(text, event.target.value))}
        />
        <button type="submit" className="primary" aria-disabled={busy}>
          {busy ? "Starting…" : "Build it"}
        </button>
      </div>
      <p id={`${id}-goal`} className={goalFault ? "missing" : "soft"} role={goalFault ? "alert" : undefined}>
        {goalFault ? `The goal ${goalFault.message}: say what you want, or take an example.` : (chosen?.description ?? "One sentence is enough. Or begin with an example:")}
      </p>
      <div className="examples" role="group" aria-label="Examples">
        {EXAMPLES.map((example) => (
          <button key={example.goal} type="button" aria-pressed={example === chosen} onClick={() => change(example === chosen ? BLANK : example.text)}>
            <b>{example.goal}</b>
            <span>{example.kind}</span>
          </button>
        ))}
      </div>
      {needsModel ? <NoModel error={error} /> : null}
      <details className="whole-spec" open={isWhole} onToggle={(event) => setIsWhole(event.currentTarget.open)}>
        <summary>The whole spec</summary>
        <JsonField
          label="Spec"
          thing="spec"
          hint="JSON: requirements, style, agents, workflow, rules, portals. The goal alone is needed."
          rows={16}
          text={text}
          change={change}
          unreadable={unreadable}
          error={isWhole ? shownBelow : null}
          submit={() => void begin()}
        />
      </details>
      {shownBelow && !isWhole ? (
        <div className="error-note" role="alert">
          <p>{shownBelow.message}</p>
        </div>
      ) : null}
      <div className="row">
        <button type="button" onClick={close}>
          Cancel
        </button>
      </div>
    </form>
  );
}
