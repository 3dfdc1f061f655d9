// One shape for what context and traverse answer, so that the panel, the bar and the map read the same account.

import type { ContextAnswer, LoadedNode, Telemetry, TraverseAnswer } from "../../wire";

export interface PassedOver {
  id: string;
  name: string;
  score: number;
  reason: string;
  description?: string;
}

export interface Pack {
  entry: string;
  loaded: LoadedNode[];
  /** The best of those visited and not loaded, with the reason for each. */
  passedOver: PassedOver[];
  /** Ids of all others that were visited, best first. */
  alsoVisited: string[];
  telemetry: Telemetry;
  matched: boolean;
}

function rest(visited: string[] | undefined, ...named: { id: string }[][]): string[] {
  const told = new Set(named.flat().map(({ id }) => id));
  return (visited ?? []).filter((id) => !told.has(id));
}

export function packFromContext({ contextPack, telemetry, matched, visited }: ContextAnswer): Pack {
  const loaded: LoadedNode[] = [];
  const passedOver: PassedOver[] = [];
  for (const node of contextPack.nodes) {
    if (node.level === 1) passedOver.push(node);
    else loaded.push(node);
  }
  return { entry: contextPack.entryPoint, loaded, passedOver, alsoVisited: rest(visited, loaded, passedOver), telemetry, matched };
}

export const packFromTraverse = ({ entryPoint, path, unloaded, telemetry, matched, visited }: TraverseAnswer): Pack => ({
  entry: entryPoint.id,
  loaded: path,
  passedOver: unloaded,
  alsoVisited: rest(visited, path, unloaded),
  telemetry,
  matched,
});

/** The text that the copy button hands over: each loaded note under its name, id and level. */
export function packAsText(pack: Pack): string {
  return pack.loaded
    .map((node) => `<!-- ${node.id} · level ${node.level} · ${node.tokens} tokens -->\n\n# ${node.name}\n\n${node.content}`)
    .join("\n\n---\n\n");
}

/** How strongly the map draws each note while a pack is shown: loaded full, visited 40 %, the rest 15 %. */
export function packOpacity(pack: Pack): (id: string) => number {
  const loaded = new Set(pack.loaded.map((node) => node.id));
  const visited = new Set([...pack.passedOver.map((node) => node.id), ...pack.alsoVisited]);
  return (id) => (loaded.has(id) ? 1 : visited.has(id) ? 0.4 : 0.15);
}

export const BUDGET_STOPS = [
  0, 250, 500, 1000, 1500, 2000, 3000, 4000, 6000, 8000, 12_000, 16_000, 24_000, 32_000, 48_000, 64_000, 100_000,
  128_000, 200_000,
];

export function nearestStop(budget: number): number {
  let best = 0;
  BUDGET_STOPS.forEach((stop, index) => {
    if (Math.abs(stop - budget) < Math.abs((BUDGET_STOPS[best] ?? 0) - budget)) best = index;
  });
  return best;
}
