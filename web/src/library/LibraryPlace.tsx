import type { PlaceProps } from "../address";
import { GraphPage } from "../space/GraphPage";
import { VIEW_NAMES } from "../shell/TopBar";
import { usePageTitle } from "../shell/usePageTitle";
import { LibraryPage } from "./LibraryPage";
import "../styles/library.css";
import "../styles/graph.css";
import "../styles/note.css";
import "../styles/ask.css";
import "../styles/health.css";

export default function LibraryPlace({ where: { address } }: PlaceProps) {
  usePageTitle(address.graph && address.view === "read" ? null : address.graph ? `${address.graph} · ${VIEW_NAMES[address.view]}` : "");
  return address.graph ? <GraphPage key={address.graph} address={address} /> : <LibraryPage />;
}
