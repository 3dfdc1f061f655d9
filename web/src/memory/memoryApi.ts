// What memory is asked, over HTTP, under the names of its tools.

import { call, fetchFile } from "../api";

const ROOT = "/api/memory";

const DEFAULT_CUT = 80;

/** A name that nobody gave is the first line of the text, cut at a number of characters: shown, it ends with a whole word. */
export function titleOf(name: string, text = ""): string {
  const length = [...name].length;
  const next = text.startsWith(name) ? text.charAt(name.length) : null;
  const isSentence = /[.!?]$/.test(name) && (next === null || next === " ");
  // One that was cut between two words has lost the space that stood last.
  const isCut = length === DEFAULT_CUT ? next !== "" && next !== "\n" : length === DEFAULT_CUT - 1 && next === " ";
  return isCut && !isSentence ? `${wholeWords(name, next === " ").replace(/[,;:]$/, "")}…` : name;
}

/** Up to the last space, unless hardly anything would be left. */
function wholeWords(text: string, isWhole = false): string {
  const end = text.lastIndexOf(" ");
  return isWhole || end < text.length / 2 ? text : text.slice(0, end);
}

const PREVIEWED = 160;

/** What a row tells below its name: where the name is how the text begins, how it goes on. */
export function restOf(name: string, preview: string): string {
  const title = titleOf(name, preview);
  const whole = preview.length < PREVIEWED ? preview : `${wholeWords(preview)}…`;
  const begun = title.replace(/…$/, "");
  if (!whole.startsWith(begun)) return whole;
  const rest = whole.slice(begun.length).trim();
  return rest && title !== begun ? `…${rest.replace(/^[,;:] /, "")}` : rest;
}

export interface Relation {
  source_id: string;
  target_id: string;
  type: string;
  weight: number;
}

export interface HistoryEntry {
  at: string;
  action: string;
  actor: string;
  version: number;
  detail: Record<string, unknown>;
}

export interface Memory {
  node_id: string;
  name: string;
  content: string;
  importance: number;
  tags: string[];
  scope: string;
  source: string | null;
  valid_from: string | null;
  valid_until: string | null;
  relations: Relation[];
  version: number;
  created_at: string;
  updated_at: string;
  last_accessed_at: string | null;
  access_count: number;
  state: "live" | "deleted" | "merged";
  deleted_at: string | null;
  recoverable_until: string | null;
  merged_into: string | null;
  derived_from: string[];
  superseded_by: string | null;
  history: HistoryEntry[];
}

export interface Listed {
  node_id: string;
  name: string;
  preview: string;
  tags: string[];
  scope: string;
  importance: number;
  created_at: string;
  updated_at?: string;
  weak?: boolean;
}

export interface Task {
  task_id: string;
  task_type: "potential_merge" | "contradiction" | "stale" | "expiring_soon";
  target_nodes: string[];
  scope: string;
  reason: string;
  suggested_tool: string;
  suggested_arguments: Record<string, unknown>;
  priority: string;
  evidence: { similarity: number | null; previews: string[] };
}

export interface Topic {
  tag: string;
  live: number;
  mean_importance: number;
}

export interface Status {
  counts: { live: number; deleted: number; merged: number; reversible_merges: number };
  curation_tasks: Task[];
  total_tasks: number;
  topics: Topic[];
}

export interface WayBack {
  tool: string;
  arguments: Record<string, unknown>;
  until: string;
}

export interface Change extends HistoryEntry {
  number: number;
  node_id: string;
  name: string | null;
  undo: WayBack | null;
}

export interface Kept {
  task_id: string;
  node_ids: string[];
  names: string[];
  reason: string | null;
  at: string;
}

export interface Changes {
  changes: Change[];
  next: number | null;
  kept: Kept[];
  revision: number;
  now: string;
}

export interface Trash {
  items: { node_id: string; name: string; preview: string; deleted_at: string; recoverable_until: string }[];
  merges: { reversal_hash: string; merged_id: string; source_ids: string[]; target_name: string | null; rationale: string | null; reversible_until: string }[];
}

export interface Merge {
  merged_id?: string;
  reversal_hash?: string;
  merged: { name: string; content: string; tags: string[]; importance: number; relations: Relation[] } | null;
  statements?: { text: string; paragraph: number; source_ids: string[] }[];
  conflicts?: string[];
  warnings: string[];
}

export const askMemory = <T>(tool: string, given: object = {}, signal?: AbortSignal): Promise<T> =>
  call<T>(`/${tool}`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(given), signal }, ROOT);

export interface Imported {
  created: number;
  updated: number;
  unchanged: number;
  skipped: { file: string; error: string }[];
}

export const importMemories = (archive: File): Promise<Imported> =>
  call<Imported>("/import", { method: "POST", headers: { "Content-Type": "application/zip" }, body: archive }, ROOT);

/** Gives the browser every live memory as markdown to keep. */
export async function exportMemories(): Promise<void> {
  const address = URL.createObjectURL(await fetchFile(`${ROOT}/export`));
  const link = document.createElement("a");
  link.href = address;
  link.download = "memories.zip";
  link.click();
  URL.revokeObjectURL(address);
}

/** What each view of the memories is given. */
export interface ViewProps {
  status: Status | undefined;
  open: (nodeId: string) => void;
}
