// A graph as the views need it: the export once, and the few indexes that all of them share.

import { type Look, looksFor } from "../map/kinds";
import { linkResolver } from "../node/noteText";
import type { GraphExport, NodeCard } from "../wire";

export interface GraphModel {
  graph: GraphExport;
  nodes: NodeCard[];
  byId: Map<string, NodeCard>;
  byPath: Map<string, NodeCard>;
  looks: Map<string, Look>;
  domains: string[];
  typeCounts: Map<string, number>;
  edgeCounts: Map<string, number>;
  resolve: (target: string) => string | undefined;
}

function tally(values: Iterable<string>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return new Map([...counts].sort(([a, countA], [b, countB]) => countB - countA || (a < b ? -1 : 1)));
}

const sameDomain = (domain: string) => domain.toLowerCase();

const ENTITY = /&(?:#\d+|#x[\da-f]+|\w+);/gi;

/** A description written for a page, `don&#39;t`, as somebody reads it. */
export const readable = (text: string) => text.replace(ENTITY, (sign) => new DOMParser().parseFromString(sign, "text/html").documentElement.textContent ?? sign);

export function modelOf(graph: GraphExport): GraphModel {
  const { nodes, edges } = graph;
  const domains = new Map<string, string>();
  for (const { domain } of nodes) if (!domains.has(sameDomain(domain))) domains.set(sameDomain(domain), domain);
  return {
    graph,
    nodes,
    byId: new Map(nodes.map((node) => [node.id, node])),
    byPath: new Map(nodes.map((node) => [node.path, node])),
    looks: looksFor(nodes.map((node) => node.type)),
    domains: [...domains.values()].sort((a, b) => a.localeCompare(b, "en")),
    typeCounts: tally(nodes.map((node) => node.type)),
    edgeCounts: tally(edges.map((edge) => edge.type)),
    resolve: linkResolver(nodes),
  };
}

export const passesFilters = (node: NodeCard, domain: string, type: string) =>
  (!domain || sameDomain(node.domain) === sameDomain(domain)) && (!type || node.type === type);
