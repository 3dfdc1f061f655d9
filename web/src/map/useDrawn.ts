import { useMemo, useState } from "react";
import type { GraphModel } from "../shell/graphModel";
import type { Drawn } from "./MapView";
import { clustersOf, DRAWN_WHOLE, sceneOfClusters, sceneOfNotes } from "./scene";
import { useLayout } from "./useLayout";

/** Chooses what the map draws: the whole graph, or from 3,000 notes on its clusters and then the opened one. */
export function useDrawn(model: GraphModel, wanted: boolean): Drawn | null {
  const [opened, setOpened] = useState<string | null>(null);
  const clusters = useMemo(
    () => (wanted && model.nodes.length > DRAWN_WHOLE ? clustersOf(model.graph) : null),
    [model, wanted],
  );
  const cluster = clusters?.find(({ id }) => id === opened) ?? null;
  const scene = useMemo(() => {
    if (!wanted) return null;
    if (!clusters) return sceneOfNotes(model.nodes, model.graph.edges, model.looks);
    if (!cluster) return sceneOfClusters(clusters, model.graph.edges);
    const shown = [...cluster.members]
      .sort((a, b) => b.inDegree + b.outDegree - a.inDegree - a.outDegree || (a.id < b.id ? -1 : 1))
      .slice(0, DRAWN_WHOLE);
    return sceneOfNotes(shown, model.graph.edges, model.looks);
  }, [model, wanted, clusters, cluster]);
  const frame = useLayout(scene);
  if (!scene) return null;
  return {
    scene,
    frame,
    cluster: cluster && { id: cluster.id, name: cluster.name, total: cluster.members.length },
    openCluster: setOpened,
  };
}
