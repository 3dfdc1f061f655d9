import { useEffect, useMemo, useRef, useState } from "react";
import { counted } from "../../counted";
import { type Address, budgetFrom, HOME } from "../../address";
import { exportGraph } from "../../api";
import { ErrorNote } from "../../shell/ErrorNote";
import { modelOf } from "../../shell/graphModel";
import { Link } from "../../shell/Link";
import { useQueryField } from "../../shell/useAddress";
import { useFetched } from "../../shell/useFetched";
import { PackAccount } from "./PackAccount";
import { BUDGET_STOPS, nearestStop } from "./pack";
import { usePack } from "./usePack";

/** Folded below every answer: what an agent is given for this question, which sections, why, and what was left out. Which one is open stands in the address. */
export function WhatWasRead({ graph, query, turn }: { graph: string; query: string; turn: number }) {
  const [opened, open] = useQueryField("read");
  const isOpen = opened === String(turn);
  const [wanted, setWanted] = useState(isOpen);
  const box = useRef<HTMLDetailsElement>(null);
  const [isAimed, setIsAimed] = useState(isOpen); // whoever came by its address came for this
  const come = () => {
    if (isAimed) box.current?.scrollIntoView();
    setIsAimed(false);
  };
  useEffect(() => {
    if (isOpen) setWanted(true);
  }, [isOpen]);
  const follow = (nowOpen: boolean) => {
    if (nowOpen === isOpen) return;
    if (nowOpen) box.current?.scrollIntoView(); // what unfolds would lie below, behind the next question
    setIsAimed(nowOpen);
    open(nowOpen ? String(turn) : "", "push");
  };
  return (
    <details ref={box} className="what-was-read" open={isOpen} onToggle={(event) => follow(event.currentTarget.open)}>
      <summary>What an agent would read for this</summary>
      {wanted ? <Pack graph={graph} query={query} come={come} /> : null}
    </details>
  );
}

function Pack({ graph, query, come }: { graph: string; query: string; come: () => void }) {
  const [walks, setHow] = useQueryField("how");
  const [told, setBudget] = useQueryField("budget");
  const how: Address["how"] = walks === "traverse" ? "traverse" : "context";
  const budget = budgetFrom(told);
  const address = { ...HOME, graph, view: "pack" as const, query, how, budget };
  const pack = usePack(address);
  const [fetched] = useFetched(graph, (signal) => exportGraph(graph, signal));
  const model = useMemo(() => (fetched.value ? modelOf(fetched.value) : null), [fetched.value]);
  const account = pack.value;
  const isThere = account !== undefined && model !== null;
  useEffect(() => {
    if (isThere) come();
  }, [isThere]);
  return (
    <div className="read-account">
      <div className="row">
        <label>
          Budget{" "}
          <input type="range" min={0} max={BUDGET_STOPS.length - 1} step={1} value={nearestStop(budget)} aria-valuetext={`${budget.toLocaleString("en")} tokens`} onChange={(event) => setBudget(budgetText(BUDGET_STOPS[event.target.valueAsNumber] ?? budget))} />
        </label>
        <span className="soft">{budget.toLocaleString("en")} tokens</span>
        <label>
          <input type="radio" checked={how === "context"} onChange={() => setHow("")} /> Pack
        </label>
        <label>
          <input type="radio" checked={how === "traverse"} onChange={() => setHow("traverse")} /> Walk
        </label>
        <Link to={address}>See it on the map</Link>
      </div>
      {pack.state === "failed" ? <ErrorNote error={pack.error} /> : null}
      {fetched.state === "failed" ? <ErrorNote error={fetched.error} /> : null}
      {account && model ? (
        <>
          <p role="status">
            Read {account.telemetry.nodesLoaded.toLocaleString("en")} of {counted(model.nodes.length, "note")} · {account.telemetry.tokensUsed.toLocaleString("en")} of{" "}
            {account.telemetry.tokenBudget.toLocaleString("en")} tokens
          </p>
          <PackAccount model={model} pack={account} waiting={pack.state === "waiting"} />
        </>
      ) : pack.state !== "failed" ? (
        <p className="soft" role="status">
          Choosing notes…
        </p>
      ) : null}
    </div>
  );
}

const budgetText = (budget: number) => (budget === HOME.budget ? "" : String(budget));
