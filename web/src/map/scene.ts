// What the map draws, freed of where it comes from: marks and lines, either notes and links or whole clusters.

import { counted } from "../counted";
import type { Edge, GraphExport, NodeCard } from "../wire";
import { findClusters } from "./clusters";
import { type Look, looksFor } from "./kinds";

/** Of more notes than this the clusters come first; from fewer on they are offered. */
export const DRAWN_WHOLE = 12_000;
export const CLUSTERS_OFFERED = 3_000;

export interface Mark {
  id: string;
  label: string;
  /** Said aloud and shown on hover. */
  note: string;
  look: Look;
  radius: number;
  /** Labels are given room in this order, greatest first. */
  rank: number;
  node?: NodeCard;
  /** Ids of the notes that a cluster stands for. */
  members?: string[];
}

export interface Scene {
  kind: "notes" | "clusters";
  marks: Mark[];
  sources: Uint32Array;
  targets: Uint32Array;
  lineTypes: string[];
  lineWeights: number[];
  indexOf: Map<string, number>;
}

const degree = (node: NodeCard) => node.inDegree + node.outDegree;

function join(kind: Scene["kind"], marks: Mark[], lines: { source: string; target: string; type: string; weight: number }[]): Scene {
  const indexOf = new Map(marks.map((mark, index) => [mark.id, index]));
  const drawn = lines.filter(({ source, target }) => indexOf.has(source) && indexOf.has(target));
  return {
    kind,
    marks,
    sources: Uint32Array.from(drawn, ({ source }) => indexOf.get(source)!),
    targets: Uint32Array.from(drawn, ({ target }) => indexOf.get(target)!),
    lineTypes: drawn.map(({ type }) => type),
    lineWeights: drawn.map(({ weight }) => weight),
    indexOf,
  };
}

export function sceneOfNotes(nodes: NodeCard[], edges: Edge[], looks: { lookOf: (node: NodeCard) => Look }): Scene {
  const marks = nodes.map(
    (node): Mark => ({
      id: node.id,
      label: node.name,
      note: `${node.name}, ${node.type}, ${counted(node.inDegree, "link")} in, ${node.outDegree.toLocaleString("en")} out`,
      look: looks.lookOf(node),
      radius: 3.6 + Math.min(9, Math.sqrt(degree(node)) * 1.15) + (node.type === "moc" ? 2 : 0),
      rank: degree(node) + (node.type === "moc" ? 1000 : 0),
      node,
    }),
  );
  return join("notes", marks, edges.map((edge) => ({ ...edge, weight: edge.count })));
}

export interface Cluster {
  id: string;
  name: string;
  members: NodeCard[];
}

export const LOOSE = "loose";

/** Communities of three or more notes, largest first; all others together are the last. */
export function clustersOf({ nodes, edges }: GraphExport): Cluster[] {
  const indexOf = new Map(nodes.map((node, index) => [node.id, index]));
  const labels = findClusters(
    nodes.length,
    Uint32Array.from(edges, (edge) => indexOf.get(edge.source)!),
    Uint32Array.from(edges, (edge) => indexOf.get(edge.target)!),
  );
  const members = new Map<number, NodeCard[]>();
  nodes.forEach((node, index) => {
    const group = members.get(labels[index]!);
    if (group) group.push(node);
    else members.set(labels[index]!, [node]);
  });
  const named: Cluster[] = [];
  const loose: NodeCard[] = [];
  for (const group of members.values()) {
    if (group.length < 3) loose.push(...group);
    else {
      const head = group.reduce((best, node) => (degree(node) > degree(best) ? node : best));
      named.push({ id: head.id, name: head.name, members: group });
    }
  }
  named.sort((a, b) => b.members.length - a.members.length || (a.id < b.id ? -1 : 1));
  if (loose.length > 0) named.push({ id: LOOSE, name: "Loosely linked notes", members: loose });
  return named;
}

export function sceneOfClusters(clusters: Cluster[], edges: Edge[]): Scene {
  const shown = clusters.slice(0, DRAWN_WHOLE);
  const home = new Map(shown.flatMap((cluster) => cluster.members.map((node) => [node.id, cluster.id] as const)));
  const weights = new Map<string, { source: string; target: string; type: string; weight: number }>();
  for (const edge of edges) {
    const [source, target] = [home.get(edge.source), home.get(edge.target)];
    if (!source || !target || source === target || source === LOOSE || target === LOOSE) continue;
    const key = source < target ? `${source}\n${target}` : `${target}\n${source}`;
    const line = weights.get(key);
    if (line) line.weight += 1;
    else weights.set(key, { source, target, type: "REFERENCES", weight: 1 });
  }
  const look = looksFor(["moc"]).get("moc")!;
  const marks = shown.map(
    (cluster): Mark => ({
      id: cluster.id,
      label: `${cluster.name} · ${cluster.members.length.toLocaleString("en")}`,
      note: `Cluster round ${cluster.name}, ${counted(cluster.members.length, "note")}`,
      look: cluster.id === LOOSE ? { dye: "slate", shape: "circle" } : look,
      radius: 5 + Math.min(26, Math.sqrt(cluster.members.length) * 1.3),
      rank: cluster.members.length,
      members: cluster.members.map(({ id }) => id),
    }),
  );
  return join("clusters", marks, [...weights.values()]);
}
