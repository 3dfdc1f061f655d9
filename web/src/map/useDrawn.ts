import { useMemo } from "react";
import { readPlaces } from "../api";
import type { GraphModel } from "../shell/graphModel";
import { useQueryField } from "../shell/useAddress";
import { useFetched } from "../shell/useFetched";
import { type Colouring, colouringOf, isColouring, tellingColours } from "./colouring";
import type { Drawn } from "./MapView";
import { CLUSTERS_OFFERED, clustersOf, DRAWN_WHOLE, sceneOfClusters, sceneOfNotes } from "./scene";
import { useLayout } from "./placing/useLayout";

/** Chooses what the map draws: the whole graph, or of a very large one, and of a large one when asked, its clusters first. */
export function useDrawn(model: GraphModel, wanted: boolean): Drawn | null {
  const [opened, setOpened] = useQueryField("cluster");
  const [first] = useQueryField("first");
  const [by] = useQueryField("colour");
  const graph = model.graph.graphId;
  const [fetched] = useFetched(wanted ? graph : null, (signal) => readPlaces(graph, signal));
  const kept = fetched.state === "failed" ? NONE : (fetched.value ?? null);
  const total = model.nodes.length;
  const clustered = total > DRAWN_WHOLE || (total > CLUSTERS_OFFERED && first === "clusters");
  const clusters = useMemo(() => (wanted && clustered ? clustersOf(model.graph) : null), [model, wanted, clustered]);
  const cluster = clusters?.find(({ id }) => id === opened) ?? null;
  const colouring = useMemo((): Colouring => colouringOf(model, isColouring(by) ? by : tellingColours(model)), [model, by]);
  const scene = useMemo(() => {
    if (!wanted) return null;
    if (!clusters) return sceneOfNotes(model.nodes, model.graph.edges, colouring);
    if (!cluster) return sceneOfClusters(clusters, model.graph.edges);
    const shown = [...cluster.members]
      .sort((a, b) => b.inDegree + b.outDegree - a.inDegree - a.outDegree || (a.id < b.id ? -1 : 1))
      .slice(0, DRAWN_WHOLE);
    return sceneOfNotes(shown, model.graph.edges, colouring);
  }, [model, wanted, clusters, cluster, colouring]);
  const view = `${scene?.kind} ${cluster?.id ?? ""}`;
  const placing = useLayout(scene, view, kept, graph);
  if (!placing.scene) return null;
  return {
    view,
    scene: placing.scene,
    placing,
    colouring,
    cluster: cluster && { id: cluster.id, name: cluster.name, total: cluster.members.length },
    openCluster: (id) => setOpened(id ?? "", "push"),
  };
}

const NONE = {};
