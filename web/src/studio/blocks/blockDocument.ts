// Plans and specs as blocks, and back, losing nothing: what a block does not show is kept in its data.

import { type BlockRow, blockRow, entryRow, type FieldRow, KEPT, PLAN_START, SPEC_START, stepRow } from "./blockTable";

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };
export type DesignKind = "plan" | "build";

/** A block as the editor saves it. */
export interface BlockState {
  type: string;
  id: string;
  x?: number;
  y?: number;
  data?: string;
  fields?: Record<string, unknown>;
  inputs?: Record<string, { block?: BlockState }>;
  next?: { block?: BlockState };
}

/** What a block keeps besides its fields. `own`: the step's id, as long as the block is this one and no copy of it. */
interface Kept {
  rest: Json;
  absent: string[];
  words?: Record<string, [shown: string, meant: string[]]>;
  own?: [block: string, id: string | null];
}

const isObject = (value: unknown): value is JsonObject => typeof value === "object" && value !== null && !Array.isArray(value);

function at(value: Json, path: string[]): Json | undefined {
  let found: Json | undefined = value;
  for (const key of path) found = isObject(found) && Object.hasOwn(found, key) ? found[key] : undefined;
  return found;
}

function put(target: JsonObject, path: string[], value: Json): void {
  let inner = target;
  for (const key of path.slice(0, -1)) {
    if (!isObject(inner[key])) inner[key] = {};
    inner = inner[key] as JsonObject;
  }
  inner[path.at(-1)!] = value;
}

function remove(target: JsonObject, path: string[]): void {
  const inner = at(target, path.slice(0, -1));
  if (isObject(inner)) delete inner[path.at(-1)!];
}

export const asWords = (shown: string) => shown.split(",").map((word) => word.trim()).filter((word) => word !== "");

const NUMBER = /^\d{1,9}$/;

/** What a field shows; undefined where it cannot show the value. */
function shownIn(row: FieldRow, value: Json | undefined): string | boolean | undefined {
  if (row.kind === "flag") return typeof value === "boolean" ? value : undefined;
  if (row.kind === "words") return Array.isArray(value) && value.every((word) => typeof word === "string") ? value.join(", ") : undefined;
  if (row.kind === "pin" && typeof value === "number") return NUMBER.test(String(value)) ? String(value) : undefined;
  if (typeof value !== "string" || (row.kind === "pin" && NUMBER.test(value))) return undefined;
  return row.kind !== "choice" || row.choices!.includes(value) ? value : undefined;
}

const usual = (row: FieldRow): string | boolean => (row.kind === "flag" ? false : (row.usual ?? ""));

/** The blocks of a document; ids are counted, so that equal documents have equal blocks. */
export function toBlocks(kind: DesignKind, document: JsonObject): BlockState {
  let count = 0;
  const make = (row: BlockRow, value: Json): BlockState => {
    const id = `block-${++count}`;
    const kept: Kept = { rest: structuredClone(value), absent: [] };
    const block: BlockState = { type: row.type, id, fields: {}, inputs: {} };
    if (row.isPlain) {
      block.fields![row.fields[0]!.field] = value;
      kept.rest = {};
    } else if (isObject(kept.rest)) fill(row, block, kept, kept.rest);
    block.data = JSON.stringify(kept);
    return block;
  };
  const fill = (row: BlockRow, block: BlockState, kept: Kept, rest: JsonObject) => {
    for (const field of row.fields) {
      const value = at(rest, field.path);
      const shown = shownIn(field, value);
      block.fields![field.field] = shown ?? usual(field);
      if (shown === undefined) kept.absent.push(field.field);
      else remove(rest, field.path);
      if (field.kind === "words" && shown !== undefined) (kept.words ??= {})[field.field] = [String(shown), value as string[]];
    }
    for (const list of row.lists) {
      const entries = at(rest, list.path);
      if (!Array.isArray(entries)) {
        kept.absent.push(list.input);
        continue;
      }
      remove(rest, list.path);
      const first = chain(entries.map((entry) => entryBlock(list.of, entry)));
      if (first) block.inputs![list.input] = { block: first };
    }
    if (row.step !== undefined) {
      kept.own = [block.id, typeof rest.id === "string" ? rest.id : null];
      if (typeof rest.id === "string") delete rest.id;
      delete rest.type;
    }
  };
  const entryBlock = (of: string, entry: Json): BlockState => {
    const row = of === "Step" ? (isObject(entry) ? stepRow(entry.type) : undefined) : entryRow(of);
    const fits = row !== undefined && (row.isPlain ? typeof entry === "string" : isObject(entry));
    return make(fits ? row : blockRow(KEPT)!, entry);
  };
  return { ...make(blockRow(kind === "plan" ? PLAN_START : SPEC_START)!, document), x: 24, y: 24 };
}

function chain(blocks: BlockState[]): BlockState | undefined {
  return blocks.reduceRight<BlockState | undefined>((next, block) => (next ? { ...block, next: { block: next } } : block), undefined);
}

