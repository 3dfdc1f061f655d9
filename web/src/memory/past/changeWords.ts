// The history of all memories as rows a person reads: a merge and its sources are one row, and so is its undoing. Pure.

import { type Change, type Kept, titleOf, type WayBack } from "../memoryApi";

export interface Row {
  key: string;
  at: string;
  actor: string;
  /** Which memory to open, where there is one. */
  nodeId: string;
  name: string;
  words: string;
  undo: Pick<WayBack, "tool" | "arguments"> | null;
  /** What the way back is called. */
  back: "Undo" | "Ask again";
  /** Till when Undo lasts; none where it lasts as long as the texts stay as they are. */
  until: string | null;
  /** What an edit replaced. */
  replaced: string | null;
}

const MERGED = new Set(["merged_from", "merged_into"]);

const together = (change: Change) =>
  MERGED.has(change.action) ? `merge ${change.at}` : change.action === "merge_undone" ? `undone ${change.at}` : `${change.number}`;

export function historyRows(changes: Change[], kept: Kept[]): Row[] {
  const groups = new Map<string, Change[]>();
  for (const change of changes) groups.set(together(change), [...(groups.get(together(change)) ?? []), change]);
  // An undone merge is not asked about again: the two are of one moment.
  const apart = new Map(kept.filter(({ reason }) => reason === null).map(({ at, task_id }) => [at, task_id]));
  const rows = [...groups.values()].map((group) => rowOf(group, group[0]!.action === "merge_undone" ? apart.get(group[0]!.at) : undefined));
  const oldest = changes.at(-1)?.at ?? "";
  const asked = kept.filter(({ at, names, reason }) => names.length > 0 && reason !== null && at >= oldest).map(keptRow);
  return [...rows, ...asked].sort((one, two) => (one.at < two.at ? 1 : one.at > two.at ? -1 : 0));
}

function rowOf(group: Change[], apart: string | undefined): Row {
  const change = group.find(({ action, detail }) => action === "merged_from" || (action === "merge_undone" && "source_ids" in detail)) ?? group[0]!;
  return {
    key: `${change.number}`,
    at: change.at,
    actor: change.actor,
    nodeId: change.name === null ? "" : change.node_id,
    name: change.name ?? "An erased memory",
    words: `${wordsOf(change, group)}${apart ? "; its memories are not asked about again" : ""}`,
    undo: apart ? { tool: "reopen_task", arguments: { task_id: apart } } : change.undo,
    back: apart ? "Ask again" : "Undo",
    until: change.undo?.until ?? null,
    replaced: change.action === "edited" && typeof change.detail["content"] === "string" ? change.detail["content"] : null,
  };
}

const keptRow = (kept: Kept): Row => ({
  key: kept.task_id,
  at: kept.at,
  actor: "",
  nodeId: kept.node_ids[0] ?? "",
  name: kept.names.join(" · "),
  words: kept.reason ?? "left as they are",
  undo: { tool: "reopen_task", arguments: { task_id: kept.task_id } },
  back: "Undo",
  until: null,
  replaced: null,
});

const FIELDS: Record<string, string> = { content: "text", valid_from: "validity", valid_until: "validity" };

/** What happened to a memory, in words; `group` are the lines of the same moment. */
export function wordsOf({ action, detail }: Pick<Change, "action" | "detail">, group: Pick<Change, "action" | "name">[] = []): string {
  if (action === "boosted") return `importance ${number(detail["old"])} → ${number(detail["new"])}`;
  if (action === "edited") {
    const fields = [...new Set(Object.keys(detail).map((name) => FIELDS[name] ?? name))];
    return fields.length > 0 ? `edited: ${fields.join(", ")}` : "edited";
  }
  if (action === "merged_from") {
    const names = group.filter((other) => other.action === "merged_into" && other.name).map(({ name }) => `“${titleOf(name!)}”`);
    return `merged from ${names.length > 0 ? names.join(", ") : `${count(detail["source_ids"])} memories`}`;
  }
  if (action === "merged_into") return "merged into another";
  if (action === "merge_undone") return "source_ids" in detail ? "merge undone, in the trash" : "merge undone, back again";
  if (action === "forgotten") return typeof detail["reason"] === "string" ? `forgotten: ${detail["reason"]}` : "forgotten";
  return action;
}

const number = (value: unknown) => (typeof value === "number" ? value.toFixed(2) : "?");
const count = (value: unknown) => (Array.isArray(value) ? value.length : 0);

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

/** A sentence of the server with names for ids and days for times. */
export const readable = (sentence: string, names: ReadonlyMap<string, { name: string }>) =>
  sentence.replace(UUID, (id) => (names.has(id) ? `“${titleOf(names.get(id)!.name)}”` : id.slice(0, 8))).replace(TIME, (time) => day(time));

export const day = (time: string) => new Date(time).toLocaleDateString(undefined, { dateStyle: "medium" });

/** The day with the time of it: two of one day are told apart. */
export const moment = (time: string) => new Date(time).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });

const STEPS: [number, string][] = [
  [60_000, "minute"],
  [3_600_000, "hour"],
  [86_400_000, "day"],
];

/** "3 days left", on the server's clock. */
export function timeLeft(until: string, now: number): string {
  const left = Date.parse(until) - now;
  if (left <= 0) return "over";
  const [size, unit] = STEPS.findLast(([size]) => left >= size) ?? STEPS[0]!;
  const amount = Math.max(1, Math.round(left / size));
  return `${amount} ${unit}${amount === 1 ? "" : "s"} left`;
}

export function ago(time: string, now: number): string {
  const past = now - Date.parse(time);
  if (past < STEPS[0]![0]) return "just now";
  const [size, unit] = STEPS.findLast(([size]) => past >= size)!;
  const amount = Math.floor(past / size);
  return unit === "day" && amount > 30 ? day(time) : `${amount} ${unit}${amount === 1 ? "" : "s"} ago`;
}

const ACTORS: Record<string, string> = { http: "the page or HTTP", mcp: "an agent (MCP)", cli: "a terminal" };

/** Whose doing it was, in words. */
export const actorOf = (actor: string) => ACTORS[actor] ?? actor;
