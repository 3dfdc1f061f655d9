import { useMemo } from "react";
import { KindMark } from "../map/KindMark";
import { type GraphModel, readable } from "../shell/graphModel";
import { Link } from "../shell/Link";
import type { NodeCard } from "../wire";

interface Entry {
  moc: NodeCard;
  children: NodeCard[];
}

export function mocEntries(model: GraphModel): Entry[] {
  const children = new Map<string, NodeCard[]>();
  for (const edge of model.graph.edges) {
    if (edge.type !== "CLUSTERS") continue;
    const child = model.byId.get(edge.target);
    const list = children.get(edge.source) ?? [];
    if (child) list.push(child);
    children.set(edge.source, list);
  }
  return model.nodes
    .filter((node) => node.type === "moc")
    .map((moc) => ({ moc, children: (children.get(moc.id) ?? []).sort((a, b) => a.name.localeCompare(b.name, "en")) }))
    .sort((a, b) => b.children.length - a.children.length || a.moc.name.localeCompare(b.moc.name, "en"));
}

/** The maps of content as a table of contents, each with the notes it gathers. */
export function MocIndex({ model }: { model: GraphModel }) {
  const entries = useMemo(() => mocEntries(model), [model]);
  if (entries.length === 0) {
    return (
      <div className="centred soft">
        <p>
          This graph has no map of content yet. A note becomes one with <code>type: moc</code> in its header.
        </p>
        <p>
          Until then, <Link to={{ view: "read", slug: "", node: "" }}>read by its folders</Link> or <Link to={{ view: "list", node: "" }}>list the notes</Link>.
        </p>
      </div>
    );
  }
  return (
    <section className="index" aria-label="Maps of content">
      {entries.map(({ moc, children }) => (
        <article key={moc.id}>
          <h2>
            <KindMark look={model.looks.get("moc")} size={14} />
            <Link to={{ node: moc.id, tab: "info" }}>{moc.name}</Link>
          </h2>
          {moc.description ? <p className="soft">{readable(moc.description)}</p> : null}
          <details open={entries.length <= 4}>
            <summary>
              {children.length === 1 ? "1 note" : `${children.length.toLocaleString("en")} notes`}
            </summary>
            <ul>
              {children.map((child) => (
                <li key={child.id}>
                  <KindMark look={model.looks.get(child.type)} />
                  <Link to={{ node: child.id, tab: "info" }}>{child.name}</Link>
                </li>
              ))}
            </ul>
          </details>
        </article>
      ))}
    </section>
  );
}
