// Where skills stand on the map: from left to right along the edges. The library for it is loaded with the first map.

import type { Routes, SkillEdge } from "../routeWire";

export const CARD = { width: 184, height: 70 };
const DOOR = { width: 152, height: 46 };
const QUESTION = { width: 150, height: 54 };
const MOST_CARDS = 120;
const FEW_LONE = 3; // so many stand well among the others
const GAP = 24;
const [LINE_CHARACTERS, LETTER, LINE] = [20, 7.8, 16];

export interface Box {
  id: string;
  kind: "skill" | "question" | "door" | "unknown";
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Way {
  /** Its place among the edges of the graph. */
  edge: number;
  path: string;
  label: string[];
  at: { x: number; y: number } | null;
  /** It had no say in where things stand. */
  isLoose: boolean;
}

export interface Drawing {
  boxes: Box[];
  ways: Way[];
  width: number;
  height: number;
  /** Skills that found no room. */
  left: number;
  loose: number;
}

export const doorId = (edge: number) => `door ${edge}`;

/** What an edge waits for, as short as a label must be. */
export function shortRule(edge: SkillEdge, question: string | null): string {
  if (edge.label) return edge.label.replace(/^on /, "").replace(/(^| )status=/, "$1").replace(/ !-?\d+$/, "");
  return question ? `@${question}` : "";
}

export function wrapped(text: string): string[] {
  const lines: string[] = [""];
  for (const word of text.split(/\s+/)) {
    const last = lines[lines.length - 1]!;
    if (last && last.length + word.length >= LINE_CHARACTERS) lines.push(word);
    else lines[lines.length - 1] = last ? `${last} ${word}` : word;
  }
  const shown = lines.slice(0, 2).map((line) => (line.length > LINE_CHARACTERS ? `${line.slice(0, LINE_CHARACTERS - 1)}…` : line));
  if (lines.length > 2) shown[1] = `${shown[1]!.slice(0, LINE_CHARACTERS - 1)}…`;
  return text ? shown : [];
}

/** Of a graph that is too large to be drawn: what lies nearest to the skill that is looked at, else to the entries. */
export function nearest(routes: Routes, focus: string, most = MOST_CARDS): Set<string> {
  const all = routes.nodes.map(({ id }) => id);
  if (all.length <= most) return new Set(all);
  const beside = new Map<string, string[]>();
  const link = (from: string, to: string) => (beside.get(from) ?? beside.set(from, []).get(from)!).push(to);
  for (const { from, to } of routes.edges) {
    if (from === null) continue;
    link(from, to);
    link(to, from);
  }
  const known = new Set(all);
  const starts = known.has(focus) ? [focus] : routes.edges.filter(({ from }) => from === null).map(({ to }) => to);
  const found = new Set<string>();
  for (let ring = starts; ring.length > 0 && found.size < most; ) {
    const next: string[] = [];
    for (const id of ring) {
      if (found.size >= most || found.has(id) || !known.has(id)) continue;
      found.add(id);
      next.push(...(beside.get(id) ?? []));
    }
    ring = next;
  }
  return found;
}

/** Links that only a model follows have no say in where skills stand, unless nothing else leads to a skill. */
function looseLinks({ edges }: Routes, shown: Set<string>): Set<number> {
  const reached = new Set(edges.filter(({ kind }) => kind !== "model").map(({ to }) => to));
  const loose = new Set<number>();
  edges.forEach(({ from, to, kind }, number) => {
    if (kind !== "model" || from === null || !shown.has(from) || !shown.has(to)) return;
    if (reached.has(to) || from === to) loose.add(number);
    else reached.add(to);
  });
  return loose;
}

/** From side to side of two boxes; beside each other where they stand in one column. */
function across(from: Box, to: Box): string {
  const ahead = to.x - from.x > from.width / 2 ? 1 : from.x - to.x > from.width / 2 ? -1 : 0;
  const [x1, y1, y2] = [from.x + (ahead || 1) * (from.width / 2), from.y + 8, to.y + 8];
  const x2 = to.x - (ahead || -1) * (to.width / 2);
  const bend = ahead ? (ahead * Math.max(30, Math.abs(x2 - x1))) / 2 : 40;
  return `M${x1} ${y1}C${x1 + bend} ${y1} ${ahead ? x2 - bend : x2 + bend} ${y2} ${x2} ${y2}`;
}

export async function layOut(routes: Routes, focus: string): Promise<Drawing> {
  const { graphlib, layout } = await import("@dagrejs/dagre");
  const graph = new graphlib.Graph({ multigraph: true });
  graph.setGraph({ rankdir: "LR", nodesep: GAP, ranksep: 34, edgesep: 16, marginx: GAP, marginy: GAP });
  graph.setDefaultEdgeLabel(() => ({}));
  const shown = nearest(routes, focus);
  const kinds = new Map<string, Box["kind"]>();
  for (const { id, kind } of routes.nodes) {
    if (!shown.has(id)) continue;
    kinds.set(id, kind === "skill" ? "skill" : "question");
    graph.setNode(id, { ...(kind === "skill" ? CARD : QUESTION) });
  }
  const known = new Set(routes.nodes.map(({ id }) => id));
  const beside = looseLinks(routes, shown);
  const hasDoors = routes.edges.filter(({ kind }) => kind === "entry").length <= 12;
  routes.edges.forEach((edge, number) => {
    if ((edge.from === null && (!hasDoors || !shown.has(edge.to))) || beside.has(number)) return;
    const from = edge.from ?? doorId(number);
    if (edge.from === null) {
      kinds.set(from, "door");
      graph.setNode(from, { ...DOOR });
    } else if (!shown.has(edge.from)) return;
    if (!known.has(edge.to) && !kinds.has(edge.to)) {
      kinds.set(edge.to, "unknown");
      graph.setNode(edge.to, { ...CARD });
    }
    if (!kinds.has(edge.to)) return;
    const label = edge.from === null ? [] : wrapped(shortRule(edge, routes.rules[number]?.question ?? null));
    const width = Math.max(0, ...label.map((line) => line.length)) * LETTER + (label.length ? 14 : 0);
    // A link that only a model follows bends before a rule does.
    const weight = edge.kind === "model" ? 1 : edge.kind === "entry" ? 4 : 3;
    graph.setEdge(from, edge.to, { width, height: label.length * LINE + (label.length ? 6 : 0), labelpos: "c", weight, label }, String(number));
  });
  const atLoose = new Set([...beside].flatMap((number) => [routes.edges[number]!.from!, routes.edges[number]!.to]));
  const lone = graph.nodes().filter((id) => !graph.nodeEdges(id)?.length && !atLoose.has(id));
  const isHeap = lone.length > FEW_LONE;
  if (isHeap) for (const id of lone) graph.removeNode(id);
  layout(graph);
  const boxes = graph.nodes().map((id) => ({ id, kind: kinds.get(id)!, ...placed(graph.node(id)) }));
  const linked = graph.nodeCount() > 0 ? (graph.graph() as Extent) : { width: 0, height: 0 };
  const { width, height } = isHeap ? heap(lone, kinds, boxes, linked) : linked;
  const byId = new Map(boxes.map((box) => [box.id, box]));
  const loose = [...beside].map((number): Way => {
    const { from, to } = routes.edges[number]!;
    return { edge: number, path: across(byId.get(from!)!, byId.get(to)!), label: [], at: null, isLoose: true };
  });
  return {
    boxes,
    ways: loose.concat(graph.edges().map((found) => {
      const { points, label, x, y } = graph.edge(found) as { points: Point[]; label: string[]; x?: number; y?: number };
      return { edge: Number(found.name), path: curve(points), label, at: label.length && x !== undefined && y !== undefined ? { x, y } : null, isLoose: false };
    })),
    width: Number.isFinite(width) ? width : 0,
    height: Number.isFinite(height) ? height : 0,
    left: routes.nodes.length - shown.size,
    loose: beside.size,
  };
}

/** Skills that nothing leads to or from: rows below the others, not one endless column. */
function heap(lone: string[], kinds: Map<string, Box["kind"]>, boxes: Box[], linked: Extent): Extent {
  const [across, down] = [CARD.width + GAP, CARD.height + GAP];
  const columns = Math.max(Math.ceil(Math.sqrt(lone.length * 2)), Math.floor((linked.width - GAP) / across));
  lone.forEach((id, at) => {
    const size = kinds.get(id) === "question" ? QUESTION : CARD;
    boxes.push({ id, kind: kinds.get(id)!, x: GAP + CARD.width / 2 + (at % columns) * across, y: (linked.height || GAP) + CARD.height / 2 + Math.floor(at / columns) * down, ...size });
  });
  return { width: Math.max(linked.width, GAP + Math.min(columns, lone.length) * across), height: (linked.height || GAP) + Math.ceil(lone.length / columns) * down };
}

interface Extent {
  width: number;
  height: number;
}

interface Point {
  x: number;
  y: number;
}

const placed = ({ x, y, width, height }: Point & { width: number; height: number }) => ({ x, y, width, height });

/** Smooth through the points: straight to the middle of each stretch, bent at the points between. */
function curve(points: Point[]): string {
  const [first, ...rest] = points;
  if (!first || rest.length === 0) return "";
  const at = ({ x, y }: Point) => `${x.toFixed(1)} ${y.toFixed(1)}`;
  const middle = (one: Point, other: Point) => ({ x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 });
  let path = `M${at(first)}`;
  rest.forEach((point, number) => {
    const next = rest[number + 1];
    path += next ? `Q${at(point)} ${at(number === rest.length - 2 ? next : middle(point, next))}` : number === 0 ? `L${at(point)}` : "";
  });
  return path;
}
