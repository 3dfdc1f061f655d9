import { type DragEvent, useCallback, useEffect, useRef, useState } from "react";
import { listGraphs } from "../api";
import { ErrorNote } from "../shell/ErrorNote";
import { PathLink } from "../shell/Link";
import { counted as many } from "../counted";
import { goTo } from "../shell/useAddress";
import type { GraphSummary } from "../wire";
import { droppedFiles, EXAMPLE, FOLDER, takeFolder } from "./routeSource";
import { outlineOf, type RouteOutline, useAnswer } from "./routeWire";

const LARGE = 2_000; // notes: counting the routes of more takes longer than opening them is worth

/** Which graph to look at. `gone` says that a folder was meant which this tab does not hold. */
export function ChooseGraph({ gone }: { gone: boolean }) {
  const [fetched, graphs, again] = useAnswer("graphs", listGraphs);
  const [counted, setCounted] = useState<ReadonlySet<string>>(new Set());
  // One after the other, the smallest first: a large graph keeps none of the others waiting.
  const next = graphs?.filter(({ graphId, nodeCount }) => nodeCount <= LARGE && !counted.has(graphId)).sort((one, other) => one.nodeCount - other.nodeCount)[0]?.graphId;
  const count = useCallback((graphId: string) => setCounted((before) => new Set(before).add(graphId)), []);
  return (
    <main id="main" className="routes-choose" tabIndex={-1}>
      <header>
        <h1>Routes</h1>
        <p className="lead">
          Which skill is an agent in, what moves it on, and why? Open skills as a map, walk through them step by step, and keep the walk as a test.
        </p>
      </header>
      {gone ? <p className="error-note">That folder was only in the tab that dropped it. Drop it again.</p> : null}
      <section aria-labelledby="routes-begin">
        <h2 id="routes-begin">Begin here</h2>
        <div className="routes-begin">
          <PathLink to={`/routes/${EXAMPLE}`} className="routes-example">
            <b>Refund desk</b>
            <span>An example with three doors, two ends and a page that only the model opens.</span>
            <span className="button primary">Try the example</span>
          </PathLink>
          <FolderZone />
        </div>
      </section>
      <section aria-labelledby="routes-library">
        <h2 id="routes-library">From your library</h2>
        {fetched.state === "failed" && fetched.error.status !== 0 ? <ErrorNote error={fetched.error} retry={again} /> : null}
        {graphs?.length === 0 ? (
          <p className="soft">
            The library is empty. <PathLink to="/">Add notes</PathLink> to see their routes here.
          </p>
        ) : null}
        {!graphs && fetched.state === "waiting" ? (
          <p className="soft" role="status">
            Reading…
          </p>
        ) : null}
        {graphs?.length ? (
          <ul className="routes-graphs">
            {graphs.map((graph) => (
              <GraphRow key={graph.graphId} graph={graph} turn={counted.has(graph.graphId) || graph.graphId === next} done={count} />
            ))}
          </ul>
        ) : null}
      </section>
    </main>
  );
}

interface RowProps {
  graph: GraphSummary;
  /** Whether its routes may be counted now. */
  turn: boolean;
  done: (graphId: string) => void;
}

function GraphRow({ graph: { graphId, nodeCount, revision }, turn, done }: RowProps) {
  const isLarge = nodeCount > LARGE;
  const [fetched, outline] = useAnswer(isLarge || !turn ? null : `${graphId} ${revision}`, (signal) => outlineOf({ graphId }, signal));
  const isOver = turn && fetched.state !== "waiting";
  useEffect(() => {
    if (isOver) done(graphId);
  }, [isOver, graphId, done]);
  const notes = many(nodeCount, "note");
  return (
    <li>
      <PathLink to={`/routes/${encodeURIComponent(graphId)}`}>{graphId}</PathLink>
      {outline ? (
        <p className="soft">
          <Outlined outline={outline} />
        </p>
      ) : isLarge ? (
        <p className="soft">{notes}: open it to see its routes.</p>
      ) : fetched.state === "failed" && fetched.error.status !== 0 ? (
        <p className="soft">{fetched.error.message}</p>
      ) : (
        <p className="soft routes-counting">
          {turn ? <progress aria-label={`Reading the routes of ${graphId}`} /> : null}
          {notes}
          {turn ? ": reading what leads where" : ""}
        </p>
      )}
    </li>
  );
}


function Outlined({ outline }: { outline: RouteOutline }) {
  const { skills, rules, links, entries, ends, errors, kind, entryBy } = outline;
  const routes = rules > 0 || kind === "tree";
  return (
    <>
      <span className={`routes-badge ${routes ? "routed" : ""}`}>{kind === "tree" ? "a tree of questions" : routes ? "routes by rules" : "links only"}</span>{" "}
      {routes
        ? `${many(skills, "skill")}, ${many(rules, "rule")}, ${many(entries, "way in", "ways in")}, ${many(ends, "end")}.`
        : `${many(skills, "note")}, ${many(links, "link")}: nothing moves by itself, a model picks${entryBy === "read" ? " where it begins, too" : ""}.`}
      {errors > 0 ? <strong className="routes-errors"> {many(errors, "error")}</strong> : null}
    </>
  );
}

function FolderZone() {
  const [over, setOver] = useState(false);
  const [trouble, setTrouble] = useState<string | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const take = async (files: { path: string; file: File }[]) => {
    const sentence = await takeFolder(files);
    setTrouble(sentence);
    if (sentence === null) goTo(`/routes/${FOLDER}`);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    void droppedFiles(event.dataTransfer).then(take);
  };
  return (
    <div
      className={`routes-drop ${over ? "over" : ""}`}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <b>Your own skills</b>
      <span>Drop a folder of skills here. It is looked at, not stored: it stays in this tab.</span>
      <button type="button" onClick={() => input.current?.click()}>
        Choose a folder
      </button>
      <input
        ref={input}
        type="file"
        className="unseen"
        tabIndex={-1}
        aria-label="A folder of skills"
        multiple
        {...{ webkitdirectory: "" }}
        onChange={(event) => void take([...(event.target.files ?? [])].map((file) => ({ path: file.webkitRelativePath || file.name, file })))}
      />
      {trouble ? (
        <p className="error-note" role="alert">
          {trouble}
        </p>
      ) : null}
    </div>
  );
}
