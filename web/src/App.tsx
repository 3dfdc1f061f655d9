import { type ComponentType, lazy, Suspense, useEffect } from "react";
import type { Place, PlaceProps } from "./address";
import { Faults } from "./Fault";
import { Locked } from "./Locked";
import { Keys } from "./shell/Keys";
import { Nowhere } from "./shell/Nowhere";
import { Rail } from "./shell/Rail";
import { Toasts } from "./shell/Toasts";
import { TopBar } from "./shell/TopBar";
import { useWhere } from "./shell/useAddress";
import { useLost } from "./shell/usePageTitle";

/** Each place is loaded when it is gone to. */
const ROOMS: Record<Place, ComponentType<PlaceProps>> = {
  library: lazy(() => import("./library/LibraryPlace")),
  ask: lazy(() => import("./ask/AskPlace")),
  memory: lazy(() => import("./memory/MemoryPlace")),
  routes: lazy(() => import("./routes/RoutesPlace")),
  studio: lazy(() => import("./studio/StudioPlace")),
};

const PinnedNote = lazy(() => import("./node/PinnedNote").then(({ PinnedNote }) => ({ default: PinnedNote })));

export function App() {
  const where = useWhere();
  const { place, address } = where;
  useEffect(() => {
    // The box for asking reads here which graph to ask; without one it asks the graph read last.
    const script = document.getElementById("ask-script");
    if (address.graph) script?.setAttribute("data-graph", address.graph);
    else script?.removeAttribute("data-graph");
  }, [address.graph]);
  const isLost = useLost();
  const Room = place ? ROOMS[place] : null;
  return (
    <>
      <a className="skip" href="#main">
        Skip to content
      </a>
      <Keys />
      <Rail place={place} graph={address.graph} />
      <TopBar place={isLost ? null : place} address={address} isThread={place === "ask" && where.rest.length > 0} />
      <div className="stage">
        <Locked>
          <Faults place={place ?? ""}>
            <Suspense fallback={<Opening />}>
              {Room ? <Room where={where} /> : <Nowhere />}
            </Suspense>
          </Faults>
        </Locked>
        <div id="inspector" />
        <Faults place="" silent>
          <Suspense fallback={null}>
            <PinnedNote />
          </Suspense>
        </Faults>
      </div>
      <Toasts />
    </>
  );
}

const Opening = () => (
  <main id="main" tabIndex={-1}>
    <p className="centred soft" role="status">
      Opening…
    </p>
  </main>
);
