import { type ChangeEvent, useEffect, useRef, useState } from "react";
import { EXAMPLE } from "../routeSource";
import type { Routes, WalkStep } from "../routeWire";
import { StepForm } from "./StepForm";
import type { Walk } from "./useWalk";
import { inShort, readTest, testFile } from "./walkText";
import { WhyTable } from "./WhyTable";

interface Props {
  routes: Routes;
  walk: Walk;
  name: string;
  graph: string;
  openRule: (edge: number) => void;
}

/** The form at the left, at the right what came of it: the trace, the reasons, the test. */
export function Simulator({ routes, walk, name, graph, openRule }: Props) {
  const { shown, steps, at } = walk;
  const words = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    // Where the answer comes below the form, whoever takes a step sees it.
    if (document.activeElement?.closest(".step-form")) words.current?.scrollIntoView({ block: "nearest" });
  }, [shown]);
  return (
    <div className="routes-walk">
      <StepForm routes={routes} walk={walk} hint="What somebody asks first" example={graph === EXAMPLE ? "I was charged twice for one lamp" : undefined} />
      <div className="walk-told">
        <Trace walk={walk} name={name} graph={graph} />
        <p ref={words} className="walk-words" role="status">
          {shown ? shown.told : steps.length === 0 ? "Say what the user says, and see where the graph begins." : at === 0 ? "Before the first step." : ""}
        </p>
        {walk.trouble ? (
          <p className="error-note" role="alert">
            {walk.trouble}
          </p>
        ) : null}
        {shown && Object.keys(shown.state).length > 0 ? (
          <p className="soft">
            Carried along: <code>{JSON.stringify(shown.state)}</code>
          </p>
        ) : null}
        {shown ? <WhyTable routes={routes} considered={shown.considered} openRule={openRule} /> : null}
      </div>
    </div>
  );
}

function Trace({ walk, name, graph }: { walk: Walk; name: string; graph: string }) {
  const { steps, walked, at } = walk;
  const [said, setSaid] = useState("");
  const [expected, setExpected] = useState<WalkStep[]>([]);
  const input = useRef<HTMLInputElement>(null);
  const save = () => {
    const title = `${name}: ${inShort(steps[0]!)}`;
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([testFile(title, graph, steps, walked)], { type: "application/json" }));
    link.download = `${(name.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? ["route"]).join("-")}.route.json`;
    link.click();
    window.setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
    setSaid(`Saved. Replay it with: lore route replay ${link.download} FOLDER`);
  };
  const openTest = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [file] = target.files ?? [];
    target.value = ""; // the same file is another one once it was written to
    if (!file) return;
    const read = readTest(await file.text());
    const refused = typeof read === "string" ? read : walk.take(read);
    setSaid(refused ?? "");
    setExpected(refused === null && typeof read !== "string" ? read : []);
  };
  const verdicts = expected.length > 0 && expected.length === steps.length ? walked.map((step, number) => leadsWhere(step.move, expected[number]!)) : [];
  const broken = verdicts.indexOf(false);
  return (
    <div className="walk-trace">
      {steps.length > 0 ? (
        <ol aria-label="Steps so far">
          {steps.map((step, number) => (
            <li key={number}>
              <button type="button" aria-current={at === number + 1 ? "step" : undefined} title={walked[number]?.told} onClick={() => walk.scrub(number + 1)}>
                <b>{walked[number]?.move.leaf ?? walked[number]?.move.to ?? "…"}</b>
                <span>{inShort(step)}</span>
                {verdicts[number] === false ? <em>was {expected[number]!.expect?.skill ?? "nowhere"}</em> : null}
              </button>
            </li>
          ))}
        </ol>
      ) : null}
      <div className="walk-tools">
        {steps.length > 0 ? (
          <>
            <button type="button" disabled={at === 0} onClick={() => walk.scrub(at - 1)}>
              Step back
            </button>
            <input type="range" aria-label="Step shown" aria-valuetext={`step ${at} of ${steps.length}`} min={0} max={steps.length} value={at} onChange={(event) => walk.scrub(Number(event.target.value))} />
            <span className="count">
              {at} of {steps.length}
            </span>
            <button type="button" disabled={walked.length !== steps.length} onClick={save}>
              Save as test
            </button>
            <button type="button" className="quiet" onClick={() => walk.take([])}>
              Begin anew
            </button>
          </>
        ) : null}
        <button type="button" className={steps.length > 0 ? "quiet" : undefined} onClick={() => input.current?.click()}>
          Open a test
        </button>
        <input ref={input} type="file" accept=".json,application/json" className="unseen" tabIndex={-1} aria-label="A saved test" onChange={openTest} />
      </div>
      <p className="walk-said" role="status">
        {said || (verdicts.length > 0 ? (broken < 0 ? "The test holds: every step leads where it did." : `The test fails at step ${broken + 1}.`) : "")}
      </p>
    </div>
  );
}

function leadsWhere({ to, leaf, by }: { to: string | null; leaf: string | null; by: string }, { expect }: WalkStep): boolean {
  if (!expect) return true;
  return (by === "tree" || leaf ? leaf : to) === expect.skill && (expect.by == null || expect.by === by);
}
