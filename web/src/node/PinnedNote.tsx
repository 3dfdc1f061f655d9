import { readPage } from "../api";
import { Article } from "../read/Article";
import { ErrorNote } from "../shell/ErrorNote";
import { Inspector, useSelection } from "../shell/Inspector";
import { useFetched } from "../shell/useFetched";
import { NoteWays, type Pinned, pin, usePinned } from "./NoteWays";

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
