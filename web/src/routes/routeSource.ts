// Where the skills come from: a graph of the library, the example that comes along, or a folder that stays in this tab.

import escalation from "../../../examples/refund-desk/escalation/SKILL.md?raw";
import houseStyle from "../../../examples/refund-desk/house-style/SKILL.md?raw";
import orderStatus from "../../../examples/refund-desk/order-status/SKILL.md?raw";
import receipts from "../../../examples/refund-desk/receipts/SKILL.md?raw";
import refunds from "../../../examples/refund-desk/refunds/SKILL.md?raw";
import limits from "../../../examples/refund-desk/skillgraph.md?raw";
import triage from "../../../examples/refund-desk/triage/SKILL.md?raw";
import type { RouteSource } from "./routeWire";

// No graph of the library begins with this sign.
export const EXAMPLE = "~refund-desk";
export const FOLDER = "~folder";

const EXAMPLE_FILES = {
  "escalation/SKILL.md": escalation,
  "house-style/SKILL.md": houseStyle,
  "order-status/SKILL.md": orderStatus,
  "receipts/SKILL.md": receipts,
  "refunds/SKILL.md": refunds,
  "skillgraph.md": limits,
  "triage/SKILL.md": triage,
};

export interface NamedSource {
  name: string;
  kind: "library" | "example" | "folder";
  source: RouteSource;
}

interface DroppedFolder {
  name: string;
  files: Record<string, string>;
}

const KEY = "loreweave.routes.folder";
let dropped: DroppedFolder | null = null;

/** Null where a folder is meant that this tab does not hold. */
export function sourceOf(id: string): NamedSource | null {
  if (id === EXAMPLE) return { name: "Refund desk", kind: "example", source: { files: EXAMPLE_FILES } };
  if (id !== FOLDER) return { name: id, kind: "library", source: { graphId: id } };
  const folder = keptFolder();
  return folder && { name: folder.name, kind: "folder", source: { files: folder.files } };
}

function keptFolder(): DroppedFolder | null {
  if (dropped) return dropped;
  try {
    dropped = JSON.parse(sessionStorage.getItem(KEY) ?? "null") as DroppedFolder | null;
  } catch {
    dropped = null;
  }
  return dropped;
}

function keepFolder(folder: DroppedFolder): void {
  dropped = folder;
  try {
    sessionStorage.setItem(KEY, JSON.stringify(folder));
  } catch {
    // Too large to outlive a reload; until then it is here.
  }
}

/** Keeps the markdown of what was chosen; a sentence where there is none. */
export async function takeFolder(files: { path: string; file: File }[]): Promise<string | null> {
  const notes = files.filter(({ path }) => /\.mdx?$/i.test(path) && !/(^|\/)(\.|node_modules\/)/.test(path));
  if (notes.length === 0) return "There is no markdown in there. A skill is a folder with a SKILL.md.";
  const texts = await Promise.all(notes.map(async ({ path, file }) => [path, await file.text()] as const));
  const [first = ""] = notes[0]!.path.split("/");
  const isOneFolder = notes.every(({ path }) => path.startsWith(`${first}/`));
  const inside = (path: string) => (isOneFolder ? path.slice(first.length + 1) : path);
  keepFolder({ name: isOneFolder ? first : "Dropped skills", files: Object.fromEntries(texts.map(([path, text]) => [inside(path), text])) });
  return null;
}

/** Every file of what was dropped, folders included. */
export async function droppedFiles(transfer: DataTransfer): Promise<{ path: string; file: File }[]> {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter((entry) => entry != null);
  return (await Promise.all(entries.map((entry) => filesBelow(entry, "")))).flat();
}

async function filesBelow(entry: FileSystemEntry, above: string): Promise<{ path: string; file: File }[]> {
  const path = above + entry.name;
  if (entry.isFile) {
    const file = await new Promise<File>((found, failed) => (entry as FileSystemFileEntry).file(found, failed));
    return [{ path, file }];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const inside: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((found, failed) => reader.readEntries(found, failed));
    if (some.length === 0) break;
    inside.push(...some); // a browser hands over a hundred at a time
  }
  return (await Promise.all(inside.map((one) => filesBelow(one, `${path}/`)))).flat();
}
