import { type ReactNode, useEffect, useRef, useState } from "react";
import { counted } from "../counted";
import { HOME } from "../address";
import { ApiError, deleteGraph, listCards, readAgain, watchGraph } from "../api";
import { askHouseAgain } from "../shell/house";
import { ErrorNote } from "../shell/ErrorNote";
import { Link } from "../shell/Link";
import { useQueryField } from "../shell/useAddress";
import { useFetched } from "../shell/useFetched";
import type { GraphCard, GraphSummary, IngestAnswer } from "../wire";
import { MapPicture } from "./MapPicture";
import { RenameForm } from "./RenameForm";
import { useFirstPictures } from "./useFirstPictures";


const WHEN = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

function when(text: string): string {
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? text : WHEN.format(time);
}

interface Props {
  graphs: GraphSummary[];
  changed: () => void;
  readIn: (answer: IngestAnswer) => void;
}

const UNDO_MS = 8_000;
const LOOK_MS = 3_000; // while a folder is watched
const WATCH_WORDS = {
  watching: "Its folder is watched: changes are read by themselves.",
  gone: "Its folder is gone. What was read stays, and it is read again when the folder is back.",
  waiting: "Its folder is not watched now: that takes a server that is open on this computer alone.",
};

export function GraphTable({ graphs, changed, readIn }: Props) {
  const [cards, look] = useFetched(graphs.map(({ graphId, revision }) => `${graphId} ${revision}`).join("\n"), listCards);
  const byId = new Map(cards.value?.map((card) => [card.graphId, card]));
  const pictures = useFirstPictures(graphs, byId);
  const [doomed, setDoomed] = useState<GraphSummary | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  const [busy, setBusy] = useState("");
  const tell = (failure: unknown) => setError(failure instanceof ApiError ? failure : new ApiError("That could not be done.", "page_fault", 0));
  const isWatched = cards.value?.some(({ watch }) => watch) ?? false;
  const latest = useRef(changed);
  latest.current = changed;
  useEffect(() => {
    if (!isWatched) return;
    const timer = window.setInterval(() => {
      if (document.hidden) return;
      latest.current();
      look();
    }, LOOK_MS);
    return () => window.clearInterval(timer);
  }, [isWatched, look]);
  const watch = (graphId: string, watching: boolean) => watchGraph(graphId, watching).then(look, tell);
  const [asked, ask] = useQueryField("rename"); // ⌘K asks for it by the address
  const renamed = (isChanged: boolean) => {
    ask("");
    if (isChanged) changed();
  };
  const again = async (graphId: string) => {
    setBusy(graphId);
    setError(null);
    try {
      readIn(await readAgain(graphId));
    } catch (failure) {
      tell(failure);
    } finally {
      setBusy("");
    }
  };
  // Cards come whole: one that grew while it is looked at would push the others away.
  if (!cards.value && cards.state === "waiting") {
    return (
      <p className="soft" role="status">
        Reading…
      </p>
    );
  }
  return (
    <>
      {error ? <ErrorNote error={error} /> : null}
      <ul className="graph-cards">
        {graphs
          .filter(({ graphId }) => graphId !== doomed?.graphId)
          .map((graph) => (
            <Card key={graph.graphId} graph={graph} picture={pictures.get(graph.graphId) ?? byId.get(graph.graphId)?.picture ?? []} card={byId.get(graph.graphId)} busy={busy === graph.graphId} again={again} watch={watch} remove={setDoomed} rename={ask}>
              {asked === graph.graphId ? <RenameForm graph={graph} done={renamed} fail={tell} /> : null}
            </Card>
          ))}
      </ul>
      {doomed ? <UndoToast key={doomed.graphId} graph={doomed} end={() => setDoomed(null)} changed={changed} fail={tell} /> : null}
    </>
  );
}

interface CardProps {
  graph: GraphSummary;
  card: GraphCard | undefined;
  picture: number[][];
  busy: boolean;
  again: (graphId: string) => void;
  watch: (graphId: string, watching: boolean) => void;
  remove: (graph: GraphSummary) => void;
  rename: (graphId: string) => void;
  /** The form for its name, while it is asked for. */
  children: ReactNode;
}

