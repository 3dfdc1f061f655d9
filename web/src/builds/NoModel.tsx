import type { ApiError } from "../api";

/** Why nothing can be built here yet, and the shortest way to where it can. */
export function NoModel({ error }: { error: ApiError }) {
  return (
    <div className="error-note" role="alert">
      <div>
        <p>{error.message}.</p>
        <p>
          The demo plays planner and team without a key or a network. End the server, then start it so: <code>LORE_MODEL=demo lore serve</code>
        </p>
      </div>
    </div>
  );
}
