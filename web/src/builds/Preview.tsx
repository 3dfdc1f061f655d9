import { useState } from "react";

const OWN_NAMES = ["localhost", "127.0.0.1", "[::1]"];

interface Props {
  url: string;
  goal: string;
  isWhole: boolean;
  /** Grows with what is there: work that is finished later is loaded by itself. */
  version: number;
}

/**
 * What was built, at work. It is a stranger's page on a port of its own: here it may run scripts and nothing else,
 * so it reaches neither this page nor anything that a browser keeps for it.
 */
export function Preview({ url, goal, isWhole, version }: Props) {
  const [round, setRound] = useState(0);
  const isHere = OWN_NAMES.includes(window.location.hostname);
  return (
    <section className={isWhole ? "preview" : "preview so-far"} aria-labelledby="preview-title">
      <div className="preview-head">
        <h2 id="preview-title">{isWhole ? "Preview" : "So far"}</h2>
        <div className="row">
          {isHere ? (
            <button type="button" onClick={() => setRound(round + 1)}>
              Load again
            </button>
          ) : null}
          <a className="button primary" href={url} target="_blank" rel="noreferrer">
            Open in a new tab
          </a>
        </div>
      </div>
      {isHere ? (
        <iframe key={`${version} ${round}`} title={`Preview: ${goal}`} src={url} sandbox="allow-scripts" referrerPolicy="no-referrer" />
      ) : (
        <p className="soft">It is shown on the computer that runs this server alone, at {url}</p>
      )}
    </section>
  );
}
