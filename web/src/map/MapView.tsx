import { useMemo } from "react";
import { go } from "../shell/useAddress";
import type { GraphModel } from "../shell/graphModel";
import { Legend } from "./Legend";
import type { LayoutFrame } from "./layout.worker";
import { MapCanvas } from "./MapCanvas";
import { DRAWN_WHOLE, type Scene } from "./scene";

export interface Drawn {
  scene: Scene;
  frame: LayoutFrame;
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

export function MapView({ model, drawn, selectedId, opacityOf, namedIds, edgeType }: Props) {
  const { scene, frame, cluster, openCluster } = drawn;
  const showsLine = useMemo(() => (type: string) => !edgeType || type === edgeType, [edgeType]);
  const large = model.nodes.length > DRAWN_WHOLE;
  const what = scene.kind === "clusters" ? "clusters of notes" : "notes";
  return (
    <section className="map" aria-label="Map">
      {large ? (
        <p className="map-banner">
          {cluster ? (
            <>
              <button type="button" className="link" onClick={() => openCluster(null)}>
                All clusters
              </button>{" "}
              › {cluster.name}
              {cluster.total > scene.marks.length
                ? ` (the ${scene.marks.length} best connected of ${cluster.total} notes)`
                : ` (${cluster.total} notes)`}
            </>
          ) : (
            <>
              {model.nodes.length.toLocaleString("en")} notes are too many to draw at once: these are their{" "}
              {scene.marks.length} clusters. Open one to see its notes.
            </>
          )}
        </p>
      ) : null}
      <MapCanvas
        scene={scene}
        frame={frame}
        label={`Map of ${scene.marks.length} ${what} and ${scene.sources.length} links`}
        selectedId={selectedId}
        opacityOf={opacityOf}
        namedIds={namedIds}
        showsLine={scene.kind === "clusters" ? everyLine : showsLine}
        onOpen={(id) => (scene.kind === "clusters" ? openCluster(id) : go({ node: id, tab: "info" }))}
      />
      {scene.kind === "notes" ? (
        <Legend looks={model.looks} typeCounts={model.typeCounts} edgeCounts={model.edgeCounts} />
      ) : null}
    </section>
  );
}

const everyLine = () => true;
