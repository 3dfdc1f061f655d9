import { type Address, HOME, type View } from "../address";
import { Link, PathLink } from "./Link";

const VIEWS: [View, string][] = [
  ["map", "Map"],
  ["list", "List"],
  ["index", "Index"],
  ["ask", "Ask"],
  ["health", "Health"],
  ["changes", "Changes"],
];

function Weave() {
  return (
    <svg className="weave" viewBox="0 0 24 24" width="22" height="22" aria-hidden="true" fill="none" strokeWidth="3">
      <path d="M7 2v8.5M7 13.5V22M17 2v3.5M17 8.5V22" stroke="var(--dye-indigo)" />
      <path d="M2 7h3.5M8.5 7H22M2 17h13.5M18.5 17H22" stroke="var(--dye-madder)" />
    </svg>
  );
}

export function Header({ address, atSessions }: { address: Address; atSessions: boolean }) {
  return (
    <header className="top">
      <Link className="brand" to={HOME} aria-label="Loreweave, all graphs">
        <Weave />
        <span>Loreweave</span>
      </Link>
      {address.graph ? (
        <>
          <h1 className="graph-name">{address.graph}</h1>
          <nav aria-label="Views of this graph">
            {VIEWS.map(([view, name]) => (
              <Link
                key={view}
                to={{ view, node: "" }}
                aria-current={address.view === view ? "page" : undefined}
              >
                {name}
              </Link>
            ))}
          </nav>
        </>
      ) : null}
      <div className="reading">
        <PathLink to="/sessions" className="to-sessions" aria-current={atSessions ? "page" : undefined}>
          Sessions
        </PathLink>
        <a href={address.graph ? `/docs?graph=${encodeURIComponent(address.graph)}` : "/docs"}>Pages</a>
        <button type="button" data-ask-open="" aria-keyshortcuts="Control+K Meta+K /">
          Search <kbd aria-hidden="true">/</kbd>
        </button>
      </div>
    </header>
  );
}
