import { readGaps } from "../api";
import { useFetched } from "../shell/useFetched";
import type { Gap } from "../wire";

const REASONS: Record<Gap["reason"], string> = {
  no_results: "nothing was found",
  not_covered: "no answer in the notes",
  unhelpful: "the answer did not help",
};
const SHOWN = 20;

/** What was asked of this graph in vain, most frequent first: what to write next. */
export function Gaps({ graphId }: { graphId: string }) {
  const [fetched] = useFetched(graphId, (signal) => readGaps(graphId, signal));
  const gaps = fetched.value;
  if (!gaps) return null; // whoever cannot read it misses nothing of the findings
  return (
    <section className="gaps" aria-labelledby="gaps-title">
      <h2 id="gaps-title">What to write next</h2>
      {gaps.length === 0 ? <p className="soft">Nothing has been asked in vain so far.</p> : null}
      <ul>
        {gaps.slice(0, SHOWN).map(({ query, reason, count }) => (
          <li key={`${reason} ${query}`}>
            <q>{query}</q> <span className="soft">{`${REASONS[reason]}${count > 1 ? `, ${count} times` : ""}`}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
