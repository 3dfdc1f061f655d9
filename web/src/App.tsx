import { type ComponentType, lazy, Suspense, useEffect } from "react";
import type { Place, PlaceProps } from "./address";
import { EmptyWeave } from "./library/Weave";
import { Keys } from "./shell/Keys";
import { PathLink } from "./shell/Link";
import { Rail } from "./shell/Rail";
import { Toasts } from "./shell/Toasts";
import { TopBar } from "./shell/TopBar";
import { useWhere } from "./shell/useAddress";
import { usePageTitle } from "./shell/usePageTitle";

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
  const Room = place ? ROOMS[place] : Nowhere;
  return (
    <>
      <a className="skip" href="#main">
        Skip to content
      </a>
      <Keys />
      <Rail place={place} graph={address.graph} />
      <TopBar place={place} address={address} isThread={place === "ask" && where.rest.length > 0} />
      <div className="stage">
        <Suspense fallback={<Opening />}>
          <Room where={where} />
        </Suspense>
        <div id="inspector" />
        <Suspense fallback={null}>
          <PinnedNote />
        </Suspense>
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

function Nowhere() {
  usePageTitle("Nothing here");
  return (
    <main id="main" className="centred" tabIndex={-1}>
      <EmptyWeave />
      <h1>There is nothing at this address</h1>
      <p>It may have been renamed or deleted, or the address was cut short on its way here.</p>
      <p>
        <PathLink to="/">Go to the library</PathLink>
      </p>
    </main>
  );
}
