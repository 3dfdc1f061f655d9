import type { Address } from "../../address";
import { assembleContext, traverseGraph } from "../../api";
import { type Fetched, useFetched } from "../../shell/useFetched";
import { type Pack, packFromContext, packFromTraverse } from "./pack";

const SLIDING_MS = 150;

/** Whether the address holds enough to ask: a pack needs words, a walk needs words or a place to start. */
export const isAsked = ({ query, how, start }: Pick<Address, "query" | "how" | "start">) =>
  query.trim() !== "" || (how === "traverse" && start !== "");

/** The answer to the question in the address; dragging the budget asks again shortly after the hand rests. */
export function usePack(address: Address): Fetched<Pack> {
  const { graph, query, how, start, budget } = address;
  const asked = address.view === "pack" && isAsked(address);
  const key = asked ? JSON.stringify([graph, query, how, start, budget]) : null;
  const load = (signal: AbortSignal): Promise<Pack> =>
    how === "context"
      ? assembleContext({ graphId: graph, query, tokenBudget: budget }, signal).then(packFromContext)
      : traverseGraph({ graphId: graph, query, tokenBudget: budget, ...(start && { startNode: start }) }, signal).then(
          packFromTraverse,
        );
  const [pack] = useFetched(key, load, SLIDING_MS);
  return asked ? pack : { state: "waiting" };
}