export interface ReadBlocks {
  document: JsonObject;
  /** The block that stands for what a dotted path names. */
  places: Map<string, string>;
}

/** The document of a block that everything begins with. */
export function fromBlocks(start: BlockState): ReadBlocks {
  const places = new Map<string, string>();
  const taken = new Set<string>();
  collectOwn(start, taken);
  const read = (block: BlockState, path: string): Json => {
    places.set(path, block.id);
    const row = blockRow(block.type);
    const kept = keptIn(block);
    if (!row || row.type === KEPT) return kept.rest;
    if (row.isPlain) return String(block.fields?.[row.fields[0]!.field] ?? "");
    const value: JsonObject = isObject(kept.rest) ? structuredClone(kept.rest) : {};
    if (row.step !== undefined) name(row, block, kept, value, taken);
    for (const field of row.fields) writeField(field, block, kept, value);
    for (const list of row.lists) {
      const entries: Json[] = [];
      const place = path === "" ? list.path.join(".") : `${path}.${list.path.join(".")}`;
      for (let inner = block.inputs?.[list.input]?.block; inner; inner = inner.next?.block) entries.push(read(inner, `${place}.${entries.length}`));
      if (entries.length > 0 || !kept.absent.includes(list.input)) put(value, list.path, entries);
    }
    return value;
  };
  return { document: read(start, "") as JsonObject, places };
}

const NOTHING: Kept = { rest: {}, absent: [] };

function keptIn(block: BlockState): Kept {
  try {
    const kept = JSON.parse(block.data ?? "") as Kept;
    return isObject(kept) && Array.isArray(kept.absent) ? kept : NOTHING;
  } catch {
    return NOTHING; // a block fresh from the shelf
  }
}

function writeField(row: FieldRow, block: BlockState, kept: Kept, value: JsonObject): void {
  const raw = block.fields?.[row.field];
  const shown = row.kind === "flag" ? raw === true || raw === "TRUE" : String(raw ?? usual(row));
  if (shown === usual(row) && (kept.absent.includes(row.field) || (row.kind !== "words" && kept === NOTHING && !isNeeded(row)))) return;
  const words = kept.words?.[row.field];
  if (row.kind === "words") put(value, row.path, words && words[0] === shown ? [...words[1]] : asWords(String(shown)));
  else put(value, row.path, row.kind === "pin" && NUMBER.test(String(shown)) ? Number(shown) : shown);
}

/** Steps need all of their fields, a spec its goal alone; what else is at its default may be left out. */
const isNeeded = (row: FieldRow) => row.path.length === 1 || row.path.join(".") === "project.goal" || row.path.join(".") === "plan.skillName";

function collectOwn(block: BlockState | undefined, taken: Set<string>): void {
  for (let each = block; each; each = each.next?.block) {
    const own = keptIn(each).own;
    if (own?.[0] === each.id && own[1] !== null) taken.add(own[1]);
    for (const input of Object.values(each.inputs ?? {})) collectOwn(input.block, taken);
  }
}

/** A step keeps its id; a new one, or a copy, is called by what it remembers or does. */
function name(row: BlockRow, block: BlockState, kept: Kept, value: JsonObject, taken: Set<string>): void {
  value.type = row.step!;
  if (kept.own?.[0] === block.id) {
    if (kept.own[1] !== null) value.id = kept.own[1];
    return;
  }
  const { STORE_AS, KEY, HEADER } = block.fields ?? {};
  const stem = String(STORE_AS || KEY || HEADER || row.step!).toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "").slice(0, 40) || row.step!;
  let id = stem;
  for (let number = 2; taken.has(id); number++) id = `${stem}-${number}`;
  taken.add(id);
  value.id = id;
}

/** The block at which a fault lies: that of the longest beginning of its path. */
export function placeOfFault(places: Map<string, string>, path: string): string | undefined {
  const parts = path.split(".");
  for (let length = parts.length; length >= 0; length--) {
    const found = places.get(parts.slice(0, length).join("."));
    if (found !== undefined) return found;
  }
  return undefined;
}

export interface Lack {
  path: string;
  block: string;
  lacked: string[];
}

/** The steps of a plan that cannot do anything as they are, in their order; a plan may be kept with them, not run. */
export function lacksIn(document: JsonObject): Lack[] {
  const found: Lack[] = [];
  const walk = (steps: Json | undefined, path: string) =>
    (Array.isArray(steps) ? steps : []).forEach((step, index) => {
      const row = isObject(step) ? stepRow(step.type) : undefined;
      if (!row) return;
      const place = `${path}.${index}`;
      const isBlank = (value: Json | undefined) => typeof value !== "string" || value.trim() === "";
      const lacked = row.fields.flatMap(({ lack, path: where }) => (lack && isBlank(at(step, where)) ? lack : []));
      if (lacked.length > 0) found.push({ path: place, block: row.title, lacked });
      for (const list of row.lists) walk(at(step, list.path), `${place}.${list.path.join(".")}`);
    });
  walk(at(document, ["plan", "steps"]), "plan.steps");
  return found;
}
