import { useState } from "react";
import { listGraphs } from "../api";
import { ErrorNote } from "../shell/ErrorNote";
import { useFetched } from "../shell/useFetched";
import type { IngestAnswer } from "../wire";
import { GraphTable } from "./GraphTable";
import { IngestFindings } from "./IngestFindings";
import { IngestPanel } from "./IngestPanel";
import { EmptyWeave } from "./Weave";
import { type Ingest, useIngest } from "./useIngest";

export function LibraryPage() {
  const [fetched, again] = useFetched("graphs", listGraphs);
  const [ingested, setIngested] = useState<IngestAnswer | null>(null);
  const ingest = useIngest(
    () => setIngested(null),
    (answer) => {
      setIngested(answer);
      again();
    },
  );
  const graphs = fetched.value;
  const hasDemo = graphs?.some(({ graphId }) => graphId === "demo") ?? true;
  return (
    <main id="main" className="library" tabIndex={-1}>
      <section className="graphs" aria-labelledby="graphs-title">
        <h1 id="graphs-title">Your graphs</h1>
        {graphs?.length ? <p className="library-lead soft">Folders of linked notes, each a map to look at, read, ask and mend.</p> : null}
        {fetched.state === "failed" ? <ErrorNote error={fetched.error} retry={again} /> : null}
        {graphs?.length ? <GraphTable
            graphs={graphs}
            changed={again}
            readIn={(answer) => {
              setIngested(answer);
              again();
            }}
          /> : null}
        {graphs?.length === 0 ? <NoGraphs ingest={ingest} /> : null}
        {fetched.state === "waiting" && !graphs ? (
          <p className="soft" role="status">
            Reading…
          </p>
        ) : null}
      </section>
      <section className="ingest" aria-labelledby="ingest-title">
        <h2 id="ingest-title">Add notes</h2>
        <IngestPanel ingest={ingest} offersDemo={!hasDemo && graphs?.length !== 0} />
        {ingested ? <IngestFindings answer={ingested} readAt={(basePath) => ingest.readAt(ingested.graphId, basePath)} /> : null}
      </section>
    </main>
  );
}

function NoGraphs({ ingest }: { ingest: Ingest }) {
  return (
    <div className="empty">
      <EmptyWeave />
      <p className="lead">No graph yet.</p>
      <p>Loreweave makes a map of a folder of notes. You read it, ask it and mend its broken links here, and agents use it beside you.</p>
      <p>
        Drop a folder or a ZIP of linked markdown notes, or name a GitHub repository. Every <code>.md</code> file becomes a note, every{" "}
        <code>[[link]]</code> a line.
      </p>
      <p>To look round first, take the notes that come with Loreweave.</p>
      <button type="button" className="primary" disabled={ingest.progress !== null} onClick={ingest.sendDemo}>
        Load the demo graph
      </button>
    </div>
  );
}
