import { useState } from "react";
import { copyText } from "../../ask/copyText";
import { SaidText } from "../SaidText";
import type { Story } from "../sessionStory";

/** The result of a session, or why there is none. */
export function Ending({ story }: { story: Story }) {
  if (story.error !== null) {
    return (
      <section className={story.outcome === "stopped" ? "ending" : "ending failed"} aria-labelledby="ending-title">
        <h2 id="ending-title">{story.outcome === "stopped" ? "Stopped" : "What went wrong"}</h2>
        <SaidText text={story.error} />
      </section>
    );
  }
  if (story.result === null) return null;
  return (
    <section className="ending" aria-labelledby="ending-title">
      <div className="ending-head">
        <h2 id="ending-title">Result</h2>
        {story.result ? <CopyButton text={story.result} /> : null}
      </div>
      {story.result ? <SaidText text={story.result} /> : <p className="soft">The plan said nothing.</p>}
    </section>
  );
}

function CopyButton({ text }: { text: string }) {
  const [told, setTold] = useState("");
  const copy = async () => setTold((await copyText(text)) ? "Copied" : "Not copied");
  return (
    <span className="copy">
      <span className="soft" role="status">
        {told}
      </span>
      <button type="button" onClick={copy}>
        Copy the result
      </button>
    </span>
  );
}
