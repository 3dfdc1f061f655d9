import { type FormEvent, type ReactNode, useId, useState } from "react";
import { ApiError } from "../../api";
import { ErrorNote } from "../../shell/ErrorNote";
import { mergeMemories } from "../changing";
import { type Memory, type Merge, type Task, titleOf } from "../memoryApi";
import { useShown, useTold } from "../memoryNews";
import { readable } from "../past/changeWords";
import { Importance, letterOf, Tags } from "./SideBySide";

interface Props {
  sources: Memory[];
  /** From a task: complete, so that nothing must be written; else all but a name is empty. */
  suggested?: Record<string, unknown>;
  /** What asked for it, and asks again when it is taken back. */
  task?: Task;
  done: (mergedId: string) => void;
  children?: ReactNode;
}

const STRATEGIES: [string, string][] = [
  ["union", "everything, once"],
  ["intersection", "only what all say"],
  ["weighted_average", "everything, the most important first"],
];

/** What a merge would make, statement by statement; it can be made once there is a reason. */
export function MergeForm({ sources, suggested = {}, task, done, children }: Props) {
  const id = useId();
  const [name, setName] = useState(String(suggested["target_name"] ?? sources[0]?.name ?? ""));
  const [strategy, setStrategy] = useState(String(suggested["merge_strategy"] ?? "union"));
  const [rationale, setRationale] = useState(String(suggested["rationale"] ?? ""));
  const [force, setForce] = useState(suggested["force_merge"] === true);
  const [error, setError] = useState<ApiError | null>(null);
  const [busy, setBusy] = useState(false);
  const asked = { source_ids: sources.map(({ node_id }) => node_id), target_name: name, merge_strategy: strategy };
  const preview = useTold<Merge>("merge_concepts", name.trim() ? { ...asked, rationale: "A look ahead", preview: true } : null, true);
  const conflicts = preview.value?.conflicts ?? [];
  const isReady = rationale.trim() !== "" && preview.value !== undefined && !preview.error && (conflicts.length === 0 || force);

  const merge = async (event: FormEvent) => {
    event.preventDefault();
    if (busy || !isReady) return;
    setBusy(true);
    setError(null);
    try {
      done(await mergeMemories({ ...asked, rationale, ...(force ? { force_merge: true } : {}) }, task));
    } catch (failure) {
      setError(failure instanceof ApiError ? failure : new ApiError("That did not work.", "page_fault", 0));
    }
    setBusy(false);
  };

  return (
    <form className="memory-merge" onSubmit={merge} aria-label="Merge">
      {preview.value?.merged ? <Preview merge={preview.value} sources={sources} /> : null}
      {preview.error ? <ErrorNote error={preview.error} /> : null}
      <div className="memory-fields">
        <label htmlFor={`${id}name`}>Name</label>
        <input id={`${id}name`} value={name} maxLength={256} onChange={(event) => setName(event.target.value)} />
        <label htmlFor={`${id}strategy`}>Keep</label>
        <select id={`${id}strategy`} value={strategy} onChange={(event) => setStrategy(event.target.value)}>
          {STRATEGIES.map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </select>
        <label htmlFor={`${id}why`}>Why they are one</label>
        <input id={`${id}why`} className="memory-why" value={rationale} maxLength={1024} placeholder="Needed before they can be merged" onChange={(event) => setRationale(event.target.value)} />
      </div>
      {conflicts.length > 0 ? (
        <label className="memory-force">
          <input type="checkbox" checked={force} onChange={(event) => setForce(event.target.checked)} /> Merge all the same, though they conflict
        </label>
      ) : null}
      {error ? <ErrorNote error={error} /> : null}
      <div className="memory-acts">
        {isReady ? (
          <button type="submit" className="primary" aria-disabled={busy} aria-keyshortcuts={suggested["rationale"] ? "m" : undefined}>
            Merge
          </button>
        ) : rationale.trim() === "" ? (
          <p className="soft">Say why they are one, then they can be merged.</p>
        ) : null}
        {children}
      </div>
    </form>
  );
}

function Preview({ merge, sources }: { merge: Merge; sources: Memory[] }) {
  const merged = merge.merged!;
  const letters = new Map(sources.map(({ node_id }, at) => [node_id, letterOf(at)]));
  const ends = merged.relations.flatMap(({ source_id, target_id }) => [source_id, target_id]);
  const others = useShown(ends);
  const names = new Map([...others, ...sources.map((memory) => [memory.node_id, memory] as const)]);
  const statements = merge.statements ?? [];
  return (
    <section className="memory-preview" aria-label="What a merge makes">
      <h3>What a merge makes</h3>
      <ul>
        {statements.map(({ text, paragraph, source_ids }, at) => (
          <li key={at} className={at > 0 && statements[at - 1]!.paragraph !== paragraph ? "apart" : undefined}>
            <span className="memory-from" aria-label={`From ${source_ids.map((id) => letters.get(id)).join(" and ")}`} role="img">
              {source_ids.map((id) => (
                <span key={id} className="memory-letter">
                  {letters.get(id)}
                </span>
              ))}
            </span>
            <span className="memory-text">{text}</span>
          </li>
        ))}
      </ul>
      <p className="memory-facts soft">
        <Importance value={merged.importance} />
        <Tags tags={merged.tags} />
        {merged.relations.map((relation) => (
          <span key={`${relation.source_id} ${relation.target_id} ${relation.type}`}>
            {relation.type.replace("_", " ")} {titleOf(names.get(names.has(relation.target_id) ? relation.target_id : relation.source_id)?.name ?? "another")}
          </span>
        ))}
      </p>
      {[...(merge.conflicts ?? []), ...merge.warnings].map((sentence) => (
        <p key={sentence} className="memory-warning">
          {readable(sentence, names)}
        </p>
      ))}
    </section>
  );
}
