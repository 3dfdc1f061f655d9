import { Children, type ReactNode, useState } from "react";
import { copyText } from "../ask/copyText";
import type { ValidateAnswer } from "../wire";

export type Kind = keyof ValidateAnswer["issues"];

interface Words {
  title: string;
  /** What it is about, and what mends it. */
  mend: string;
  /** What goes into the header of a note that lacks it. */
  line?: string;
}

export const WORDS: Record<Kind, Words> = {
  brokenLinks: { title: "Broken links", mend: "A link names a note that is not there. Open its line and correct the name, or write the note." },
  missingDescriptions: {
    title: "Missing descriptions",
    mend: "One sentence in the header says what a note is for: by it people and agents choose what to open. Put it on top of the file, between two lines of ---:",
    line: "description: One sentence that says what this note is for.",
  },
  missingTypes: {
    title: "Missing types",
    mend: "The header says what kind of note it is: claim, technique, moc for a note that gathers others, or a word of your own. Shapes on the map tell it:",
    line: "type: claim",
  },
  missingDomains: { title: "Missing domains", mend: "The header says which field a note belongs to, so that it can be filtered by that:", line: "domain: your field" },
  orphans: { title: "Orphans, linked with nothing", mend: "Nobody comes upon these by following links. Name each in a note that speaks of the same, as [[its name]]." },
  circularOnly: { title: "Pairs that link only each other", mend: "Both are reached from nowhere else. Link one of them from a third note." },
};

const FIRST = 12;
const NOT_WORTH_A_PRESS = 3;

/** One kind of finding: what mends it, what that is worth, and the first of them; all when asked. */
export function Finding({ kind, worth, opens, children }: { kind: Kind; worth: number; opens: boolean; children: ReactNode }) {
  const [all, setAll] = useState(false);
  const rows = Children.toArray(children);
  if (rows.length === 0) return null;
  const { title, mend, line } = WORDS[kind];
  const isWhole = all || rows.length <= FIRST + NOT_WORTH_A_PRESS;
  return (
    <details open={opens}>
      <summary>
        {title} <span className="count">{rows.length.toLocaleString("en")}</span>
        {worth > 0 ? <span className="worth">up to +{worth}</span> : null}
      </summary>
      <p className="mend">
        {mend} {line ? <HeaderLine line={line} /> : null}
      </p>
      <ul>{isWhole ? rows : rows.slice(0, FIRST)}</ul>
      {isWhole ? null : (
        <button type="button" className="link" onClick={() => setAll(true)}>
          Show all {rows.length.toLocaleString("en")}
        </button>
      )}
    </details>
  );
}

function HeaderLine({ line }: { line: string }) {
  const [told, setTold] = useState("");
  return (
    <span className="header-line">
      <code>{line}</code>{" "}
      <button type="button" className="link" onClick={async () => setTold((await copyText(line)) ? "Copied" : "The browser did not allow it")} onBlur={() => setTold("")}>
        Copy the line
      </button>{" "}
      <span role="status">{told}</span>
    </span>
  );
}
