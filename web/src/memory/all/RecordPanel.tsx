import { useState } from "react";
import { ApiError } from "../../api";
import { ErrorNote } from "../../shell/ErrorNote";
import { Inspector } from "../../shell/Inspector";
import { PathLink } from "../../shell/Link";
import { useQueryField } from "../../shell/useAddress";
import { boostMemory, forgetMemories, restoreMemory } from "../changing";
import { Importance, Tags } from "../inbox/SideBySide";
import { titleOf, type HistoryEntry, type Memory } from "../memoryApi";
import { useServerTime, useShown, useTold } from "../memoryNews";
import { actorOf, ago, day, timeLeft, wordsOf } from "../past/changeWords";
import { EraseDialog } from "../past/EraseDialog";
import { MemoryForm } from "./MemoryForm";

const STEP = 0.1;

/** The memory that the address names, at the side of whatever view is shown; `new` is one to be written. */
export function RecordPanel() {
  const [nodeId, setNodeId] = useQueryField("m");
  const [editing, setEditing] = useQueryField("edit");
  const isNew = nodeId === "new";
  const { value: record, error } = useTold<Memory>("get_memory", nodeId && !isNew ? { node_id: nodeId, include_deleted: true, history: 200 } : null);
  if (!nodeId) return null;
  const close = () => {
    setEditing("");
    setNodeId("", "push");
  };
  const open = (id: string) => {
    setEditing("");
    setNodeId(id, "push");
  };
  if (isNew) {
    return (
      <Inspector title="New memory" close={close}>
        <MemoryForm done={(id) => open(id)} cancel={close} />
      </Inspector>
    );
  }
  return (
    <Inspector title={record ? titleOf(record.name, record.content) : "Memory"} kind={record ? kindOf(record) : undefined} close={close}>
      <div className="memory-record">
        {error ? <ErrorNote error={error} /> : null}
        {!record && !error ? (
          <p className="soft" role="status">
            Reading…
          </p>
        ) : null}
        {record && editing && record.state === "live" ? (
          <MemoryForm key={record.node_id} before={record} done={() => setEditing("")} cancel={() => setEditing("")} />
        ) : null}
        {record && !(editing && record.state === "live") ? <Record record={record} open={open} close={close} edit={() => setEditing("1")} /> : null}
      </div>
    </Inspector>
  );
}

const kindOf = (record: Memory) =>
  `${{ live: "memory", deleted: "in the trash", merged: "merged" }[record.state]}${record.scope === "default" ? "" : ` · ${record.scope}`}`;

interface RecordProps {
  record: Memory;
  open: (nodeId: string) => void;
  close: () => void;
  edit: () => void;
}

