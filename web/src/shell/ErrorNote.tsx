import { type FormEvent, useState } from "react";
import { type ApiError, keepToken } from "../api";

/** The server's own sentence, and what can be done about it. */
export function ErrorNote({ error, retry }: { error: ApiError; retry?: () => void }) {
  return (
    <div className="error-note" role="alert">
      <p>{error.message}</p>
      {error.status === 401 ? <TokenForm /> : null}
      {retry && error.status !== 404 && error.status !== 401 ? (
        <button type="button" onClick={retry}>
          Try again
        </button>
      ) : null}
    </div>
  );
}

function TokenForm() {
  const [token, setToken] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    keepToken(token.trim());
    window.location.reload();
  };
  return (
    <form className="row" onSubmit={submit}>
      <label>
        Access token <input type="password" autoComplete="off" required value={token} onChange={(event) => setToken(event.target.value)} />
      </label>
      <button type="submit">Use it in this tab</button>
    </form>
  );
}
