import { useMemo, useState } from "react";
import type { Address } from "../address";
import { KindMark } from "../map/KindMark";
import { ErrorNote } from "../shell/ErrorNote";
import { type GraphModel, passesFilters } from "../shell/graphModel";
import { Link } from "../shell/Link";
import type { Fetched } from "../shell/useFetched";
import type { NodeCard, SearchAnswer, SearchHit } from "../wire";

interface Props {
  model: GraphModel;
  address: Address;
  found: Fetched<SearchAnswer>;
}

const PAGE = 200;

/** All notes by how well they are connected, or what was found, best first. */
function shownNotes(model: GraphModel, address: Address, found: Fetched<SearchAnswer>): (NodeCard | SearchHit)[] {
  if (address.find.trim()) return found.value?.results ?? [];
  return model.nodes
    .filter((node) => passesFilters(node, address.domain, address.type))
    .sort((a, b) => b.inDegree + b.outDegree - a.inDegree - a.outDegree || (a.id < b.id ? -1 : 1));
}

export function ListView({ model, address, found }: Props) {
  const [pages, setPages] = useState(1);
  const notes = useMemo(() => shownNotes(model, address, found), [model, address, found]);
  if (found.state === "failed") return <ErrorNote error={found.error} />;
  const waiting = address.find.trim() !== "" && !found.value;
  if (notes.length === 0 && !waiting) return <p className="centred soft">No note matches. Change the words or clear the filters.</p>;
  return (
    <section className="list" aria-label="List of notes" aria-busy={waiting}>
      <table>
        <thead>
          <tr>
            <th scope="col">Note</th>
            <th scope="col">Type</th>
            <th scope="col" className="wide">
              Domain
            </th>
            <th scope="col" className="number">
              In
            </th>
            <th scope="col" className="number">
              Out
            </th>
          </tr>
        </thead>
        <tbody>
          {notes.slice(0, pages * PAGE).map((node) => (
            <Row key={node.id} node={node} model={model} />
          ))}
        </tbody>
      </table>
      {notes.length > pages * PAGE ? (
        <p className="more">
          <button type="button" onClick={() => setPages(pages + 1)}>
            Show {Math.min(PAGE, notes.length - pages * PAGE)} more of {notes.length}
          </button>
        </p>
      ) : null}
    </section>
  );
}

function Row({ node, model }: { node: NodeCard | SearchHit; model: GraphModel }) {
  return (
    <tr>
      <td>
        <Link className="row-link" to={{ node: node.id, tab: "info" }}>
          {node.name}
        </Link>
        {node.description ? <p>{node.description}</p> : null}
        {"matched" in node && node.matched.length > 0 ? (
          <p className="matched">found in {node.matched.join(", ")}</p>
        ) : null}
      </td>
      <td>
        <span className="kind">
          <KindMark look={model.looks.get(node.type)} />
          {node.type}
        </span>
      </td>
      <td className="wide">{node.domain}</td>
      <td className="number">{node.inDegree}</td>
      <td className="number">{node.outDegree}</td>
    </tr>
  );
}