function Record({ record, open, close, edit }: RecordProps) {
  const now = useServerTime();
  const [error, setError] = useState<ApiError | null>(null);
  const [erasing, setErasing] = useState(false);
  const links = [...record.relations.flatMap(({ source_id, target_id }) => [source_id, target_id]), ...record.derived_from, record.merged_into, record.superseded_by];
  const names = useShown(links.filter((id): id is string => id !== null && id !== record.node_id));
  const act = (work: () => Promise<unknown>) => {
    setError(null);
    work().catch((failure: unknown) => setError(failure instanceof ApiError ? failure : new ApiError("That did not work.", "page_fault", 0)));
  };
  const named = (id: string) => (
    <button type="button" className="link" onClick={() => open(id)}>
      {titleOf(names.get(id)?.name ?? id.slice(0, 8))}
    </button>
  );
  return (
    <>
      {/* A text that is its own title stands there already. */}
      {record.content === titleOf(record.name) ? null : <p className="memory-text">{record.content}</p>}
      <div className="memory-acts">
        {record.state === "live" ? (
          <>
            <button type="button" onClick={edit}>
              Edit
            </button>
            <button type="button" onClick={() => act(() => forgetMemories([record]).then(close))}>
              Forget
            </button>
          </>
        ) : null}
        {record.state === "deleted" ? (
          <button type="button" className="primary" onClick={() => act(() => restoreMemory(record))}>
            Restore
          </button>
        ) : null}
        {record.state !== "live" ? (
          <button type="button" onClick={() => setErasing(true)}>
            Erase…
          </button>
        ) : null}
      </div>
      {error ? <ErrorNote error={error} /> : null}
      <dl className="memory-details">
        {record.recoverable_until ? <Fact name="Can come back">{timeLeft(record.recoverable_until, now)}</Fact> : null}
        <Fact name="Importance">
          <span className="memory-weight">
            <Importance value={record.importance} />
            {record.state === "live" ? (
              <>
                <button type="button" className="quiet" aria-label="More important" title="More important" onClick={() => act(() => boostMemory(record, STEP))}>
                  +
                </button>
                <button type="button" className="quiet" aria-label="Less important" title="Less important" onClick={() => act(() => boostMemory(record, -STEP))}>
                  −
                </button>
              </>
            ) : null}
          </span>
        </Fact>
        {record.tags.length > 0 ? (
          <Fact name="Tags">
            <span className="memory-facts">
              <Tags tags={record.tags} />
            </span>
          </Fact>
        ) : null}
        {record.source ? <Fact name="Source"><Source text={record.source} /></Fact> : null}
        <Fact name="True">
          from {day(record.valid_from ?? record.created_at)}
          {record.valid_until ? ` until ${day(record.valid_until)}` : ""}
          {record.superseded_by ? <> , superseded by {named(record.superseded_by)}</> : null}
        </Fact>
        {record.relations.length > 0 ? (
          <Fact name="Relations">
            <ul>
              {record.relations.map(({ source_id, target_id, type, weight }) => (
                <li key={`${source_id} ${target_id} ${type}`}>
                  {source_id === record.node_id ? (
                    <>
                      {type.replaceAll("_", " ")} {named(target_id)}
                    </>
                  ) : (
                    <>
                      {named(source_id)} {type.replaceAll("_", " ")} this
                    </>
                  )}
                  {weight < 1 ? <span className="count"> {weight.toFixed(2)}</span> : null}
                </li>
              ))}
            </ul>
          </Fact>
        ) : null}
        {record.derived_from.length > 0 ? (
          <Fact name="Merged from">
            {record.derived_from.map((id) => (
              <span key={id}>{names.has(id) ? named(id) : "an erased memory"} </span>
            ))}
          </Fact>
        ) : null}
        {record.merged_into ? <Fact name="Merged into">{named(record.merged_into)}</Fact> : null}
        <Fact name="Read">
          {record.access_count === 1 ? "once" : `${record.access_count} times`}
          {record.last_accessed_at ? `, last ${ago(record.last_accessed_at, now)}` : ""}
        </Fact>
      </dl>
      <Past lines={record.history} now={now} />
      {erasing ? <EraseDialog memory={record} close={() => setErasing(false)} after={close} /> : null}
    </>
  );
}

const Fact = ({ name, children }: { name: string; children: React.ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

const OF_A_SESSION = /^session:([0-9a-f-]{36})(?:\/task:(.+))?$/;

/** What a build remembers leads back to it. */
function Source({ text }: { text: string }) {
  const [, session, task] = OF_A_SESSION.exec(text) ?? [];
  if (!session) return text;
  return <PathLink to={`/studio/run/${session}${task ? `?task=${encodeURIComponent(task)}` : ""}`}>{task ? `task ${task} of a build` : "a session"}</PathLink>;
}

function Past({ lines, now }: { lines: HistoryEntry[]; now: number }) {
  return (
    <section aria-label="History of this memory" className="memory-past">
      <h3>History</h3>
      <ol>
        {lines.map((line, at) => (
          <li key={at}>
            <p>
              {wordsOf(line)}{" "}
              <span className="soft">
                {ago(line.at, now)} · by {actorOf(line.actor)}
              </span>
            </p>
            {line.action === "edited" && typeof line.detail["content"] === "string" ? <blockquote>{line.detail["content"]}</blockquote> : null}
            {typeof line.detail["rationale"] === "string" ? <blockquote>{line.detail["rationale"]}</blockquote> : null}
          </li>
        ))}
      </ol>
    </section>
  );
}
