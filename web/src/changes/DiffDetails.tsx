import { useState } from "react";
import "../styles/diff.css";

/** What changed, line by line; asked for when somebody opens it. */
export function DiffDetails({ title, load, none }: { title: React.ReactNode; load: () => Promise<{ diff: string; cut: boolean }>; none: string }) {
  const [told, setTold] = useState<string | null>(null);
  const open = () => {
    if (told !== null) return;
    setTold("Reading…");
    load().then(
      ({ diff, cut }) => setTold((diff || none) + (cut ? "\n… and more" : "")),
      (failure: Error) => setTold(failure.message),
    );
  };
  return (
    <details className="diff-details" onToggle={(event) => event.currentTarget.open && open()}>
      <summary>{title}</summary>
      {told === null ? null : (
        <pre className="diff" tabIndex={0} aria-label="The difference, line by line">
          {told.split("\n").map((line, number) => (
            <span key={number} className={lineKind(line)}>{`${lineText(line)}\n`}</span>
          ))}
        </pre>
      )}
    </details>
  );
}

function lineKind(line: string): string {
  if (/^(diff |index |--- |\+\+\+ |new file|deleted file|@@)/.test(line)) return "head";
  return line.startsWith("+") ? "added" : line.startsWith("-") ? "removed" : "";
}

/** Where a piece begins, in words; everything else as it stands. */
function lineText(line: string): string {
  const place = /^@@ -(\d+)\S* \+(\d+)\S* @@(.*)$/.exec(line);
  return place ? `line ${Math.max(1, Number(place[2]) || Number(place[1]))}${place[3]}` : line;
}
