import { useEffect, useMemo, useState } from "react";
import { counted } from "../counted";
import type { Address } from "../address";
import { AskPanel } from "../ask/AskPanel";
import { packOpacity } from "../ask/pack/pack";
import { usePack } from "../ask/pack/usePack";
import { ChangesView } from "../changes/ChangesView";
import { HealthView } from "../health/HealthView";
import { FilterBar } from "../list/FilterBar";
import { ListView } from "../list/ListView";
import { MocIndex } from "../list/MocIndex";
import { useFound } from "../list/useFound";
import { MapView } from "../map/MapView";
import { useDrawn } from "../map/useDrawn";
import { NoteInspector } from "../node/NoteInspector";
import { ReadView } from "../read/ReadView";
import { ErrorNote } from "../shell/ErrorNote";
import { type GraphModel, modelOf, passesFilters } from "../shell/graphModel";
import { Link } from "../shell/Link";
import { Nowhere } from "../shell/Nowhere";
import { useGraph } from "./useGraph";

export function GraphPage({ address }: { address: Address }) {
  const [fetched, again, isNewer] = useGraph(address.graph);
  const model = useMemo(() => (fetched.value ? modelOf(fetched.value) : null), [fetched.value]);
  if (fetched.state === "failed" && fetched.error.status === 404) return <Nowhere said={`There is no graph called “${address.graph}” in the library.`} />;
  return (
    <main id="main" className={`graph view-${address.view}`} tabIndex={-1}>
      <p className="unseen" aria-live="polite">
        {isNewer && model ? `Read again: revision ${model.graph.revision}, ${counted(model.nodes.length, "note")}.` : ""}
      </p>
      {fetched.state === "failed" ? (
        <div className="centred">
          <ErrorNote error={fetched.error} retry={again} />
          <p>
            <Link to={{ graph: "", node: "" }}>See all graphs</Link>
          </p>
        </div>
      ) : model ? (
        <Workspace model={model} address={address} />
      ) : (
        <p className="centred soft" role="status">
          Reading the graph…
        </p>
      )}
    </main>
  );
}

const idOf = (model: GraphModel, name: string) =>
  !name || model.byId.has(name) ? name : (model.resolve(name.replace(/^skill:/, "")) ?? name);

const NONE: ReadonlySet<string> = new Set();
const FILTERED_OUT = 0.06;
const NOT_FOUND = 0.15;

function Workspace({ model, address: written }: { model: GraphModel; address: Address }) {
  // A person may write a note's name into an address, or follow an answer that names a skill.
  const address = useMemo(() => ({ ...written, node: idOf(model, written.node) }), [model, written]);
  const { view } = address;
  const onMap = view === "map" || view === "pack";
  const [mapWanted, setMapWanted] = useState(onMap);
  useEffect(() => {
    if (onMap) setMapWanted(true);
  }, [onMap]);
  const drawn = useDrawn(model, mapWanted);
  const found = useFound(address);
  const pack = usePack(address);

  const hits = useMemo(
    () => (found.value ? new Set(found.value.results.map((hit) => hit.id)) : null),
    [found.value],
  );
  const opacityOf = useMemo(() => {
    if (view === "pack") return pack.value ? packOpacity(pack.value) : () => 1;
    return (id: string) => {
      const node = model.byId.get(id);
      if (node && !passesFilters(node, address.domain, address.type)) return FILTERED_OUT;
      return hits && !hits.has(id) ? NOT_FOUND : 1;
    };
  }, [view, pack.value, model, address.domain, address.type, hits]);
  const namedIds = useMemo(() => {
    if (view === "pack") return new Set(pack.value?.loaded.map((node) => node.id));
    return hits ?? NONE;
  }, [view, pack.value, hits]);

  return (
    <>
      {view === "map" || view === "list" ? <FilterBar model={model} address={address} found={found} /> : null}
      {view === "list" ? <ListView model={model} address={address} found={found} /> : null}
      {view === "index" ? <MocIndex model={model} /> : null}
      {view === "read" ? <ReadView model={model} address={address} /> : null}
      {view === "health" ? <HealthView model={model} graphId={address.graph} /> : null}
      {view === "history" ? <ChangesView model={model} address={address} /> : null}
      {view === "pack" ? <AskPanel model={model} address={address} pack={pack} /> : null}
      {onMap && drawn ? (
        <MapView
          model={model}
          drawn={drawn}
          selectedId={address.node}
          opacityOf={opacityOf}
          namedIds={namedIds}
          edgeType={view === "map" ? address.edge : ""}
        />
      ) : null}
      {address.node ? <NoteInspector model={model} address={address} /> : null}
    </>
  );
}
