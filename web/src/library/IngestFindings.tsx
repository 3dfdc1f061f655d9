import { useEffect, useRef, useState } from "react";
import { HOME } from "../address";
import { readChanges } from "../api";
import { ChangeList, countChanges } from "../changes/ChangeList";
import { WORDS } from "../health/FindingKind";
import { BrokenLinkItem, FileLink, Warnings } from "../health/findings";
import { Link } from "../shell/Link";
import { useFetched } from "../shell/useFetched";
import type { IngestAnswer } from "../wire";
import { counted } from "../counted";
import { Score } from "./GraphTable";

function tellChanges({ unchanged, changes, revision }: IngestAnswer): string {
  return unchanged ? `Nothing changed: still revision ${revision}.` : `Revision ${revision}: ${countChanges(changes)}.`;
}

/** Whether there is more to say than that everything is new, or nothing is. */
const isUpdate = ({ unchanged, changes }: IngestAnswer) => !unchanged && changes.changed + changes.removed + changes.unchanged > 0;

const FEW = 8;

/** What reading a source brought to light, before anyone opens the graph. */
export function IngestFindings({ answer, readAt }: { answer: IngestAnswer; readAt: (basePath: string) => void }) {
  const box = useRef<HTMLDivElement>(null);
  // What was found is read from its beginning, however long it is.
  useEffect(() => {
    box.current?.focus({ preventScroll: true });
    box.current?.scrollIntoView({ block: "start" });
  }, []);
  const { validation, metrics, warnings, warningCount } = answer;
  const key = isUpdate(answer) ? `${answer.graphId} ${answer.revision}` : null;
  const changed = useFetched(key, (signal) => readChanges(answer.graphId, signal))[0].value;
  const lists = (["missingDescriptions", "missingTypes", "missingDomains", "orphans"] as const).map((kind) => [WORDS[kind].title, validation[kind]] as const);
  const isClean = validation.score === 100;
  return (
    <div ref={box} className="ingest-findings" role="region" aria-label={`Findings in ${answer.graphId}`} tabIndex={-1}>
      <div className="headline">
        <Score score={validation.score} />
        <div>
          <h3>{answer.graphId}</h3>
          <p>
            {counted(metrics.nodeCount, "note")}, {counted(metrics.edgeCount, "link")}. {tellChanges(answer)}
          </p>
        </div>
        <div className="row">
          <Link className="button primary" to={{ ...HOME, graph: answer.graphId }}>
            Open the map
          </Link>
          {isClean ? null : (
            <Link className="button" to={{ ...HOME, graph: answer.graphId, view: "health" }}>
              See what to mend
            </Link>
          )}
        </div>
      </div>
      {warnings.map(({ message }) => (
        <UnmappedLinks key={message} message={message} readAt={readAt} />
      ))}
      {changed?.revision === answer.revision ? <ChangeList answer={changed} diffs /> : null}
      {validation.brokenLinks.length > 0 ? (
        <details open={validation.brokenLinks.length <= FEW}>
          <summary>
            Broken links <span className="count">{validation.brokenLinks.length.toLocaleString("en")}</span>
          </summary>
          <ul>
            {validation.brokenLinks.map((link, index) => (
              <BrokenLinkItem key={index} link={link} graph={answer.graphId} />
            ))}
          </ul>
        </details>
      ) : null}
      {lists.map(([title, files]) =>
        files.length > 0 ? (
          <details key={title}>
            <summary>
              {title} <span className="count">{files.length.toLocaleString("en")}</span>
            </summary>
            <ul>
              {files.map((file) => (
                <li key={file}>
                  <FileLink file={file} graph={answer.graphId} />
                </li>
              ))}
            </ul>
          </details>
        ) : null,
      )}
      {validation.circularOnly.length > 0 ? (
        <details>
          <summary>
            {WORDS.circularOnly.title} <span className="count">{validation.circularOnly.length.toLocaleString("en")}</span>
          </summary>
          <ul>
            {validation.circularOnly.map(([one, other]) => (
              <li key={`${one} ${other}`}>
                <FileLink file={one} graph={answer.graphId} /> and <FileLink file={other} graph={answer.graphId} />
              </li>
            ))}
          </ul>
        </details>
      ) : null}
      <Warnings warnings={warnings} count={warningCount} graph={answer.graphId} />
    </div>
  );
}

const UNMAPPED = /^(.+ links? starts? with (\/\S*)) and none resolves; pass basePath$/;

/** Where the notes are published elsewhere than their links let us find out: said once, and they are read again. */
function UnmappedLinks({ message, readAt }: { message: string; readAt: (basePath: string) => void }) {
  const [, links, start = ""] = UNMAPPED.exec(message) ?? [];
  const [basePath, setBasePath] = useState(start);
  if (!start) return null;
  return (
    <form
      className="unmapped"
      onSubmit={(event) => {
        event.preventDefault();
        readAt(basePath.trim());
      }}
    >
      <p>{links} and lead to no note. Below which address are these notes published?</p>
      <div className="row">
        <input type="text" required pattern="/.*" title="An address of the site, such as /en/docs/" aria-label="Address below which the notes are published" value={basePath} onChange={(event) => setBasePath(event.target.value)} />
        <button type="submit">Map the links and read again</button>
      </div>
    </form>
  );
}
