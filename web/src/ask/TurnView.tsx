import { Fragment, memo, type MouseEvent, useMemo, useState } from "react";
import { counted } from "../counted";
import { formatAddress, HOME } from "../address";
import { exportGraph, searchGraph } from "../api";
import { PathLink } from "../shell/Link";
import { useFetched } from "../shell/useFetched";
import { AnswerText, citedIn } from "./AnswerText";
import { copyText } from "./copyText";
import { SmallMap } from "./SmallMap";
import { KINDS, type ReadSource } from "./threadApi";
import type { ShownTurn } from "./useThread";
import { WhatWasRead } from "./pack/WhatWasRead";

interface Props {
  turn: ShownTurn;
  number: number;
  graph: string | null;
  isRunning: boolean;
  pathOf: (source: ReadSource) => string;
  openSource: (turn: number, source: number) => void;
  again: (query: string, number: number) => void;
  stop: () => void;
}

/** A question and its answer as it comes. */
export const TurnView = memo(function TurnView({ turn, number, graph, isRunning, pathOf, openSource, again, stop }: Props) {
  const [pointed, point] = useState<number | null>(null);
  const cited = useMemo(() => citedIn(turn.answer, turn.sources), [turn.answer, turn.sources]);
  const open = (source: number) => openSource(number, source);
  const follow = (event: MouseEvent, source: number) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    open(source);
  };
  return (
    <article className="turn" aria-label={turn.query} aria-busy={isRunning}>
      <h2>{turn.query}</h2>
      {turn.answer ? <AnswerText text={turn.answer} sources={turn.sources} pathOf={pathOf} unverified={turn.unverified} open={open} point={point} /> : null}
      {isRunning ? (
        <p className="turn-status" role="status">
          {turn.answer ? "Answering…" : turn.sources.length > 0 ? `Reading ${counted(turn.sources.length, "passage")}…` : "Looking for what speaks of this…"}
          <button type="button" onClick={stop}>
            Stop
          </button>
        </p>
      ) : null}
      {turn.note && !turn.answer.startsWith(turn.note) ? <p className={turn.mode === "failed" ? "turn-note fault" : "turn-note"} role={turn.mode === "failed" ? "alert" : undefined}>{turn.note}</p> : null}
      {turn.mode === "stopped" && !isRunning ? <p className="turn-note">Stopped before its end.</p> : null}
      {cited.length > 0 ? (
        <div className="cited-room">
          <ol className="cited" aria-label="Cited">
            {cited.map((at) => {
              const source = turn.sources[at]!;
              return (
                <li key={at} className={pointed === at ? "pointed" : undefined} onMouseEnter={() => point(at)} onMouseLeave={() => point(null)}>
                  <a href={pathOf(source)} onClick={(event) => follow(event, at)}>
                    {source.title}
                  </a>{" "}
                  <small className="soft">{KINDS[source.kind]}</small>
                </li>
              );
            })}
          </ol>
          {graph && !isRunning ? <SmallMap graph={graph} sources={turn.sources} cited={cited} pointed={pointed} /> : null}
        </div>
      ) : null}
      {!isRunning && graph && turn.sources.length === 0 && turn.mode !== "failed" && turn.mode !== "stopped" ? <Nearest graph={graph} query={turn.query} /> : null}
      {isRunning ? null : (
        <>
          <TurnButtons turn={turn} again={() => again(turn.query, number)} />
          {graph ? <WhatWasRead graph={graph} query={turn.query} turn={number} /> : null}
        </>
      )}
    </article>
  );
});

function TurnButtons({ turn, again }: { turn: ShownTurn; again: () => void }) {
  const [told, setTold] = useState("");
  const copy = async () => setTold((await copyText(turn.answer)) ? "Copied" : "The browser did not allow it");
  return (
    <p className="turn-buttons">
      <button type="button" className="quiet" disabled={!turn.answer} onClick={copy} onBlur={() => setTold("")}>
        Copy the answer
      </button>
      <button type="button" className="quiet" onClick={again}>
        Ask again
      </button>
      <span role="status">{told}</span>
    </p>
  );
}

const FEW = 5;

/** Nothing speaks of it: the notes whose names come nearest, else those that most others lead to. */
function Nearest({ graph, query }: { graph: string; query: string }) {
  const [fetched] = useFetched(`${graph} ${query}`, async (signal) => {
    const { results } = await searchGraph({ graphId: graph, query, limit: FEW }, signal);
    if (results.length > 0) return results;
    const { nodes } = await exportGraph(graph, signal);
    return [...nodes].sort((a, b) => b.inDegree - a.inDegree || (a.id < b.id ? -1 : 1)).slice(0, FEW);
  });
  if (!fetched.value?.length) return null;
  return (
    <p className="nearest">
      Look at{" "}
      {fetched.value.map((note, at) => (
        <Fragment key={note.id}>
          {at > 0 ? ", " : ""}
          <PathLink to={formatAddress({ ...HOME, graph, node: note.id })}>{note.name}</PathLink>
        </Fragment>
      ))}
      , or ask in other words.
    </p>
  );
}
