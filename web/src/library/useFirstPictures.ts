import { useEffect, useState } from "react";
import type { GraphCard, GraphSummary } from "../wire";

/** Laid out within a second or two; a larger one keeps its weave until somebody opens its map. */
const MOST_NOTES = 1_500;

const isBare = (card: GraphCard | undefined) => card !== undefined && card.picture.every((place) => place.length < 3);

/** Pictures of the maps that nobody has opened, drawn one after the other while nothing else is to be done. */
export function useFirstPictures(graphs: GraphSummary[], cards: Map<string, GraphCard>): ReadonlyMap<string, number[][]> {
  const [drawn, setDrawn] = useState<ReadonlyMap<string, number[][]>>(new Map());
  const bare = graphs.filter(({ graphId, nodeCount }) => nodeCount > 2 && nodeCount <= MOST_NOTES && isBare(cards.get(graphId)) && !drawn.has(graphId));
  const next = bare[0]?.graphId;
  useEffect(() => {
    if (!next) return;
    const abort = new AbortController();
    const draw = async () => {
      const { drawFirst } = await import("../map/placing/firstPicture");
      // What cannot be drawn keeps its weave, and is not tried again here.
      const picture = await drawFirst(next, abort.signal).catch(() => []);
      if (!abort.signal.aborted) setDrawn((before) => new Map(before).set(next, picture));
    };
    const timer = window.setTimeout(() => void draw(), 0);
    return () => {
      window.clearTimeout(timer);
      abort.abort();
    };
  }, [next]);
  return drawn;
}
