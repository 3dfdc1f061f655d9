import { type FormEvent, useEffect, useId, useRef, useState } from "react";
import type { Routes, WalkStep } from "../routeWire";
import type { Walk } from "./useWalk";
import { STATUSES } from "./walkText";

interface Suggestion {
  tool: string;
  status: string;
  result: string;
  question: string | null;
}

const SUGGESTED = "loreweave:suggested-step";

/** Fills the form with what a rule waits for. */
export const suggest = (suggestion: Suggestion) => window.dispatchEvent(new CustomEvent(SUGGESTED, { detail: suggestion }));

interface Props {
  routes: Routes;
  walk: Walk;
  /** What somebody might say. */
  hint: string;
  /** A sentence to begin with. */
  example?: string;
}

/** What happens next: a message at first, then what a tool returned, what the model picks, how questions are answered. */
export function StepForm({ routes, walk, hint, example }: Props) {
  const isFirst = walk.at === 0;
  const [message, setMessage] = useState("");
  const [tool, setTool] = useState("");
  const [status, setStatus] = useState("success");
  const [result, setResult] = useState("");
  const [pick, setPick] = useState("");
  const [yes, setYes] = useState<string[]>([]);
  const [isNewTurn, setNewTurn] = useState(false);
  const [trouble, setTrouble] = useState<string | null>(null);
  const first = useRef<HTMLInputElement>(null);
  const id = useId();
  const asksMessage = isFirst || isNewTurn;
  const here = walk.shown?.move.to ?? null;
  const rules = routes.rules.filter(({ edge }) => here === null || routes.edges[edge]!.from === here);
  const owned = walk.shown?.tools ?? [];
  const tools = [...new Set([...rules.map((rule) => rule.tool ?? ""), ...owned])].filter(Boolean);
  const statuses = [...new Set(rules.filter((rule) => rule.tool === tool).flatMap((rule) => rule.statuses))];
  const questions = [...new Set(routes.rules.map((rule) => rule.question ?? "").filter(Boolean))];

  useEffect(() => {
    const fill = ({ detail }: CustomEventInit<Suggestion>) => {
      if (!detail) return;
      setNewTurn(false);
      if (detail.tool) {
        setTool(detail.tool);
        setStatus(detail.status);
        setResult(detail.result);
      }
      if (detail.question) setYes((last) => [...new Set([...last, detail.question!])]);
      first.current?.focus();
    };
    window.addEventListener(SUGGESTED, fill);
    return () => window.removeEventListener(SUGGESTED, fill);
  }, []);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!asksMessage && result.trim() && !tool.trim()) {
      setTrouble("Name the tool that returned this: a result alone is nothing that rules look at.");
      first.current?.focus();
      return;
    }
    const happened: WalkStep = { answers: Object.fromEntries(yes.map((name) => [name, true])) };
    if (asksMessage) happened.message = message;
    else {
      if (tool.trim()) happened.toolResults = [{ toolName: tool.trim(), status: status || null, result }];
      if (pick) happened.pick = pick;
    }
    const refused = walk.take([...walk.steps.slice(0, walk.at), happened]);
    setTrouble(refused);
    if (refused) return;
    setTool("");
    setStatus("success");
    setResult("");
    setPick("");
    setNewTurn(false);
  };

  return (
    <form className="step-form" onSubmit={submit} aria-label="What happens next">
      {trouble ? (
        <p className="error-note" role="alert">
          {trouble}
        </p>
      ) : null}
      {asksMessage ? (
        <>
          <label>
            What the user says
            <input ref={first} type="text" value={message} placeholder={hint} onChange={(event) => setMessage(event.target.value)} />
          </label>
          {example && isFirst ? (
            <p className="step-chips" role="group" aria-label="For example">
              <button type="button" aria-pressed={message === example} onClick={() => setMessage(example)}>
                {example}
              </button>
            </p>
          ) : null}
        </>
      ) : (
        <>
          <div className="step-pair">
            <label>
              A tool returns
              <input ref={first} type="text" list={`${id}-tools`} value={tool} placeholder={tools[0] ?? "its name"} autoComplete="off" onChange={(event) => setTool(event.target.value)} />
              <datalist id={`${id}-tools`}>
                {tools.map((name) => (
                  <option key={name} value={name} />
                ))}
              </datalist>
            </label>
            <label>
              with status
              <select value={status} onChange={(event) => setStatus(event.target.value)}>
                {[...new Set([...statuses, ...STATUSES])].map((name) => (
                  <option key={name} value={name}>
                    {name}
                    {statuses.includes(name) ? " (a rule waits for it)" : ""}
                  </option>
                ))}
                <option value="">none</option>
              </select>
            </label>
          </div>
          {tools.length > 0 ? (
            <p className="step-chips" role="group" aria-label="Tools that rules here wait for">
              {tools.slice(0, 8).map((name) => (
                <button
                  key={name}
                  type="button"
                  aria-pressed={tool === name}
                  onClick={() => {
                    const rule = rules.find((one) => one.tool === name);
                    setTool(name);
                    setStatus(rule?.statuses[0] ?? "success");
                    setResult(rule?.example ?? "");
                  }}
                >
                  {name}
                </button>
              ))}
            </p>
          ) : null}
          <div className="step-pair">
          <label>
            and this result
            <input type="text" value={result} placeholder='{"amount": 120}' spellCheck={false} className="code" onChange={(event) => setResult(event.target.value)} />
          </label>
          <label>
            The model picks
            <select value={pick} onChange={(event) => setPick(event.target.value)}>
              <option value="">nothing</option>
              {walk.reachable.map((skill) => (
                <option key={skill} value={skill}>
                  {skill}
                </option>
              ))}
            </select>
          </label>
          </div>
        </>
      )}
      {questions.length > 0 ? (
        <div className="step-answers" role="group" aria-label="Answered yes">
          <span className="soft">Answered yes</span>
          {questions.map((name) => (
            <label key={name} className="step-answer">
              <input type="checkbox" checked={yes.includes(name)} onChange={(event) => setYes(event.target.checked ? [...yes, name] : yes.filter((one) => one !== name))} /> @{name}
            </label>
          ))}
        </div>
      ) : null}
      <p className="step-buttons">
        <button type="submit" className="primary">
          {isFirst ? "Start" : "Step"}
        </button>
        {isFirst ? null : (
          <button type="button" className="quiet" onClick={() => setNewTurn(!isNewTurn)}>
            {isNewTurn ? "Go on with this turn" : "The user says something new"}
          </button>
        )}
      </p>
    </form>
  );
}
