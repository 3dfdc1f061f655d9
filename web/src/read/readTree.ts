// What stands beside a page that is read: the maps of content with what they gather, else folders, else hubs.

import type { GraphModel } from "../shell/graphModel";
import type { NodeCard } from "../wire";

export interface Branch {
  key: string;
  title: string;
  /** The note that is this branch; folders have none. */
  note?: NodeCard;
  branches: Branch[];
  notes: NodeCard[];
  /** All notes below it. */
  count: number;
}

export interface Tree {
  by: "maps" | "folders" | "hubs";
  branches: Branch[];
  notes: NodeCard[];
}

const byName = (a: NodeCard, b: NodeCard) => a.name.localeCompare(b.name, "en", { numeric: true }) || (a.id < b.id ? -1 : 1);
const HUBS = 24;

export function readTree(model: GraphModel): Tree {
  return byMaps(model) ?? byFolders(model.nodes) ?? byHubs(model.nodes);
}

/** Each map of content once, below the first that gathers it; what none gathers comes last. */
function byMaps(model: GraphModel): Tree | null {
  const gathered = new Map<string, NodeCard[]>();
  for (const { type, source, target } of model.graph.edges) {
    const note = type === "CLUSTERS" ? model.byId.get(target) : undefined;
    if (!note) continue;
    const notes = gathered.get(source);
    if (notes) notes.push(note);
    else gathered.set(source, [note]);
  }
  const maps = model.nodes.filter(({ id, type }) => type === "moc" && gathered.has(id)).sort(byName);
  if (maps.length === 0) return null;
  const isMap = new Set(maps.map(({ id }) => id));
  const inner = new Set(maps.flatMap(({ id }) => gathered.get(id)!.filter((note) => note.id !== id && isMap.has(note.id)).map((note) => note.id)));
  const seen = new Set<string>();
  const below = new Map<Branch, Set<string>>(); // a note that two maps gather counts once
  const grow = (map: NodeCard): Branch => {
    seen.add(map.id);
    const gathers = [...gathered.get(map.id)!].sort(byName);
    const branches = gathers.filter(({ id }) => isMap.has(id) && !seen.has(id)).map((note) => (seen.has(note.id) ? null : grow(note)));
    const notes = gathers.filter(({ id }) => !isMap.has(id));
    for (const { id } of notes) seen.add(id);
    const kept = branches.filter((branch) => branch !== null);
    const all = new Set(notes.map(({ id }) => id));
    for (const branch of kept) for (const id of below.get(branch)!) all.add(id);
    const grown: Branch = { key: map.id, title: map.name, note: map, branches: kept, notes, count: all.size };
    below.set(grown, all);
    return grown;
  };
  const branches = maps.filter(({ id }) => !inner.has(id)).map(grow);
  for (const map of maps) if (!seen.has(map.id)) branches.push(grow(map)); // maps that gather only one another
  return { by: "maps", branches, notes: model.nodes.filter(({ id }) => !seen.has(id)).sort(byName) };
}

function byFolders(nodes: NodeCard[]): Tree | null {
  const top: Branch = { key: "", title: "", branches: [], notes: [], count: 0 };
  const known = new Map<string, Branch>([["", top]]);
  const folder = (path: string): Branch => {
    const found = known.get(path);
    if (found) return found;
    const cut = path.lastIndexOf("/");
    const made: Branch = { key: path, title: path.slice(cut + 1), branches: [], notes: [], count: 0 };
    known.set(path, made);
    folder(cut < 0 ? "" : path.slice(0, cut)).branches.push(made);
    return made;
  };
  for (const node of [...nodes].sort(byName)) {
    const cut = node.path.lastIndexOf("/");
    folder(cut < 0 ? "" : node.path.slice(0, cut)).notes.push(node);
  }
  if (top.branches.length === 0) return null;
  const tidy = (branch: Branch): number => {
    branch.branches.sort((a, b) => a.title.localeCompare(b.title, "en", { numeric: true }));
    branch.count = branch.notes.length + branch.branches.reduce((sum, below) => sum + tidy(below), 0);
    return branch.count;
  };
  tidy(top);
  return { by: "folders", branches: top.branches, notes: top.notes };
}

function byHubs(nodes: NodeCard[]): Tree {
  const links = (node: NodeCard) => node.inDegree + node.outDegree;
  const hubs = [...nodes].sort((a, b) => links(b) - links(a) || byName(a, b)).slice(0, HUBS);
  const few = nodes.length <= HUBS * 2;
  const group = (title: string, notes: NodeCard[]): Branch => ({ key: title, title, branches: [], notes, count: notes.length });
  return few
    ? { by: "hubs", branches: [], notes: [...nodes].sort(byName) }
    : { by: "hubs", branches: [group("Most linked", hubs), group("All notes", [...nodes].sort(byName))], notes: [] };
}

/** The keys of the branches above a note, from the top: where it is found first. */
export function branchesAbove(branches: Branch[], id: string): string[] {
  for (const branch of branches) {
    if (branch.note?.id === id || branch.notes.some((note) => note.id === id)) return [branch.key];
    const below = branchesAbove(branch.branches, id);
    if (below.length > 0) return [branch.key, ...below];
  }
  return [];
}
