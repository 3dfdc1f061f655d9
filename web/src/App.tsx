import { useEffect } from "react";
import { LibraryPage } from "./library/LibraryPage";
import { GraphPage } from "./shell/GraphPage";
import { Header } from "./shell/Header";
import { useAddress } from "./shell/useAddress";

const VIEW_NAMES = { map: "Map", list: "List", index: "Index", ask: "Ask", health: "Health", changes: "Changes" };

export function App() {
  const address = useAddress();
  useEffect(() => {
    document.title = address.graph ? `${address.graph} · ${VIEW_NAMES[address.view]} · Loreweave` : "Loreweave";
  }, [address.graph, address.view]);
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
      <Header address={address} />
      {address.graph ? <GraphPage key={address.graph} address={address} /> : <LibraryPage />}
    </>
  );
}
