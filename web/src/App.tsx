import { useEffect } from "react";
import { HOME } from "./address";
import { LibraryPage } from "./library/LibraryPage";
import { SessionPage } from "./sessions/SessionPage";
import { SessionsPage } from "./sessions/SessionsPage";
import { sessionPlace } from "./sessions/sessionPlace";
import { GraphPage } from "./shell/GraphPage";
import { Header } from "./shell/Header";
import { useAddress, usePath } from "./shell/useAddress";

const VIEW_NAMES = { map: "Map", list: "List", index: "Index", ask: "Ask", health: "Health", changes: "Changes" };

export function App() {
  const place = sessionPlace(usePath());
  const found = useAddress();
  const address = place ? HOME : found;
  useEffect(() => {
    if (place) return; // its own page names it
    document.title = address.graph ? `${address.graph} · ${VIEW_NAMES[address.view]} · Loreweave` : "Loreweave";
  }, [address.graph, address.view, place === null]);
  useEffect(() => {
    // The box for asking reads here which graph to ask; without one it asks the graph read last.
    const script = document.getElementById("ask-script");
    if (address.graph) script?.setAttribute("data-graph", address.graph);
    else script?.removeAttribute("data-graph");
  }, [address.graph]);
  return (
    <>
      <a className="skip" href="#main">
        Skip to content
      </a>
      <Header address={address} atSessions={place !== null} />
      {place ? (
        place.session ? (
          <SessionPage key={place.session} id={place.session} />
        ) : (
          <SessionsPage />
        )
      ) : address.graph ? (
        <GraphPage key={address.graph} address={address} />
      ) : (
        <LibraryPage />
      )}
    </>
  );
}
