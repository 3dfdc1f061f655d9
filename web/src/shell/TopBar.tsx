import { useRef } from "react";
import { type Address, formatAddress, HOME, type Place, type View } from "../address";
import { latestOf, listGraphs } from "../api";
import { useHouse } from "./house";
import { COMMAND } from "./Keys";
import { Link, PathLink } from "./Link";
import { PLACE_NAMES } from "./Rail";
import { setTheme, THEMES, type Theme, useTheme } from "./theme";
import { useFetched } from "./useFetched";
import { useWithin } from "./usePageTitle";

export const VIEW_NAMES: Record<View, string> = { map: "Map", list: "List", index: "Index", read: "Read", health: "Health", history: "History", pack: "Pack" };
/** A pack is opened from an answer or a note. */
const NAMED: View[] = ["map", "list", "index", "read", "health", "history"];

interface Props {
  place: Place | null;
  address: Address;
  /** Whether a conversation is open, which has its space for good. */
  isThread: boolean;
}

/** Where you are, how to find or ask, how the server is. */
export function TopBar({ place, address, isThread }: Props) {
  const inSpace = place === "library" && address.graph !== "";
  const asks = place === "ask" && !isThread;
  return (
    <header className="top">
      <div className="crumbs">
        {inSpace || asks ? <SpaceSwitcher address={address} asks={asks} /> : place ? <Crumbs place={place} /> : <span className="crumb">Nothing here</span>}
      </div>
      {inSpace ? (
        <nav className="views" aria-label="Views of this space">
          {NAMED.map((view) => (
            <Link key={view} to={{ view, slug: "", node: "" }} aria-current={address.view === view ? "page" : undefined}>
              {VIEW_NAMES[view]}
            </Link>
          ))}
        </nav>
      ) : null}
      <div className="top-right">
        <button type="button" className="find" data-ask-open="" aria-keyshortcuts="Control+K Meta+K /">
          <span>Find or ask…</span> <kbd aria-hidden="true">{COMMAND}K</kbd>
        </button>
        <HouseMark />
        <ThemeButton />
      </div>
    </header>
  );
}

/** The place, and what is open in it. */
function Crumbs({ place }: { place: Place }) {
  const name = PLACE_NAMES[place];
  const within = useWithin(name);
  if (!within) return <span className="crumb">{name}</span>;
  return (
    <nav className="crumb" aria-label="Where you are">
      <PathLink to={place === "library" ? "/" : `/${place}`}>{name}</PathLink>
      <span className="crumb-within" title={within}>
        {within}
      </span>
    </nav>
  );
}

function SpaceSwitcher({ address, asks }: { address: Address; asks: boolean }) {
  const box = useRef<HTMLDetailsElement>(null);
  const [fetched] = useFetched("graphs", listGraphs);
  const close = () => box.current?.removeAttribute("open");
  const others = fetched.value ?? [];
  const open = address.graph || (asks ? (latestOf(others) ?? "") : "");
  return (
    <>
      {asks ? (
        <span className="crumb">
          {PLACE_NAMES.ask}
          {open ? <span className="crumb-within" /> : null}
        </span>
      ) : null}
      {asks && !open ? null : (
        <details
          ref={box}
          className="switcher"
          onKeyDown={(event) => {
            if (event.key !== "Escape" || !box.current?.open) return;
            close();
            box.current.querySelector("summary")?.focus();
          }}
          onBlur={(event) => event.currentTarget.contains(event.relatedTarget) || close()}
        >
          <summary>
            <h1 className="graph-name">{others.find(({ graphId }) => graphId === open)?.name ?? open}</h1>
            <span className="unseen">, choose another graph</span>
            <span aria-hidden="true">▾</span>
          </summary>
          <ul onClick={close}>
            {others.map(({ graphId, name, nodeCount }) => (
              <li key={graphId}>
                <PathLink to={asks ? `/ask?graph=${encodeURIComponent(graphId)}` : formatAddress({ ...HOME, graph: graphId, view: address.view })} aria-current={graphId === open ? "true" : undefined}>
                  {name ?? graphId} <span className="count">{nodeCount.toLocaleString("en")}</span>
                </PathLink>
              </li>
            ))}
            <li>
              <PathLink to="/">All graphs</PathLink>
            </li>
          </ul>
        </details>
      )}
    </>
  );
}

/** One mark for the whole page: whether the server answers, and which model it has. */
function HouseMark() {
  const { line, health } = useHouse();
  const words = { asking: "", live: "live", offline: "offline, trying again", locked: "needs a token" }[line];
  const model = health?.model;
  return (
    <div className={`house-mark ${line}`}>
      <span role="status">{words}</span>
      {model === "none" ? <NoModel /> : model ? <span className="model" title={`Model: ${model}`}>{model}</span> : null}
    </div>
  );
}

/** Without a model everything but written answers and builds works; here is how to have one. */
function NoModel() {
  return (
    <details className="switcher no-model">
      <summary>no model</summary>
      <div className="set-one-up">
        <p>No language model is set up: you find, read, curate and route, and answers are passages.</p>
        <p>Start the server with one of these:</p>
        <pre>
          <code>{"LORE_MODEL=demo lore serve\nANTHROPIC_API_KEY=… lore serve\nLORE_MODEL=ollama:llama3.2 lore serve"}</code>
        </pre>
        <p>The first needs no key and no network.</p>
      </div>
    </details>
  );
}

const THEME_WORDS: Record<Theme, string> = { system: "as the system has it", light: "light", dark: "dark" };
const THEME_SIGNS: Record<Theme, string> = { system: "◐", light: "○", dark: "●" };

function ThemeButton() {
  const theme = useTheme();
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length]!;
  return (
    <button type="button" className="theme quiet" aria-label={`Colours: ${THEME_WORDS[theme]}. Change to ${THEME_WORDS[next]}`} title={`Colours: ${THEME_WORDS[theme]}`} onClick={() => setTheme(next)}>
      <span aria-hidden="true">{THEME_SIGNS[theme]}</span>
    </button>
  );
}
