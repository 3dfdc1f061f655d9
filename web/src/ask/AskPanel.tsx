import { type FormEvent, useEffect, useState } from "react";
import { counted } from "../counted";
import { type Address, MAX_BUDGET } from "../address";
import { ErrorNote } from "../shell/ErrorNote";
import type { GraphModel } from "../shell/graphModel";
import { go } from "../shell/useAddress";
import type { Fetched } from "../shell/useFetched";
import { PackAccount } from "./pack/PackAccount";
import { BUDGET_STOPS, nearestStop, type Pack } from "./pack/pack";
import { isAsked } from "./pack/usePack";

interface Props {
  model: GraphModel;
  address: Address;
  pack: Fetched<Pack>;
}

export function AskPanel({ model, address, pack }: Props) {
  const [words, setWords] = useState(address.query);
  useEffect(() => setWords(address.query), [address.query]);
  const walks = address.how === "traverse";
  const submit = (event: FormEvent) => {
    event.preventDefault();
    go({ query: words.trim() });
  };
  return (
    <section className="ask" aria-label="Ask">
      <form onSubmit={submit}>
        <label htmlFor="ask-words">{walks ? "Walk the links, looking for" : "What do you need to know?"}</label>
        <div className="ask-row">
          <input
            id="ask-words"
            type="text"
            maxLength={10_000}
            required={!walks}
            value={words}
            placeholder={walks ? "words to look for (may be empty)" : "a question, in your own words"}
            onChange={(event) => setWords(event.target.value)}
          />
          <button type="submit" className="primary">
            {walks ? "Walk" : "Pack"}
          </button>
        </div>
        <fieldset className="how">
          <legend className="unseen">How to answer</legend>
          <How value="context" current={address.how} name="Pack" hint="best notes of the whole graph" />
          <How value="traverse" current={address.how} name="Walk" hint="along the links from a start" />
        </fieldset>
        {walks ? <StartChoice model={model} start={address.start} /> : null}
        <Budget budget={address.budget} />
      </form>
      <Answer model={model} address={address} pack={pack} />
    </section>
  );
}

function How({ value, current, name, hint }: { value: Address["how"]; current: Address["how"]; name: string; hint: string }) {
  return (
    <label>
      <input type="radio" name="how" checked={value === current} onChange={() => go({ how: value }, "replace")} />
      <span>
        {name} <small>{hint}</small>
      </span>
    </label>
  );
}

function StartChoice({ model, start }: { model: GraphModel; start: string }) {
  return (
    <label className="start">
      <span>Start</span>
      <select value={start} onChange={(event) => go({ start: event.target.value }, "replace")}>
        <option value="">best entry for the words</option>
        {[...model.nodes]
          .sort((a, b) => a.name.localeCompare(b.name, "en"))
          .map((node) => (
            <option key={node.id} value={node.id}>
              {node.name}
            </option>
          ))}
      </select>
    </label>
  );
}

function Budget({ budget }: { budget: number }) {
  const choose = (value: number) => go({ budget: Math.max(0, Math.min(MAX_BUDGET, Math.round(value) || 0)) }, "replace");
  return (
    <div className="budget">
      <label htmlFor="budget-slider">Token budget</label>
      <input
        id="budget-slider"
        type="range"
        min={0}
        max={BUDGET_STOPS.length - 1}
        step={1}
        value={nearestStop(budget)}
        aria-valuetext={counted(budget, "token")}
        onChange={(event) => choose(BUDGET_STOPS[event.target.valueAsNumber] ?? budget)}
      />
      <input
        type="number"
        aria-label="Token budget as a number"
        min={0}
        max={MAX_BUDGET}
        step={1}
        value={budget}
        onChange={(event) => choose(event.target.valueAsNumber)}
      />
    </div>
  );
}

function Answer({ model, address, pack }: Props) {
  if (!isAsked(address)) {
    return (
      <p className="soft">
        The answer is a pack: whole notes and the passages that matter, chosen so that together they never exceed the budget.
        The map shows which notes were taken.
      </p>
    );
  }
  if (pack.state === "failed") return <ErrorNote error={pack.error} />;
  if (!pack.value) {
    return (
      <p className="soft" role="status">
        Choosing notes…
      </p>
    );
  }
  return <PackAccount model={model} pack={pack.value} waiting={pack.state === "waiting"} />;
}
