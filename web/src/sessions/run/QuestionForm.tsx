import { type FormEvent, useId, useLayoutEffect, useRef, useState } from "react";
import { ApiError } from "../../api";
import { ErrorNote } from "../../shell/ErrorNote";
import { answerStep, answerTask } from "../sessionApi";
import type { AskedQuestion } from "../sessionStory";
import type { Question } from "../sessionWire";

interface Draft {
  chosen: string[];
  text: string;
}

const EMPTY: Draft = { chosen: [], text: "" };

const isAnswered = ({ chosen, text }: Draft) => chosen.length > 0 || text.trim() !== "";

function answerOf(question: Question, { chosen, text }: Draft): string | string[] {
  const written = text.trim();
  if (question.multiSelect) return written ? [...chosen, written] : chosen;
  return written || chosen[0]!;
}

/** An open question. It leaves the page when the log says it is closed, whoever closed it. */
export function QuestionForm({ session, asked }: { session: string; asked: AskedQuestion }) {
  const [drafts, setDrafts] = useState<Draft[]>(() => asked.questions.map(() => EMPTY));
  const [missing, setMissing] = useState(false);
  const [sent, setSent] = useState(false);
  const [error, setError] = useState<ApiError | null>(null);
  const form = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => {
    const element = form.current;
    // Whoever stood in the form goes on at the title, not at the top of the page.
    return () => {
      if (element?.contains(document.activeElement)) document.getElementById("session-title")?.focus({ preventScroll: true });
    };
  }, []);
  const change = (index: number, draft: Draft) => {
    setDrafts(drafts.map((each, at) => (at === index ? draft : each)));
    setMissing(false);
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (sent) return;
    setError(null);
    const gap = drafts.findIndex((draft) => !isAnswered(draft));
    setMissing(gap >= 0);
    if (gap >= 0) {
      form.current?.querySelectorAll("fieldset")[gap]?.querySelector("input")?.focus();
      return;
    }
    setSent(true); // nothing is disabled meanwhile: that would take the focus away
    const answers = Object.fromEntries(asked.questions.map((question, index) => [question.header, answerOf(question, drafts[index]!)]));
    try {
      const { kind, id } = asked.asker;
      if (kind === "step") await answerStep(session, { step_id: id, question_id: asked.questionId, answers });
      else await answerTask(session, { task_id: id, question_id: asked.questionId, answers });
    } catch (failure) {
      setSent(false);
      setError(failure instanceof ApiError ? failure : new ApiError("The answer could not be sent.", "page_fault", 0));
    }
  };
  return (
    <form ref={form} className="question" aria-label={`Question of ${asked.asker.kind} ${asked.asker.id}`} noValidate aria-busy={sent} onSubmit={submit}>
      {asked.questions.map((question, index) => (
        <QuestionFields key={index} question={question} draft={drafts[index]!} change={(draft) => change(index, draft)} />
      ))}
      {missing ? (
        <p className="missing" role="alert">
          Choose an option, or write an answer.
        </p>
      ) : null}
      {error ? <ErrorNote error={error} /> : null}
      <button type="submit" className="primary" aria-disabled={sent}>
        {sent ? "Sent…" : "Answer"}
      </button>
    </form>
  );
}

interface FieldsProps {
  question: Question;
  draft: Draft;
  change: (draft: Draft) => void;
}

function QuestionFields({ question, draft, change }: FieldsProps) {
  const id = useId();
  const choose = (label: string, isOn: boolean) => {
    if (!question.multiSelect) change({ chosen: [label], text: "" });
    else change({ ...draft, chosen: isOn ? [...draft.chosen, label] : draft.chosen.filter((each) => each !== label) });
  };
  const write = (text: string) => change({ text, chosen: question.multiSelect || !text.trim() ? draft.chosen : [] });
  return (
    <fieldset>
      <legend>
        {question.header ? <span className="soft">{question.header}</span> : null}
        <span>{question.question}</span>
      </legend>
      {question.options.map((option, index) => (
        <label key={index} className="option">
          <input
            type={question.multiSelect ? "checkbox" : "radio"}
            name={id}
            checked={draft.chosen.includes(option.label)}
            onChange={(event) => choose(option.label, event.target.checked)}
          />
          <span>
            {option.label || "(empty)"}
            {option.description ? <small className="soft">{option.description}</small> : null}
          </span>
        </label>
      ))}
      <label className="own-words">
        <span className="soft">{question.options.length > 0 ? "or in your own words" : "Your answer"}</span>
        <input type="text" autoComplete="off" value={draft.text} onChange={(event) => write(event.target.value)} />
      </label>
    </fieldset>
  );
}
