import { type FormEvent, useId, useLayoutEffect, useRef, useState } from "react";
import { ApiError } from "../api";
import { ErrorNote } from "../shell/ErrorNote";
import { answerGate } from "../sessions/sessionApi";
import type { Gate } from "./buildStory";

const LONGEST = 5_000;

/** A decision. It leaves the page when the log says it was made, whoever made it. */
export function GateForm({ session, gate }: { session: string; gate: Gate }) {
  const [feedback, setFeedback] = useState("");
  const [sent, setSent] = useState<"approved" | "rejected" | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  const form = useRef<HTMLFormElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const element = form.current;
    // Whoever stood in the form goes on at the title, not at the top of the page.
    return () => {
      if (element?.contains(document.activeElement)) document.getElementById("session-title")?.focus({ preventScroll: true });
    };
  }, []);
  const decide = async (approved: boolean) => {
    if (sent) return;
    setError(null);
    setSent(approved ? "approved" : "rejected");
    try {
      await answerGate(session, { gate_id: gate.gateId, approved, feedback: feedback.trim() });
    } catch (failure) {
      setSent(null);
      setError(failure instanceof ApiError ? failure : new ApiError("The decision could not be sent.", "page_fault", 0));
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void decide(true);
  };
  return (
    <form ref={form} className="question gate" aria-labelledby={`${id}-title`} aria-busy={sent !== null} onSubmit={submit}>
      <p id={`${id}-title`} className="gate-question">
        {gate.question}
      </p>
      {gate.context ? <p className="gate-context soft">{gate.context}</p> : null}
      <label className="own-words">
        <span className="soft">Anything to say about it? If you reject, it is done over with this in mind.</span>
        <textarea rows={2} maxLength={LONGEST} value={feedback} onChange={(event) => setFeedback(event.target.value)} />
      </label>
      {error ? <ErrorNote error={error} /> : null}
      <div className="row">
        <button type="submit" className="primary" aria-disabled={sent !== null}>
          {sent === "approved" ? "Sent…" : "Approve"}
        </button>
        <button type="button" aria-disabled={sent !== null} onClick={() => void decide(false)}>
          {sent === "rejected" ? "Sent…" : "Reject"}
        </button>
      </div>
    </form>
  );
}
