import { useState, useSyncExternalStore } from "react";
import { formatAddress, HOME } from "../address";
import { readNode } from "../api";
import { copyText } from "../ask/copyText";
import { readingPath } from "../read/readingPath";
import { PathLink } from "../shell/Link";

export interface Pinned {
  graph: string;
  id: string;
  name: string;
  path: string;
}

const KEY = "loreweave.pinned";
const listeners = new Set<() => void>();
let pinned = kept();

function kept(): Pinned | null {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? "null") as Pinned | null;
  } catch {
    return null;
  }
}

/** One note at a time, for as long as the tab lives. */
export function pin(note: Pinned | null): void {
  pinned = note;
  try {
    sessionStorage.setItem(KEY, JSON.stringify(note));
  } catch {
    // Then it lasts until the page is loaded again.
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const usePinned = () => useSyncExternalStore(subscribe, () => pinned);

export function PinButton({ note }: { note: Pinned }) {
  const now = usePinned();
  const isPinned = now?.id === note.id && now.graph === note.graph;
  return (
    <button type="button" className="link" aria-pressed={isPinned} title="A pinned note stays here when you go elsewhere" onClick={() => pin(isPinned ? null : note)}>
      {isPinned ? "Pinned" : "Pin"}
    </button>
  );
}

/** What else can be done with a note. */
export function NoteWays({ graph, id, path, name }: { graph: string; id: string; path: string; name: string }) {
  const [told, setTold] = useState("");
  const copy = async () => {
    const { content } = await readNode(graph, id, 4);
    setTold((await copyText(`# ${name} (${id})\n\n${content}`)) ? "Copied" : "The browser did not allow it");
  };
  return (
    <p className="note-ways">
      <PathLink to={formatAddress({ ...HOME, graph, node: id })}>On the map</PathLink>
      {path ? <PathLink to={readingPath(graph, path.replace(/\.(md|mdx|markdown)$/, ""))}>As a page</PathLink> : null}
      <button type="button" className="link" onClick={() => copy().catch(() => setTold("The server did not answer"))} onBlur={() => setTold("")}>
        Copy for an agent
      </button>
      <PinButton note={{ graph, id, name, path }} />
      <span role="status">{told}</span>
    </p>
  );
}
