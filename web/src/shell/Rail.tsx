import type { ReactNode } from "react";
import type { Place } from "../address";
import { useHouse } from "./house";
import { PathLink } from "./Link";

export const PLACE_NAMES: Record<Place, string> = { library: "Library", ask: "Ask", memory: "Memory", routes: "Routes", studio: "Studio" };

const PATHS: Record<Place, string> = { library: "/", ask: "/ask", memory: "/memory", routes: "/routes", studio: "/studio" };

const SIGNS: Record<Place, ReactNode> = {
  library: <path d="M4 5h5v14H4zM9 5h5v14H9zM15.2 5.6l4.4-.9 1 13.4-4.4.9z" />,
  ask: <path d="M5 5h14v11h-7l-4.5 4V16H5zM9.8 9.2a2.2 2.2 0 1 1 3 2c-.6.3-.8.6-.8 1.2M12 14.2v.2" />,
  memory: <path d="M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM12 8.4a3.6 3.6 0 1 0 0 7.2 3.6 3.6 0 0 0 0-7.2z" />,
  routes: <path d="M6 7.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM18 20.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM8 5.5h6a3.5 3.5 0 0 1 0 7h-4a3 3 0 0 0 0 6h6" />,
  studio: <path d="M4 6h7v5H4zM13 6h7v5h-7zM8.5 13h7v5h-7z" />,
};

/** The five places; at the bottom of the screen on phones. */
export function Rail({ place, graph }: { place: Place | null; graph: string }) {
  const { needy, tasks } = useHouse();
  const paths = { ...PATHS, ask: graph && place !== "ask" ? `/ask?graph=${encodeURIComponent(graph)}` : PATHS.ask };
  const badges: Partial<Record<Place, [number, string]>> = {
    memory: [tasks, tasks === 1 ? "1 task open" : `${tasks} tasks open`],
    studio: [needy.length, needy.length === 1 ? "1 session needs you" : `${needy.length} sessions need you`],
  };
  return (
    <nav className="rail" aria-label="Places">
      <PathLink to="/" className="brand" aria-label="Loreweave, the library">
        <Weave />
      </PathLink>
      <ul>
        {(Object.keys(PLACE_NAMES) as Place[]).map((name) => {
          const [count, words] = badges[name] ?? [0, ""];
          return (
            <li key={name}>
              <PathLink to={paths[name]} className={`to-${name}`} aria-current={place === name ? "page" : undefined}>
                <svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true">
                  {SIGNS[name]}
                </svg>
                <span>{PLACE_NAMES[name]}</span>
                {count > 0 ? (
                  <span className={`badge ${name}`}>
                    <span aria-hidden="true">{count > 99 ? "99+" : count}</span>
                    <span className="unseen">, {words}</span>
                  </span>
                ) : null}
              </PathLink>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

function Weave() {
  return (
    <svg className="weave" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" fill="none" strokeWidth="3">
      <path d="M7 2v8.5M7 13.5V22M17 2v3.5M17 8.5V22" stroke="var(--dye-indigo)" />
      <path d="M2 7h3.5M8.5 7H22M2 17h13.5M18.5 17H22" stroke="var(--dye-madder)" />
    </svg>
  );
}
