import { type FormEvent, type KeyboardEvent, useId, useState } from "react";
import { ApiError } from "../../api";
import { ErrorNote } from "../../shell/ErrorNote";
import { say } from "../../shell/Toasts";
import { editMemory, outgoing, storeMemory } from "../changing";
import { SideBySide } from "../inbox/SideBySide";
import { askMemory, type Memory } from "../memoryApi";
import { RelationFields, type RelationGiven } from "./RelationFields";

interface Props {
  /** What is edited; without it something new is stored. */
  before?: Memory;
  done: (nodeId: string) => void;
  cancel: () => void;
}

interface Written {
  content: string;
  name: string;
  tags: string;
  importance: number;
  scope: string;
  source: string;
  valid_from: string;
  valid_until: string;
  relations: RelationGiven[];
}

const local = (time: string | null | undefined) => (time ? time.slice(0, 16) : "");
const instant = (text: string) => (text ? `${text}:00Z` : null);
const tagsOf = (text: string) => [...new Set(text.split(",").map((tag) => tag.trim()).filter(Boolean))].sort();

const written = (memory?: Memory): Written => ({
  content: memory?.content ?? "",
  name: memory?.name ?? "",
  tags: memory?.tags.join(", ") ?? "",
  importance: memory?.importance ?? 0.5,
  scope: memory?.scope ?? "",
  source: memory?.source ?? "",
  valid_from: local(memory?.valid_from),
  valid_until: local(memory?.valid_until),
  relations: memory ? outgoing(memory) : [],
});

/** Only what was touched is sent: what another process changes meanwhile elsewhere stays. */
function changed(text: Written, base: Written): Record<string, unknown> {
  const given: Record<string, unknown> = {};
  if (text.content !== base.content) given["content"] = text.content;
  if (text.name.trim() && text.name !== base.name) given["name"] = text.name;
  if (text.tags !== base.tags) given["tags"] = tagsOf(text.tags);
  if (text.importance !== base.importance) given["importance"] = text.importance;
  if (text.scope.trim() && text.scope !== base.scope) given["scope"] = text.scope.trim();
  if (text.source !== base.source) given["source"] = text.source || null;
  if (text.valid_from !== base.valid_from) given["valid_from"] = instant(text.valid_from);
  if (text.valid_until !== base.valid_until) given["valid_until"] = instant(text.valid_until);
  if (JSON.stringify(text.relations) !== JSON.stringify(base.relations)) given["relations"] = text.relations;
  return given;
}

/** An edit is of the version that was opened; where somebody was faster both texts are shown, and one is chosen. */
export function MemoryForm({ before, done, cancel }: Props) {
  const id = useId();
  const [opened] = useState(before);
  const base = written(opened);
  const [text, setText] = useState(base);
  const [theirs, setTheirs] = useState<Memory | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  const [busy, setBusy] = useState(false);
  const set = (fields: Partial<Written>) => setText({ ...text, ...fields });

  const save = async (over?: Memory) => {
    if (busy) return;
    setBusy(true);
    setError(null);
    try {
      const given = changed(text, base);
      if (opened) {
        if (Object.keys(given).length > 0) await editMemory(over ?? opened, given, (over ?? opened).version);
        done(opened.node_id);
      } else {
        done(await storeMemory(given));
      }
    } catch (failure) {
      if (opened && failure instanceof ApiError && failure.status === 409 && "version" in failure.facts) {
        const { items } = await askMemory<{ items: Memory[] }>("show_memories", { node_ids: [opened.node_id] });
        setTheirs(items[0] ?? null);
      } else setError(failure instanceof ApiError ? failure : new ApiError("That did not work.", "page_fault", 0));
    }
    setBusy(false);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void save();
  };
  /** What was written is not lost by a key that closes everything. */
  const stay = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || Object.keys(changed(text, base)).length === 0) return;
    event.preventDefault();
    say("This is not saved yet. Cancel throws it away.");
  };

  if (opened && theirs) {
    return (
      <section className="memory-conflict" aria-label="Somebody was faster">
        <h3>Somebody changed it meanwhile</h3>
        <p>Nothing is lost: yours is here, theirs is stored. Choose one.</p>
        <SideBySide
          memories={[
            { node_id: "yours", name: "Yours", content: text.content },
            { node_id: "theirs", name: "Theirs", content: theirs.content },
          ]}
        />
        {error ? <ErrorNote error={error} /> : null}
        <div className="memory-acts">
          <button type="button" className="primary" onClick={() => void save(theirs)}>
            Save mine
          </button>
          <button type="button" onClick={() => done(opened.node_id)}>
            Keep theirs
          </button>
        </div>
      </section>
    );
  }
  return (
    <form className="memory-form" onSubmit={submit} onKeyDown={stay} aria-label={opened ? `Edit ${opened.name}` : "New memory"}>
      <label htmlFor={`${id}text`}>Text</label>
      <textarea id={`${id}text`} required rows={6} maxLength={65536} autoFocus value={text.content} placeholder="Deploys go out on Tuesdays." onChange={(event) => set({ content: event.target.value })} />
      <label htmlFor={`${id}tags`}>Tags</label>
      <input id={`${id}tags`} value={text.tags} placeholder="deploys, team" onChange={(event) => set({ tags: event.target.value })} />
      <label htmlFor={`${id}weight`}>
        Importance <span className="count">{text.importance.toFixed(2)}</span>
      </label>
      <input id={`${id}weight`} type="range" min={0} max={1} step={0.05} value={text.importance} onChange={(event) => set({ importance: Number(event.target.value) })} />
      <details open={opened ? text.relations.length > 0 : undefined}>
        <summary>Name, source, validity, relations</summary>
        <label htmlFor={`${id}name`}>Name</label>
        <input id={`${id}name`} value={text.name} maxLength={256} placeholder="The first line" onChange={(event) => set({ name: event.target.value })} />
        <label htmlFor={`${id}scope`}>Scope</label>
        <input id={`${id}scope`} value={text.scope} maxLength={128} placeholder="default" onChange={(event) => set({ scope: event.target.value })} />
        <label htmlFor={`${id}source`}>Source</label>
        <input id={`${id}source`} value={text.source} maxLength={1024} onChange={(event) => set({ source: event.target.value })} />
        <label htmlFor={`${id}from`}>True from (UTC)</label>
        <input id={`${id}from`} type="datetime-local" value={text.valid_from} onChange={(event) => set({ valid_from: event.target.value })} />
        <label htmlFor={`${id}until`}>True until (UTC)</label>
        <input id={`${id}until`} type="datetime-local" value={text.valid_until} onChange={(event) => set({ valid_until: event.target.value })} />
        <RelationFields relations={text.relations} scope={text.scope || "default"} without={opened?.node_id} change={(relations) => set({ relations })} />
      </details>
      {error ? <ErrorNote error={error} /> : null}
      <div className="memory-acts">
        <button type="submit" className="primary" aria-disabled={busy}>
          {opened ? "Save" : "Store"}
        </button>
        <button type="button" onClick={cancel}>
          Cancel
        </button>
      </div>
    </form>
  );
}
