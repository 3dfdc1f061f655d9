import { readTextDiff } from "../api";
import { FileLink } from "../health/findings";
import type { GraphModel } from "../shell/graphModel";
import { Link } from "../shell/Link";
import { DiffDetails } from "./DiffDetails";
import type { ChangedFile, Changes, ChangesAnswer } from "../wire";

type Kind = Exclude<keyof Changes, "unchanged">;

const KINDS: [Kind, title: string, sign: string][] = [
  ["added", "Added", "+"],
  ["changed", "Changed", "~"],
  ["removed", "Removed", "−"],
];
const FEW = 60;
const DIFF_TITLES: Record<Kind, string> = { added: "Its text", changed: "What changed", removed: "What it said" };

/** How many files a revision added, changed, removed and left alone, in words. */
export function countChanges(changes: Changes): string {
  const words: [keyof Changes, string][] = [...KINDS.map(([kind]): [Kind, string] => [kind, kind]), ["unchanged", "unchanged"]];
  const parts = words.filter(([kind]) => changes[kind] > 0).map(([kind, word]) => `${changes[kind].toLocaleString("en")} ${word}`);
  return parts.join(", ");
}

interface ListProps {
  answer: ChangesAnswer;
  /** Where the graph is at hand, notes that are still there can be opened. */
  model?: GraphModel;
  /** Whether each file tells its lines. */
  diffs?: boolean;
}

/** The files themselves. */
export function ChangeList({ answer, model, diffs = false }: ListProps) {
  return KINDS.map(([kind, title, sign]) => {
    const [files, count] = [answer[kind], answer.changes[kind]];
    if (count === 0 || files.length === 0) return null;
    return (
      <details key={kind} className={`changes ${kind}`} open={count <= FEW}>
        <summary>
          <span className="sign" aria-hidden="true">
            {sign}
          </span>{" "}
          {title} <span className="count">{count.toLocaleString("en")}</span>
        </summary>
        <ul aria-label={title}>
          {files.map((file) => (
            <li key={file.path}>
              <ChangedName file={file} model={kind === "removed" ? undefined : model} />
              {diffs ? <DiffDetails title={DIFF_TITLES[kind]} load={() => readTextDiff(answer.graphId, answer.revision, file.path)} none="No line differs: its line ends or its encoding do." /> : null}
            </li>
          ))}
          {count > files.length ? <li className="soft">and {(count - files.length).toLocaleString("en")} more</li> : null}
        </ul>
      </details>
    );
  });
}

function ChangedName({ file, model }: { file: ChangedFile; model: GraphModel | undefined }) {
  const node = file.id ? model?.byId.get(file.id) : undefined;
  return (
    <>
      {node ? <Link to={{ node: node.id, tab: "full" }}>{file.name}</Link> : file.name}
      {file.name === file.path ? null : (
        <>
          {" "}
          <FileLink file={file.path} />
        </>
      )}
    </>
  );
}
