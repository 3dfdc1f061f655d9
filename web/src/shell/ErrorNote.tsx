import { useEffect, useState } from "react";
import { type ApiError, UNANSWERED } from "../api";
import { whenBack } from "./house";

const READ_MS = 3_000; // long enough to be read, where the line is back at once

/**
 * The server's own sentence, and what can be done about it. Where a token is missing the whole page asks for one; that the
 * server was away is said until it is back.
 */
export function ErrorNote({ error, retry }: { error: ApiError; retry?: () => void }) {
  const [over, setOver] = useState<ApiError | null>(null);
  useEffect(() => {
    if (error.code !== UNANSWERED) return;
    const since = Date.now();
    return whenBack(() => Date.now() - since > READ_MS && setOver(error));
  }, [error]);
  if (over === error) return null;
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
