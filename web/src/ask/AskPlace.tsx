import type { PlaceProps } from "../address";
import { type ReactNode, useCallback, useEffect, useRef } from "react";
import { call, latestOf, listGraphs } from "../api";
import { EmptyWeave } from "../library/Weave";
import { readingPath } from "../read/readingPath";
import { ErrorNote } from "../shell/ErrorNote";
import { useHouse } from "../shell/house";
import { PathLink } from "../shell/Link";
import { Nowhere } from "../shell/Nowhere";
import { useQueryField } from "../shell/useAddress";
import { useFetched } from "../shell/useFetched";
import { usePageTitle } from "../shell/usePageTitle";
import { Composer } from "./Composer";
import { SourceInspector } from "./SourceInspector";
import { ThreadNames } from "./ThreadNames";
import { TurnView } from "./TurnView";
import type { ReadSource } from "./threadApi";
import { useThread } from "./useThread";
import "../styles/note.css";
import "../styles/ask.css";
import "../styles/threads.css";

/** Questions and their answers, kept as threads; without a model the same screen shows the passages. */
export default function AskPlace({ where: { address, rest } }: PlaceProps) {
  const [graphs] = useFetched("graphs", listGraphs);
  const id = rest[0] ?? null;
  const latest = latestOf(graphs.value);
  const thread = useThread(id, address.graph, latest);
  const graph = thread.graph ?? latest;
  const nameOf = (id: string) => graphs.value?.find(({ graphId }) => graphId === id)?.name ?? id;
  const called = graph && nameOf(graph);
  usePageTitle(thread.turns[0] ? `${thread.turns[0].query} · Ask` : "Ask");
  const [opened, setOpened] = useQueryField("source");
  const pathOf = useCallback(
    (source: ReadSource) => {
      if (source.kind === "memory") return `/memory/all?m=${encodeURIComponent(source.id)}`;
      const [slug = "", anchor = ""] = source.id.split("#");
      return source.kind === "section" ? readingPath(graph ?? "", slug, anchor) : `/g/${encodeURIComponent(graph ?? "")}/map?n=${encodeURIComponent(source.id)}`;
    },
    [graph],
  );
  const openSource = useCallback((turn: number, source: number) => setOpened(`${turn}.${source}`, "push"), []);
  const again = useRef(thread.ask);
  again.current = thread.ask;
  const askAgain = useCallback((query: string, number: number) => again.current(query, number), []);
  const [turnAt, sourceAt] = opened.split(".").map(Number);
  const source = opened ? thread.turns[turnAt ?? -1]?.sources[sourceAt ?? -1] : undefined;
  const [sent, setSent] = useQueryField("q");
  useEffect(() => {
    // A question that came with the address is asked once; the address of its thread takes its place.
    if (!sent || id !== null || graphs.state === "waiting") return;
    setSent("");
    again.current(sent);
  }, [sent, id, graphs.state]);
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (thread.running !== null && end.current) follow(end.current);
  }, [thread.running, thread.turns]);
  const hasNothing = graphs.state === "ready" && graphs.value.length === 0;
  const composer = thread.error || hasNothing ? null : <Composer key={id ?? ""} called={called} isFollowUp={thread.turns.length > 0} isBusy={thread.running !== null} ask={thread.ask} />;
  if (thread.error?.status === 404 || rest.length > 1) return <Nowhere said="There is no conversation of that name." to="/ask" way="Ask a new question" />;
  return (
    <main id="main" className="ask-place" tabIndex={-1}>
      <ThreadNames current={id} changed={thread.running === null ? thread.turns.length : -1} nameOf={nameOf} />
      <section className="thread" aria-label="Conversation">
        {thread.error ? (
          <>
            <ErrorNote error={thread.error} />
            <p>
              <PathLink to="/ask">Ask a new question</PathLink>
            </p>
          </>
        ) : null}
        {hasNothing && thread.turns.length === 0 ? <NothingToAsk /> : null}
        {id === null && !hasNothing ? (
          <Welcome graph={graph} called={called} ask={thread.ask}>
            {composer}
          </Welcome>
        ) : null}
        {id !== null && graph && !thread.error ? (
          <p className="thread-space soft">
            From <PathLink to={`/g/${encodeURIComponent(graph)}/map`}>{called}</PathLink>
          </p>
        ) : null}
        {thread.turns.map((turn, number) => (
          <TurnView key={number} turn={turn} number={number} graph={graph} isRunning={thread.running === number} pathOf={pathOf} openSource={openSource} again={askAgain} stop={thread.stop} />
        ))}
        <div ref={end} />
        {id === null ? null : composer}
      </section>
      {source && graph ? <SourceInspector source={source} graph={graph} path={pathOf(source)} close={() => setOpened("", "push")} /> : null}
    </main>
  );
}

/** Shows the end of an answer as it comes, until its question stands at the top: an answer is read from its beginning. */
function follow(end: HTMLElement): void {
  const room = end.closest("main")!;
  const { top, bottom } = room.getBoundingClientRect();
  const hidden = end.getBoundingClientRect().bottom + COMPOSER - bottom;
  const above = (end.previousElementSibling ?? end).getBoundingClientRect().top - top - AIR;
  room.scrollTop += Math.max(0, Math.min(hidden, above));
}

const COMPOSER = 96;
const AIR = 20;

function Welcome({ graph, called, ask, children }: { graph: string | null; called: string | null; ask: (query: string) => void; children: ReactNode }) {
  const { health } = useHouse();
  const asked = graph ? `?graph=${encodeURIComponent(graph)}` : "";
  const [fetched] = useFetched(graph ?? null, (signal) => call<{ suggestions: string[] }>(asked, { signal }, "/api/ask"));
  return (
    <div className="welcome">
      <h1>{called ? `Ask ${called}` : "Ask"}</h1>
      <p className="lead">
        {health?.model === "none"
          ? "No model is set up, so you are shown the passages that answer, with their places. LORE_MODEL=demo answers without a key."
          : "An answer is made of what your notes say, and cites it. Whatever they do not say is marked."}
      </p>
      {children}
      <ul aria-label="Questions to begin with">
        {fetched.value?.suggestions.slice(0, 4).map((text) => (
          <li key={text}>
            <button type="button" onClick={() => ask(text)}>
              {text}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

const NothingToAsk = () => (
  <div className="welcome">
    <EmptyWeave />
    <h1>There is nothing to ask yet</h1>
    <p className="lead">Answers are made of your notes.</p>
    <p>
      <PathLink to="/">Add notes to the library</PathLink>, then ask them here.
    </p>
  </div>
);
