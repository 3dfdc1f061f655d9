import type { PlaceProps } from "../App";
import { listGraphs } from "../api";
import { ErrorNote } from "../shell/ErrorNote";
import { GraphPage } from "../shell/GraphPage";
import { PathLink } from "../shell/Link";
import { useFetched } from "../shell/useFetched";
import { usePageTitle } from "../shell/usePageTitle";
import "../styles/graph.css";
import "../styles/note.css";
import "../styles/ask.css";

export default function AskPlace({ where: { address } }: PlaceProps) {
  usePageTitle("Ask");
  const [fetched, again] = useFetched(address.graph ? null : "graphs", listGraphs);
  const graph = address.graph || fetched.value?.[0]?.graphId;
  if (graph) return <GraphPage key={graph} address={{ ...address, graph }} />;
  return (
    <main id="main" className="centred" tabIndex={-1}>
      {fetched.state === "failed" ? <ErrorNote error={fetched.error} retry={again} /> : null}
      {fetched.state === "ready" ? (
        <>
          <p className="lead">There is nothing to ask yet.</p>
          <p>
            <PathLink to="/">Add notes to the library</PathLink>, then ask them here.
          </p>
        </>
      ) : null}
    </main>
  );
}
