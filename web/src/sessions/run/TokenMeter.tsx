import type { Story } from "../sessionStory";

const COST = new Intl.NumberFormat("en", { style: "currency", currency: "USD", maximumFractionDigits: 4 });

/** What was spent, against what may be. */
export function TokenMeter({ tokens, budget, isBuild }: { tokens: Story["tokens"]; budget: number | null; isBuild: boolean }) {
  const total = tokens.input + tokens.output;
  // A plan that no agent works for spends nothing, and nothing is to be told.
  if (total === 0 && !isBuild) return null;
  const share = budget ? Math.min(1, total / budget) : 0;
  return (
    <p className="tokens">
      <span>
        <b>{total.toLocaleString("en")}</b>
        {budget ? ` of ${budget.toLocaleString("en")}` : ""} tokens
      </span>
      {budget ? <meter aria-label="Share of the token budget" min={0} max={1} high={0.8} optimum={0} value={share} /> : null}
      <span className="soft">
        {tokens.input.toLocaleString("en")} read, {tokens.output.toLocaleString("en")} written
        {tokens.cost > 0 ? ` · ${COST.format(tokens.cost)}` : ""}
      </span>
    </p>
  );
}
