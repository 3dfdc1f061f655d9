import { useMemo, useState } from "react";
import { HOME } from "../../address";
import { exportGraph } from "../../api";
import { ErrorNote } from "../../shell/ErrorNote";
import { modelOf } from "../../shell/graphModel";
import { Link } from "../../shell/Link";
import { useFetched } from "../../shell/useFetched";
import { PackAccount } from "./PackAccount";
import { BUDGET_STOPS, nearestStop } from "./pack";
import { usePack } from "./usePack";

/** Folded below every answer: what an agent is given for this question, which sections, why, and what was left out. */
export function WhatWasRead({ graph, query }: { graph: string; query: string }) {
  const [wanted, setWanted] = useState(false);
  return (
    <details className="what-was-read" onToggle={(event) => event.currentTarget.open && setWanted(true)}>
      <summary>What an agent would read for this</summary>
      {wanted ? <Pack graph={graph} query={query} /> : null}
    </details>
  );
}

function Pack({ graph, query }: { graph: string; query: string }) {
  const [how, setHow] = useState<"context" | "traverse">("context");
  const [budget, setBudget] = useState(HOME.budget);
  const address = { ...HOME, graph, view: "pack" as const, query, how, budget };
  const pack = usePack(address);
  const [fetched] = useFetched(graph, (signal) => exportGraph(graph, signal));
  const model = useMemo(() => (fetched.value ? modelOf(fetched.value) : null), [fetched.value]);
  const account = pack.value;
  return (
    <div className="read-account">
      <div className="row">
        <label>
          Budget{" "}
          <input type="range" min={0} max={BUDGET_STOPS.length - 1} step={1} value={nearestStop(budget)} aria-valuetext={`${budget} tokens`} onChange={(event) => setBudget(BUDGET_STOPS[event.target.valueAsNumber] ?? budget)} />
        </label>
        <span className="soft">{budget.toLocaleString("en")} tokens</span>
        <label>
          <input type="radio" checked={how === "context"} onChange={() => setHow("context")} /> Pack
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
            Read {account.telemetry.nodesLoaded.toLocaleString("en")} of {model.nodes.length.toLocaleString("en")} notes · {account.telemetry.tokensUsed.toLocaleString("en")} of{" "}
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
