import { Component, type ReactNode, useEffect, useState } from "react";
import { readHealth } from "./sessions/sessionApi";

interface Props {
  /** Going elsewhere tries anew. */
  place: string;
  /** For what may be missing without a word. */
  silent?: boolean;
  children: ReactNode;
}

/** A part of the page that could not be loaded or drawn takes nothing round it along: the rail still leads elsewhere. */
export class Faults extends Component<Props, { isBroken: boolean }> {
  override state = { isBroken: false };

  static getDerivedStateFromError() {
    return { isBroken: true };
  }

  override componentDidUpdate(before: Props) {
    if (before.place !== this.props.place && this.state.isBroken) this.setState({ isBroken: false });
  }

  override render() {
    if (!this.state.isBroken) return this.props.children;
    return this.props.silent ? null : <Fault />;
  }
}

const OFTEN_MS = 2_000;
const LAST_KEY = "loreweave.loadedAnew";
const SELDOM_MS = 30_000;

/** Loads itself anew as soon as the server answers, as after a restart with other files; what stays broken does so once. */
function Fault() {
  useEffect(() => {
    if (Date.now() - Number(sessionStorage.getItem(LAST_KEY)) < SELDOM_MS) return;
    let timer: number | undefined;
    const look = () =>
      readHealth().then(
        () => {
          sessionStorage.setItem(LAST_KEY, String(Date.now()));
          window.location.reload();
        },
        () => (timer = window.setTimeout(look, OFTEN_MS)),
      );
    timer = window.setTimeout(look, OFTEN_MS);
    return () => window.clearTimeout(timer);
  }, []);
  const [told, setTold] = useState("");
  const again = () => readHealth().then(() => window.location.reload(), () => setTold("Still no answer."));
  return (
    <main id="main" className="centred" tabIndex={-1}>
      <h1>This could not be opened</h1>
      <p>The server did not answer, or it has a newer page than this one. It opens by itself as soon as it can.</p>
      <p>
        <button type="button" onClick={() => void again()}>
          Try again
        </button>{" "}
        <span role="status">{told}</span>
      </p>
    </main>
  );
}
