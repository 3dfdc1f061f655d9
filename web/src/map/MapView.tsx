import { useMemo } from "react";
import { counted } from "../counted";
import type { GraphModel } from "../shell/graphModel";
import { Link } from "../shell/Link";
import { go, useQueryField } from "../shell/useAddress";
import type { NodeCard } from "../wire";
import type { Colouring } from "./colouring";
import { Legend } from "./Legend";
import { MapCanvas } from "./MapCanvas";
import { CLUSTERS_OFFERED, DRAWN_WHOLE, type Scene } from "./scene";
import type { Placing } from "./placing/useLayout";
import { useSurroundings } from "./useSurroundings";

export interface Drawn {
  /** What is looked at: the whole graph, its clusters or one of them. */
  view: string;
  scene: Scene;
  placing: Placing;
  colouring: Colouring;
  /** The opened cluster of a graph too large to draw whole, and the way in and out. */
  cluster: { id: string; name: string; total: number } | null;
  openCluster: (id: string | null) => void;
}

interface Props {
  model: GraphModel;
  drawn: Drawn;
  selectedId: string;
  opacityOf: (id: string) => number;
  namedIds: ReadonlySet<string>;
  edgeType: string;
}

const FILTERED_OUT = 0.06;

export function MapView({ model, drawn, selectedId, opacityOf, namedIds, edgeType }: Props) {
  const { scene, placing, colouring, cluster, openCluster } = drawn;
  const [wish] = useQueryField("only");
  const [around] = useQueryField("around");
  const only = colouring.groups.has(wish) ? wish : "";
  const showsLine = useMemo(() => (type: string) => !edgeType || type === edgeType, [edgeType]);
  const { neighbours, isNear } = useSurroundings(model, selectedId);
  const orphans = useMemo(() => orphansOf(model), [model]);
  const opacity = useMemo(() => {
    const loose = new Set(orphans.map(({ id }) => id));
    return (id: string) => {
      if (loose.has(id) && id !== selectedId) return 0;
      if (!isNear(id)) return 0;
      const node = model.byId.get(id);
      return only && node && colouring.groupOf(node) !== only ? Math.min(FILTERED_OUT, opacityOf(id)) : opacityOf(id);
    };
  }, [model, orphans, isNear, opacityOf, only, colouring, selectedId]);
  const named = useMemo(() => new Set([...namedIds, ...neighbours]), [namedIds, neighbours]);
  const what = scene.kind === "clusters" ? counted(scene.marks.length, "cluster of notes", "clusters of notes") : counted(scene.marks.length, "note");
  return (
    <section className="map" aria-label="Map">
      <ClusterBanner model={model} drawn={drawn} />
      <MapCanvas
        view={`${drawn.view} ${around}`}
        isLocal={around !== ""}
        scene={scene}
        placing={placing}
        label={`Map of ${what} and ${counted(scene.sources.length, "link")}`}
        selectedId={selectedId}
        opacityOf={opacity}
        namedIds={named}
        showsLine={scene.kind === "clusters" ? everyLine : showsLine}
        onOpen={(id) => (scene.kind === "clusters" ? openCluster(id) : go({ node: id, tab: "info" }))}
      />
      {scene.kind === "notes" ? <Legend colouring={colouring} edgeCounts={model.edgeCounts} edge={edgeType} /> : null}
      {cluster || scene.kind === "clusters" ? null : <OrphanTray orphans={orphans} />}
      {model.graph.edges.length === 0 ? <NoLinks count={model.nodes.length} /> : null}
    </section>
  );
}

const everyLine = () => true;

/** Notes that no link touches; they are no picture, so they wait in a tray, unless there is nothing else. */
function orphansOf(model: GraphModel): NodeCard[] {
  const linked = new Set(model.graph.edges.flatMap(({ source, target }) => [source, target]));
  return linked.size === 0 ? [] : model.nodes.filter(({ id }) => !linked.has(id));
}

const TRAY = 300;

function OrphanTray({ orphans }: { orphans: NodeCard[] }) {
  if (orphans.length === 0) return null;
  return (
    <details className="map-tray">
      <summary>
        {counted(orphans.length, "note")} without links
      </summary>
      <ul>
        {orphans.slice(0, TRAY).map(({ id, name }) => (
          <li key={id}>
            <Link to={{ node: id, tab: "info" }}>{name}</Link>
          </li>
        ))}
      </ul>
      {orphans.length > TRAY ? <p className="soft">The List shows all of them.</p> : null}
    </details>
  );
}

/** Notes alone are no map yet: what makes one. */
const NoLinks = ({ count }: { count: number }) => (
  <p className="map-hint">
    {count === 1 ? "One note, and no link yet." : "No note links to another yet."} Write <code>[[the name of another note]]</code> into a note, read the folder again, and
    a line joins the two.
  </p>
);

/** Large graphs can be looked at by their clusters; the largest must. */
function ClusterBanner({ model, drawn: { scene, cluster, openCluster } }: { model: GraphModel; drawn: Drawn }) {
  const [, setFirst] = useQueryField("first");
  const total = model.nodes.length;
  if (total <= CLUSTERS_OFFERED) return null;
  if (cluster) {
    return (
      <p className="map-banner">
        <button type="button" className="link" onClick={() => openCluster(null)}>
          All clusters
        </button>{" "}
        › {cluster.name}
        {cluster.total > scene.marks.length ? ` (the ${scene.marks.length.toLocaleString("en")} best connected of ${cluster.total.toLocaleString("en")} notes)` : ` (${cluster.total.toLocaleString("en")} notes)`}
      </p>
    );
  }
  if (scene.kind === "clusters") {
    return (
      <p className="map-banner">
        {total.toLocaleString("en")} notes in {scene.marks.length.toLocaleString("en")} clusters. Open one to see its notes.{" "}
        {total <= DRAWN_WHOLE ? (
          <button type="button" className="link" onClick={() => setFirst("")}>
            Draw every note
          </button>
        ) : null}
      </p>
    );
  }
  return (
    <p className="map-banner">
      {total.toLocaleString("en")} notes.{" "}
      <button type="button" className="link" onClick={() => setFirst("clusters")}>
        Show clusters first
      </button>
    </p>
  );
}
