import { useSyncExternalStore } from "react";
import { readPage } from "../api";
import { Article } from "../read/Article";
import { ErrorNote } from "../shell/ErrorNote";
import { Inspector, useSelection } from "../shell/Inspector";
import { useFetched } from "../shell/useFetched";
import { NoteWays } from "./NoteInspector";

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

/** The note that stays, wherever one goes; what is selected there comes before it. */
export function PinnedNote() {
  const note = usePinned();
  const isOther = useSelection();
  return note && !isOther ? <PinnedText note={note} /> : null;
}

function PinnedText({ note }: { note: Pinned }) {
  const [fetched, again] = useFetched(`${note.graph} ${note.id}`, (signal) => readPage(note.graph, { id: note.id }, signal));
  return (
    <Inspector title={note.name} kind={`pinned · ${note.graph}`} close={() => pin(null)} stays>
      <NoteWays graph={note.graph} id={note.id} path={note.path} name={note.name} />
      {fetched.state === "failed" ? <ErrorNote error={fetched.error} retry={again} /> : null}
      {fetched.value ? <Article page={fetched.value} hash="" /> : null}
    </Inspector>
  );
}