function Card({ graph, card, picture, busy, again, watch, remove, rename, children }: CardProps) {
  const renamer = useRef<HTMLButtonElement>(null);
  const isNamed = children !== null;
  const wasNamed = useRef(isNamed);
  useEffect(() => {
    if (wasNamed.current && !isNamed) renamer.current?.focus({ preventScroll: true });
    wasNamed.current = isNamed;
  }, [isNamed]);
  const source = card?.source;
  const repairs = Object.entries(card?.deductions ?? {})
    .map(([kind, points]) => [kind, Math.min(points, 100 - graph.score)] as const)
    .filter(([, points]) => points > 0)
    .sort(([, a], [, b]) => b - a)
    .slice(0, 2);
  return (
    <li>
      <MapPicture graph={graph} places={picture} />
      <div className="card-text">
        <Score score={graph.score} />
        <div>
          {children ?? (
            <Link className="row-link" to={{ ...HOME, graph: graph.graphId }}>
              {graph.name ?? graph.graphId}
            </Link>
          )}
          <p>
            {graph.name ? <code className="soft">{graph.graphId} </code> : null}
            {counted(graph.nodeCount, "note")} · {counted(graph.edgeCount, "link")} · <span>revision {graph.revision}</span>
            {graph.kind === "skill" ? "" : ` · ${graph.kind}`}
          </p>
          <p className="soft">
            read {when(graph.ingestedAt)}
            {source?.where ? (
              <>
                {" from "}
                <span title={source.where}>{source.where.replace(/^https:\/\//, "")}</span>
              </>
            ) : null}
          </p>
          {card?.watch ? (
            <p className={card.watch.state === "watching" && !card.watch.told ? "soft" : "card-trouble"} role="status">
              {card.watch.told || WATCH_WORDS[card.watch.state]}
            </p>
          ) : null}
          {repairs.length > 0 ? (
            <p className="card-repairs">
              Raise the score:{" "}
              {repairs.map(([kind, points], index) => (
                <span key={kind}>
                  <Link to={{ ...HOME, graph: graph.graphId, view: "health" }}>
                    {REPAIRS[kind] ?? kind} (+{points})
                  </Link>
                  {index < repairs.length - 1 ? ", " : ""}
                </span>
              ))}
            </p>
          ) : null}
        </div>
      </div>
      <div className="card-actions">
        {source && source.kind !== "zip" ? (
          <button type="button" className="quiet" disabled={busy} aria-label={`Read again: ${graph.graphId}`} onClick={() => again(graph.graphId)}>
            {busy ? "Reading…" : "Read again"}
          </button>
        ) : null}
        {source?.kind === "folder" ? (
          <button type="button" className="quiet" aria-label={`Watch the folder of ${graph.graphId}`} aria-pressed={card?.watch != null} onClick={() => watch(graph.graphId, !card?.watch)}>
            {card?.watch ? "Watching" : "Watch"}
          </button>
        ) : null}
        <button ref={renamer} type="button" className="quiet" aria-label={`Rename ${graph.graphId}`} onClick={() => rename(graph.graphId)}>
          Rename
        </button>
        <a className="quiet-link" href={`/api/skillgraph/export?graphId=${encodeURIComponent(graph.graphId)}&format=graphml`} aria-label={`Export ${graph.graphId} as GraphML`} download>
          Export
        </a>
        <button type="button" className="quiet" aria-label={deleteLabel(graph)} onClick={() => remove(graph)}>
          Delete
        </button>
      </div>
    </li>
  );
}

const REPAIRS: Record<string, string> = {
  brokenLinks: "mend links",
  missingDescriptions: "describe notes",
  missingTypes: "add types",
  missingDomains: "add domains",
  orphans: "link orphans",
  circularOnly: "link pairs with others",
};

const deleteLabel = ({ graphId }: GraphSummary) => `Delete ${graphId}`;

/** Nothing is deleted while it can be undone; whoever goes away meant it. */
function UndoToast({ graph, end, changed, fail }: { graph: GraphSummary; end: () => void; changed: () => void; fail: (failure: unknown) => void }) {
  const kept = useRef(false);
  const gone = useRef(false);
  const remove = async () => {
    if (gone.current || kept.current) return;
    gone.current = true;
    try {
      await deleteGraph(graph.graphId);
      changed();
      askHouseAgain();
    } catch (failure) {
      fail(failure);
    } finally {
      end();
    }
  };
  const latest = useRef(remove);
  latest.current = remove;
  const undo = useRef<HTMLButtonElement>(null);
  // The button that was pressed has gone with its card: the way back is the next thing, and leads to it again.
  useEffect(() => {
    undo.current?.focus();
    return () => {
      const before = [...document.querySelectorAll<HTMLElement>(".card-actions button")].find((button) => button.ariaLabel === deleteLabel(graph));
      if (document.activeElement === document.body) (before ?? document.getElementById("main"))?.focus({ preventScroll: before === undefined });
    };
  }, []);
  useEffect(() => {
    const timer = window.setTimeout(() => void latest.current(), UNDO_MS);
    return () => {
      window.clearTimeout(timer);
      void latest.current();
    };
  }, []);
  return (
    <div className="toast library-toast" role="status">
      <p>
        {graph.name ?? graph.graphId} is being deleted: {graph.nodeCount === 1 ? "its note leaves" : `its ${counted(graph.nodeCount, "note")} leave`} this library. Files stay untouched.
      </p>
      <button
        ref={undo}
        type="button"
        className="link"
        onClick={() => {
          kept.current = true;
          end();
        }}
      >
        Undo
      </button>
      <button type="button" className="quiet" onClick={() => void remove()}>
        Delete now
      </button>
    </div>
  );
}

/** A ring filled as far as the score; the figure itself stands inside. */
export function Score({ score }: { score: number }) {
  const around = 2 * Math.PI * 16;
  return (
    <svg className="score-ring" viewBox="0 0 40 40" width="44" height="44" role="img" aria-label={`Score ${score} of 100`}>
      <circle cx="20" cy="20" r="16" className="track" />
      <circle cx="20" cy="20" r="16" className="fill" strokeDasharray={`${(around * score) / 100} ${around}`} transform="rotate(-90 20 20)" />
      <text x="20" y="20.5" textAnchor="middle" dominantBaseline="central">
        {score}
      </text>
    </svg>
  );
}
