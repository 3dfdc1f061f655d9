import { useMemo, useState } from "react";
import type { Address } from "../address";
import { KindMark } from "../map/KindMark";
import { ErrorNote } from "../shell/ErrorNote";
import { type GraphModel, passesFilters, readable } from "../shell/graphModel";
import { Link } from "../shell/Link";
import { useQueryField } from "../shell/useAddress";
import type { Fetched } from "../shell/useFetched";
import type { NodeCard, SearchAnswer, SearchHit } from "../wire";

interface Props {
  model: GraphModel;
  address: Address;
  found: Fetched<SearchAnswer>;
}

const PAGE = 200;

const COLUMNS = {
  name: { title: "Note", look: "", down: false },
  type: { title: "Type", look: "", down: false },
  domain: { title: "Domain", look: "wide", down: false },
  inDegree: { title: "In", look: "number", down: true },
  outDegree: { title: "Out", look: "number", down: true },
} as const;
type Column = keyof typeof COLUMNS;

/** What is the same for every note tells nothing. */
const told = (column: Column, { typeCounts, domains }: GraphModel) => (column === "type" ? typeCounts.size > 1 : column === "domain" ? domains.length > 1 : true);

/** Made once: one for each comparison takes ten times as long as the sorting. */
const BY_NAME = new Intl.Collator("en", { numeric: true });

function sorted<T extends NodeCard>(notes: T[], column: Column, down: boolean): T[] {
  const compare = (a: T, b: T) => {
    const [left, right] = [a[column], b[column]];
    return typeof left === "number" ? left - (right as number) : BY_NAME.compare(left, right as string);
  };
  return [...notes].sort((a, b) => (down ? -1 : 1) * compare(a, b) || (a.id < b.id ? -1 : 1));
}

/** All notes by how well they are connected, or what was found, best first. */
function shownNotes(model: GraphModel, address: Address, found: Fetched<SearchAnswer>): (NodeCard | SearchHit)[] {
  if (address.find.trim()) return found.value?.results ?? [];
  return model.nodes
    .filter((node) => passesFilters(node, address.domain, address.type))
    .sort((a, b) => b.inDegree + b.outDegree - a.inDegree - a.outDegree || (a.id < b.id ? -1 : 1));
}

export function ListView({ model, address, found }: Props) {
  const [pages, setPages] = useState(1);
  const [sort, setSort] = useQueryField("sort");
  const [wanted = "", turned] = sort.split("-");
  const by = wanted in COLUMNS ? (wanted as Column) : null;
  const down = by !== null && COLUMNS[by].down !== (turned === "turned");
  const notes = useMemo(() => {
    const shown = shownNotes(model, address, found);
    return by ? sorted(shown, by, down) : shown;
  }, [model, address, found, by, down]);
  if (found.state === "failed") return <ErrorNote error={found.error} />;
  const waiting = address.find.trim() !== "" && !found.value;
  if (notes.length === 0 && !waiting) return <p className="centred soft">No note matches. Change the words or clear the filters.</p>;
  return (
    <section className="list" aria-label="List of notes" aria-busy={waiting}>
      <table>
        <thead>
          <tr>
            {(Object.keys(COLUMNS) as Column[]).filter((column) => told(column, model)).map((column) => (
              <th key={column} scope="col" className={COLUMNS[column].look} aria-sort={column === by ? (down ? "descending" : "ascending") : undefined}>
                <button type="button" className="quiet" onClick={() => setSort(column !== by ? column : down === COLUMNS[column].down ? `${column}-turned` : column)}>
                  {COLUMNS[column].title}
                  <span aria-hidden="true">{column === by ? (down ? " ↓" : " ↑") : ""}</span>
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {notes.slice(0, pages * PAGE).map((node) => (
            <Row key={node.id} node={node} model={model} isOpen={node.id === address.node} />
          ))}
        </tbody>
      </table>
      {notes.length > pages * PAGE ? (
        <p className="more">
          <button type="button" onClick={() => setPages(pages + 1)}>
            Show {Math.min(PAGE, notes.length - pages * PAGE)} more of {notes.length.toLocaleString("en")}
          </button>
        </p>
      ) : null}
    </section>
  );
}

function Row({ node, model, isOpen }: { node: NodeCard | SearchHit; model: GraphModel; isOpen: boolean }) {
  return (
    <tr className={isOpen ? "open" : undefined} aria-current={isOpen ? "true" : undefined}>
      <td>
        <Link className="row-link" to={{ node: node.id, tab: "info" }}>
          {node.name}
        </Link>
        {node.description ? <p>{readable(node.description)}</p> : null}
        {"matched" in node && node.matched.length > 0 ? (
          <p className="matched">found in {node.matched.join(", ")}</p>
        ) : null}
      </td>
      {told("type", model) ? (
        <td>
          <span className="kind">
            <KindMark look={model.looks.get(node.type)} />
            {node.type}
          </span>
        </td>
      ) : null}
      {told("domain", model) ? <td className="wide">{node.domain}</td> : null}
      <td className="number">{node.inDegree}</td>
      <td className="number">{node.outDegree}</td>
    </tr>
  );
}
