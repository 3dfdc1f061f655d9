import { useState } from "react";
import { ApiError } from "../../api";
import { ErrorNote } from "../../shell/ErrorNote";
import { askMemory, type Change, type Changes, type ViewProps, titleOf } from "../memoryApi";
import { useServerTime, useTold } from "../memoryNews";
import { actorOf, ago, day, historyRows, timeLeft } from "./changeWords";
import { TakeBack } from "./TakeBack";

const PAGE = 100;

/** Every change of every memory, newest first; what can be taken back has Undo for as long as its window lasts. */
export function HistoryView({ open }: ViewProps) {
  const { value, error } = useTold<Changes>("list_changes", { limit: PAGE }, true);
  const [older, setOlder] = useState<{ changes: Change[]; next: number | null } | null>(null);
  const [refused, setRefused] = useState<ApiError | null>(null);
  const now = useServerTime();
  if (error && !value) return <ErrorNote error={error} />;
  if (!value) {
    return (
      <p className="memory-lead soft" role="status">
        Reading the history…
      </p>
    );
  }
  const newest = new Set(value.changes.map(({ number }) => number));
  const changes = [...value.changes, ...(older?.changes ?? []).filter(({ number }) => !newest.has(number))];
  const next = older ? older.next : value.next;
  const more = async () => {
    setRefused(null);
    try {
      const found = await askMemory<Changes>("list_changes", { before: next, limit: PAGE });
      setOlder({ changes: [...(older?.changes ?? []), ...found.changes], next: found.next });
    } catch (failure) {
      setRefused(failure instanceof ApiError ? failure : new ApiError("That did not work.", "page_fault", 0));
    }
  };
  const rows = historyRows(changes, value.kept);
  if (rows.length === 0) {
    return (
      <div className="memory-empty">
        <h2>Nothing has happened yet</h2>
        <p>What is stored, changed, merged or forgotten is listed here, by whomever it was done, and can be taken back from here.</p>
      </div>
    );
  }
  return (
    <div className="memory-history">
      <ol className="memory-rows" aria-label="Changes">
        {rows.map((row, at) => (
          <li key={row.key}>
            {at === 0 || day(rows[at - 1]!.at) !== day(row.at) ? <h2 className="memory-day">{day(row.at)}</h2> : null}
            <div>
              <p>
                {row.nodeId ? (
                  <button type="button" className="link memory-name" onClick={() => open(row.nodeId)}>
                    {titleOf(row.name)}
                  </button>
                ) : (
                  <span className="memory-name soft">{titleOf(row.name)}</span>
                )}
              </p>
              <p>{row.words}</p>
              {row.replaced ? <blockquote>{row.replaced.length > 240 ? `${row.replaced.slice(0, 240)}…` : row.replaced}</blockquote> : null}
              <p className="memory-facts soft">
                <time dateTime={row.at}>{ago(row.at, now)}</time>
                {row.actor ? <span>by {actorOf(row.actor)}</span> : null}
                {row.until ? <span>Undo: {timeLeft(row.until, now)}</span> : null}
              </p>
            </div>
            <div className="memory-acts">{row.undo ? <TakeBack way={row.undo} of={`${row.words}: ${row.name}`}>{row.back}</TakeBack> : null}</div>
          </li>
        ))}
      </ol>
      {refused ? <ErrorNote error={refused} /> : null}
      {next !== null ? (
        <p className="memory-pages">
          <button type="button" onClick={() => void more()}>
            Show earlier changes
          </button>
        </p>
      ) : null}
    </div>
  );
}
