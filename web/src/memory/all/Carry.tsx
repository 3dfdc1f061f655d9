import { type ChangeEvent, useRef, useState } from "react";
import { ApiError } from "../../api";
import { ErrorNote } from "../../shell/ErrorNote";
import { takeIn } from "../changing";
import { exportMemories, type Imported } from "../memoryApi";

/** Memories as a ZIP of markdown, in and out. */
export function Carry() {
  const file = useRef<HTMLInputElement>(null);
  const [busy, setBusy] = useState("");
  const [error, setError] = useState<ApiError | null>(null);
  const [skipped, setSkipped] = useState<Imported["skipped"]>([]);
  const run = async (words: string, work: () => Promise<unknown>) => {
    setBusy(words);
    setError(null);
    setSkipped([]);
    try {
      await work();
    } catch (failure) {
      setError(failure instanceof ApiError ? failure : new ApiError("That did not work.", "page_fault", 0));
    }
    setBusy("");
  };
  const take = (event: ChangeEvent<HTMLInputElement>) => {
    const [archive] = event.target.files ?? [];
    event.target.value = "";
    if (!archive) return;
    void run("Taking memories in…", async () => setSkipped(await takeIn(archive)));
  };
  return (
    <>
      <span className="memory-carry">
        <input ref={file} type="file" accept=".zip,application/zip" className="unseen" tabIndex={-1} aria-label="A ZIP of memories" onChange={take} />
        <button type="button" aria-disabled={busy !== ""} onClick={() => file.current?.click()}>
          Import ZIP
        </button>
        <button type="button" aria-disabled={busy !== ""} onClick={() => void run("Packing memories…", exportMemories)}>
          Export ZIP
        </button>
      </span>
      <p className="memory-busy soft" role="status">
        {busy}
      </p>
      {error ? <ErrorNote error={error} /> : null}
      {skipped.length > 0 ? (
        <details open className="memory-skipped">
          <summary>{skipped.length} left out</summary>
          <ul>
            {skipped.map((each) => (
              <li key={each.file}>
                <code>{each.file}</code>: {each.error}
              </li>
            ))}
          </ul>
        </details>
      ) : null}
    </>
  );
}
