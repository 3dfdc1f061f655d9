import type { RouteVerdict, Routes } from "../routeWire";

interface Props {
  routes: Routes;
  considered: RouteVerdict[];
  openRule: (edge: number) => void;
}

const MOST_ROWS = 60;

/** Which rule won, and what the others missed. */
export function WhyTable({ routes, considered, openRule }: Props) {
  if (considered.length === 0) return <p className="soft">Nothing leads on from here.</p>;
  // A question of a tree is known by what it asks.
  const named = (id: string) => routes.nodes.find((node) => node.id === id)?.label ?? id;
  return (
    <table className="why">
      <caption className="unseen">Edges that this step looked at</caption>
      <thead>
        <tr>
          <th scope="col">Leads to</th>
          <th scope="col">Verdict</th>
          <th scope="col">Why</th>
        </tr>
      </thead>
      <tbody>
        {considered.slice(0, MOST_ROWS).map(({ edge, verdict, why }) => (
          <tr key={edge} className={verdict.replace(" ", "-")}>
            <th scope="row">
              <button type="button" className="link" onClick={() => openRule(edge)}>
                {named(routes.edges[edge]?.to ?? "")}
              </button>
            </th>
            <td>
              <b className={`verdict ${verdict.replace(" ", "-")}`}>{verdict}</b>
            </td>
            <td>{why}</td>
          </tr>
        ))}
      </tbody>
      {considered.length > MOST_ROWS ? (
        <tfoot>
          <tr>
            <td colSpan={3}>And {considered.length - MOST_ROWS} more.</td>
          </tr>
        </tfoot>
      ) : null}
    </table>
  );
}
