import type { Address } from "../address";
import { searchGraph } from "../api";
import { type Fetched, useFetched } from "../shell/useFetched";
import type { SearchAnswer } from "../wire";

const MOST = 100;
const TYPING_MS = 120;

/** What the find field finds, asked shortly after the last key. Nothing is asked for blank text. */
export function useFound({ graph, find, domain, type }: Address): Fetched<SearchAnswer> {
  const query = find.trim();
  const request = { graphId: graph, query, limit: MOST, ...(domain && { domain }), ...(type && { type }) };
  const key = query ? JSON.stringify(request) : null;
  const [found] = useFetched(key, (signal) => searchGraph(request, signal), TYPING_MS);
  return query ? found : { state: "waiting" };
}
