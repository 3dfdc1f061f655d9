import { type FormEvent, type ReactNode, useState } from "react";
import { hasToken, keepToken } from "./api";
import { useHouse } from "./shell/house";

/** Where the server wants a token there is one place to give it. What stood there waits behind it: nothing written is lost. */
export function Locked({ children }: { children: ReactNode }) {
  const { isLocked } = useHouse();
  return (
    <>
      {isLocked ? <TokenForm /> : null}
      <div className={isLocked ? "behind" : "in-front"}>{children}</div>
    </>
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
    <main id="main" className="centred" tabIndex={-1}>
      <h1>This server wants an access token</h1>
      <p role={hasToken() ? "alert" : undefined}>{hasToken() ? "It does not know the one of this tab. Give another one." : "It lets in whoever has one."}</p>
      <p className="soft">
        Whoever runs it makes one there: <code>lore token create</code>
      </p>
      <form className="row locked-form" onSubmit={submit}>
        <label>
          Access token <input type="password" autoComplete="off" required value={token} onChange={(event) => setToken(event.target.value)} />
        </label>
        <button type="submit" className="primary">
          Use it in this tab
        </button>
      </form>
    </main>
  );
}
