import type { ApiError } from "../api";

/** The server's own sentence, and what can be done about it. Where a token is missing the whole page asks for one. */
export function ErrorNote({ error, retry }: { error: ApiError; retry?: () => void }) {
  return (
    <div className="error-note" role="alert">
      <p>{error.message}</p>
      {retry && error.status !== 404 && error.status !== 401 ? (
        <button type="button" onClick={retry}>
          Try again
        </button>
      ) : null}
    </div>
  );
}
