// Communities by the Louvain method, in a fixed order and with fixed ties: the overview of graphs too large to draw whole.

const ROUNDS = 10;
const LEVELS = 6;

interface WeightedGraph {
  count: number;
  /** The neighbours of node n lie in list and weights from offsets[n] to offsets[n + 1]. */
  offsets: Uint32Array;
  list: Uint32Array;
  weights: Float64Array;
  /** Weight that stays inside a node: the links of a community that became one. */
  inside: Float64Array;
}

function weightedGraph(count: number, sources: ArrayLike<number>, targets: ArrayLike<number>, weights: ArrayLike<number>): WeightedGraph {
  const offsets = new Uint32Array(count + 1);
  const inside = new Float64Array(count);
  for (let edge = 0; edge < sources.length; edge++) {
    if (sources[edge] === targets[edge]) continue;
    offsets[sources[edge]! + 1]! += 1;
    offsets[targets[edge]! + 1]! += 1;
  }
  for (let node = 0; node < count; node++) offsets[node + 1]! += offsets[node]!;
  const next = offsets.slice();
  const list = new Uint32Array(offsets[count]!);
  const sorted = new Float64Array(offsets[count]!);
  for (let edge = 0; edge < sources.length; edge++) {
    const [source, target, weight] = [sources[edge]!, targets[edge]!, weights[edge]!];
    if (source === target) {
      inside[source]! += 2 * weight;
      continue;
    }
    list[next[source]!] = target;
    sorted[next[source]!++] = weight;
    list[next[target]!] = source;
    sorted[next[target]!++] = weight;
  }
  return { count, offsets, list, weights: sorted, inside };
}

/** Moves each node to the neighbouring community that gains most modularity, until none wants to move. */
function moveNodes({ count, offsets, list, weights, inside }: WeightedGraph): Uint32Array {
  const labels = Uint32Array.from({ length: count }, (_, node) => node);
  const degrees = Float64Array.from(inside);
  for (let node = 0; node < count; node++) {
    for (let at = offsets[node]!; at < offsets[node + 1]!; at++) degrees[node]! += weights[at]!;
  }
  const totals = Float64Array.from(degrees);
  const all = degrees.reduce((sum, degree) => sum + degree, 0) || 1;
  const links = new Map<number, number>();
  for (let round = 0; round < ROUNDS; round++) {
    let moves = 0;
    for (let node = 0; node < count; node++) {
      links.clear();
      const home = labels[node]!;
      for (let at = offsets[node]!; at < offsets[node + 1]!; at++) {
        const label = labels[list[at]!]!;
        links.set(label, (links.get(label) ?? 0) + weights[at]!);
      }
      totals[home]! -= degrees[node]!;
      const gain = (label: number, weight: number) => weight - (totals[label]! * degrees[node]!) / all;
      let [best, most] = [home, gain(home, links.get(home) ?? 0)];
      for (const [label, weight] of links) {
        const gained = gain(label, weight);
        if (gained > most + 1e-9 || (gained > most - 1e-9 && label < best && best !== home)) [best, most] = [label, gained];
      }
      totals[best]! += degrees[node]!;
      if (best !== home) {
        labels[node] = best;
        moves++;
      }
    }
    if (moves === 0) break;
  }
  return labels;
}

/** Numbers the communities from 0 in the order of their first node. */
function renumber(labels: Uint32Array): [Uint32Array, number] {
  const numbers = new Map<number, number>();
  const renumbered = labels.map((label) => {
    if (!numbers.has(label)) numbers.set(label, numbers.size);
    return numbers.get(label)!;
  });
  return [renumbered, numbers.size];
}

/** The community of each node, as a small number. */
export function findClusters(count: number, sources: Uint32Array, targets: Uint32Array): Uint32Array {
  let labels = Uint32Array.from({ length: count }, (_, node) => node);
  let graph = weightedGraph(count, sources, targets, new Float64Array(sources.length).fill(1));
  for (let level = 0; level < LEVELS; level++) {
    const [moved, communities] = renumber(moveNodes(graph));
    labels = labels.map((label) => moved[label]!);
    if (communities === graph.count) break;
    graph = merge(graph, moved, communities);
  }
  return labels;
}

function merge({ count, offsets, list, weights, inside }: WeightedGraph, labels: Uint32Array, communities: number): WeightedGraph {
  const sums = new Map<number, number>();
  const add = (a: number, b: number, weight: number) => {
    const key = Math.min(a, b) * communities + Math.max(a, b);
    sums.set(key, (sums.get(key) ?? 0) + weight);
  };
  for (let node = 0; node < count; node++) {
    if (inside[node]! > 0) add(labels[node]!, labels[node]!, inside[node]! / 2);
    // Each link stands in both lists; half of it is counted from each side.
    for (let at = offsets[node]!; at < offsets[node + 1]!; at++) add(labels[node]!, labels[list[at]!]!, weights[at]! / 2);
  }
  const keys = [...sums.keys()];
  return weightedGraph(
    communities,
    keys.map((key) => Math.floor(key / communities)),
    keys.map((key) => key % communities),
    [...sums.values()],
  );
}
