// What the colours of the map tell: type, folder, tag or cluster. Shapes always tell the type.

import type { GraphModel } from "../shell/graphModel";
import type { NodeCard } from "../wire";
import { DYES, type Look } from "./kinds";
import { clustersOf, LOOSE } from "./scene";

export const COLOURINGS = ["type", "folder", "tag", "cluster"] as const;
export type ColouringName = (typeof COLOURINGS)[number];
export const isColouring = (text: string): text is ColouringName => COLOURINGS.includes(text as ColouringName);

export interface Colouring {
  by: ColouringName;
  /** By what stands in the legend, most frequent first. */
  groups: Map<string, { look: Look; count: number }>;
  groupOf: (node: NodeCard) => string;
  lookOf: (node: NodeCard) => Look;
}

/** Of what is nearly all alike colours tell nothing. */
const NEARLY_ALL = 0.8;
const MANY = 3_000;

/** What tells the notes of a graph apart best, where nobody chose: types, else folders, else clusters; types where nothing does. */
export function tellingColours(model: GraphModel): ColouringName {
  const isTelling = (counts: Iterable<number>) => Math.max(...counts) <= NEARLY_ALL * model.nodes.length;
  if (model.nodes.length > MANY || isTelling(model.typeCounts.values())) return "type";
  const telling = (["folder", "cluster"] as const).find((by) => isTelling([...colouringOf(model, by).groups.values()].map(({ count }) => count)));
  return telling ?? "type";
}

const OTHER = "other";
// Slate is what has no colour of its own.
const TOLD = DYES.filter((dye) => dye !== "slate");

export function colouringOf(model: GraphModel, by: ColouringName): Colouring {
  const shapeOf = (node: NodeCard) => model.looks.get(node.type)!.shape;
  if (by === "type") {
    const groups = new Map([...model.typeCounts].map(([type, count]) => [type, { look: model.looks.get(type)!, count }]));
    return { by, groups, groupOf: (node) => node.type, lookOf: (node) => model.looks.get(node.type)! };
  }
  const named = namesBy(model, by);
  const counts = new Map<string, number>();
  for (const node of model.nodes) counts.set(named(node), (counts.get(named(node)) ?? 0) + 1);
  const ranked = [...counts].filter(([name]) => name !== OTHER).sort(([a, countA], [b, countB]) => countB - countA || (a < b ? -1 : 1));
  const told = ranked.slice(0, TOLD.length);
  const dyes = new Map(told.map(([name], index) => [name, TOLD[index]!]));
  const groups = new Map<string, { look: Look; count: number }>(told.map(([name, count]) => [name, { look: { dye: dyes.get(name)!, shape: "circle" }, count }]));
  const rest = model.nodes.length - told.reduce((sum, [, count]) => sum + count, 0);
  if (rest > 0) groups.set(OTHER, { look: { dye: "slate", shape: "circle" }, count: rest });
  const groupOf = (node: NodeCard) => (dyes.has(named(node)) ? named(node) : OTHER);
  return { by, groups, groupOf, lookOf: (node) => ({ dye: dyes.get(named(node)) ?? "slate", shape: shapeOf(node) }) };
}

function namesBy(model: GraphModel, by: Exclude<ColouringName, "type">): (node: NodeCard) => string {
  if (by === "folder") return ({ path }) => (path.includes("/") ? path.slice(0, path.indexOf("/")) : "top folder");
  if (by === "tag") return ({ tags }) => tags[0] ?? OTHER;
  const homes = new Map<string, string>();
  for (const { id, name, members } of clustersOf(model.graph)) for (const note of members) homes.set(note.id, id === LOOSE ? OTHER : name);
  return ({ id }) => homes.get(id) ?? OTHER;
}
