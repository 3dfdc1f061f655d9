import { useMemo, useState } from "react";
import type { GraphModel } from "../shell/graphModel";
import { PathLink } from "../shell/Link";
import type { NodeCard, PageAnswer } from "../wire";
import { type Branch, branchesAbove, readTree } from "./readTree";
import { readingPath } from "./readingPath";

const SHOWN = 200;
const WIDE = "(min-width: 861px)";
const KINDS = { maps: "Maps of content", folders: "Folders", hubs: "Notes" };

/** All notes to read, with the open one marked; on a narrow screen folded away until it is asked for. */
export function ReadTree({ model, page }: { model: GraphModel; page: PageAnswer }) {
  const tree = useMemo(() => readTree(model), [model]);
  const above = useMemo(() => new Set(branchesAbove(tree.branches, page.id ?? "")), [tree, page.id]);
  const [open, setOpen] = useState(() => window.matchMedia(WIDE).matches);
  const graph = model.graph.graphId;
  return (
    <nav className="read-tree" aria-label="Pages">
      <details open={open} onToggle={(event) => event.target === event.currentTarget && setOpen(event.currentTarget.open)}>
        <summary>{KINDS[tree.by]}</summary>
        {tree.branches.map((branch) => (
          <TreeBranch key={branch.key} branch={branch} above={above} page={page} graph={graph} depth={0} />
        ))}
        {tree.notes.length > 0 && tree.branches.length > 0 && tree.by === "maps" ? (
          <TreeBranch branch={{ key: "elsewhere", title: "In no map", branches: [], notes: tree.notes, count: tree.notes.length }} above={above} page={page} graph={graph} depth={0} />
        ) : (
          <Leaves notes={tree.notes} page={page} graph={graph} />
        )}
      </details>
    </nav>
  );
}

interface BranchProps {
  branch: Branch;
  above: Set<string>;
  page: PageAnswer;
  graph: string;
  depth: number;
}

/** What is folded is not drawn: a space may hold thousands. */
function TreeBranch({ branch, above, page, graph, depth }: BranchProps) {
  const leadsHere = above.has(branch.key) || branch.notes.some(({ id }) => id === page.id);
  const [wish, setWish] = useState<boolean | null>(null);
  const open = wish ?? leadsHere;
  return (
    <details open={open} onToggle={(event) => event.target === event.currentTarget && event.currentTarget.open !== open && setWish(event.currentTarget.open)}>
      <summary>
        {branch.title} <span className="count">{branch.count.toLocaleString("en")}</span>
      </summary>
      {open ? (
        <div className="read-branch">
          {branch.note ? <Leaves notes={[branch.note]} page={page} graph={graph} /> : null}
          {branch.branches.map((below) => (
            <TreeBranch key={below.key} branch={below} above={above} page={page} graph={graph} depth={depth + 1} />
          ))}
          <Leaves notes={branch.notes} page={page} graph={graph} />
        </div>
      ) : null}
    </details>
  );
}

function Leaves({ notes, page, graph }: { notes: NodeCard[]; page: PageAnswer; graph: string }) {
  const [all, setAll] = useState(false);
  const at = notes.findIndex(({ id }) => id === page.id);
  const shown = all ? notes : notes.slice(0, Math.max(SHOWN, at + 1));
  if (notes.length === 0) return null;
  return (
    <ul>
      {shown.map((note) => (
        <li key={note.id}>
          <PathLink to={readingPath(graph, note.path)} aria-current={note.id === page.id ? "page" : undefined}>
            {note.name}
          </PathLink>
        </li>
      ))}
      {shown.length < notes.length ? (
        <li>
          <button type="button" className="link" onClick={() => setAll(true)}>
            {(notes.length - shown.length).toLocaleString("en")} more
          </button>
        </li>
      ) : null}
    </ul>
  );
}
