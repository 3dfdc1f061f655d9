import type { PlaceProps } from "../address";
import { ErrorNote } from "../shell/ErrorNote";
import { PathLink } from "../shell/Link";
import { Nowhere } from "../shell/Nowhere";
import { useQueryField } from "../shell/useAddress";
import { usePageTitle } from "../shell/usePageTitle";
import { AllView } from "./all/AllView";
import { RecordPanel } from "./all/RecordPanel";
import { InboxView } from "./inbox/InboxView";
import type { Status } from "./memoryApi";
import { useTold } from "./memoryNews";
import { HistoryView } from "./past/HistoryView";
import { TrashView } from "./past/TrashView";
import "../styles/memory.css";

const VIEWS = { "": "Inbox", all: "All", trash: "Trash", history: "History" } as const;
type View = keyof typeof VIEWS;

const BODIES = { "": InboxView, all: AllView, trash: TrashView, history: HistoryView };
const MOST_TASKS = 50;

export default function MemoryPlace({ where }: PlaceProps) {
  const [first = "", ...more] = where.rest;
  const view = first in VIEWS && more.length === 0 ? (first as View) : null;
  usePageTitle(view === null ? "Memory" : `${VIEWS[view]} · Memory`);
  const { value: status, error } = useTold<Status>("get_memetic_status", { limit: MOST_TASKS }, true);
  const [, setOpened] = useQueryField("m");
  if (view === null) return <Nowhere said="Memory has an inbox, a list of all memories, a trash and a history." to="/memory" way="Go to the inbox" />;
  const Body = BODIES[view];
  return (
    <main id="main" className="memory-place" tabIndex={-1}>
      <header className="memory-head">
        <h1 className="unseen">Memory: {VIEWS[view]}</h1>
        <nav aria-label="Views of memory" className="memory-views">
          {(Object.keys(VIEWS) as View[]).map((name) => (
            <PathLink key={name} to={name ? `/memory/${name}` : "/memory"} aria-current={name === view ? "page" : undefined}>
              {VIEWS[name]} <Count view={name} status={status} />
            </PathLink>
          ))}
        </nav>
        <button type="button" className="memory-new" onClick={() => setOpened("new", "push")}>
          New memory
        </button>
      </header>
      {error && !status ? <ErrorNote error={error} /> : <Body status={status} open={(nodeId) => setOpened(nodeId, "push")} />}
      <RecordPanel />
    </main>
  );
}

function Count({ view, status }: { view: View; status: Status | undefined }) {
  if (!status || view === "history") return null;
  const { counts, total_tasks } = status;
  return <span className="count">{{ "": total_tasks, all: counts.live, trash: counts.deleted + counts.reversible_merges }[view]}</span>;
}
