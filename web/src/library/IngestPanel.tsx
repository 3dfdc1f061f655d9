import { type DragEvent, type FormEvent, useEffect, useId, useRef, useState } from "react";
import { ErrorNote } from "../shell/ErrorNote";
import type { Ingest, Progress } from "./useIngest";

export function IngestPanel({ ingest, offersDemo }: { ingest: Ingest; offersDemo: boolean }) {
  const { progress, error } = ingest;
  const [subdirectory, setSubdirectory] = useState("");
  const [name, setName] = useState("");
  const busy = progress !== null;
  const news = useRef<HTMLDivElement>(null);
  // On a narrow screen the button that was pressed may stand far above.
  useEffect(() => {
    if (busy || error) news.current?.scrollIntoView({ block: "nearest" });
  }, [busy, error]);
  const fields = { ...(subdirectory.trim() && { subdirectory: subdirectory.trim() }), ...(name.trim() && { name: name.trim() }) };
  return (
    <div className="ingest-panel">
      <DropZone busy={busy} send={(file) => ingest.sendZip(file, fields)} />
      <GithubForm busy={busy} send={(source, branch) => ingest.sendGithub(source, branch, fields)} />
      <details className="more-fields">
        <summary>Name and folder</summary>
        <div className="row">
          <label>
            Name of the graph
            <input type="text" placeholder="from the source" value={name} onChange={(event) => setName(event.target.value)} />
          </label>
          <label>
            Only this folder
            <input type="text" placeholder="all of it" value={subdirectory} onChange={(event) => setSubdirectory(event.target.value)} />
          </label>
        </div>
      </details>
      {offersDemo ? (
        <p className="soft">
          No notes at hand?{" "}
          <button type="button" className="link" disabled={busy} onClick={ingest.sendDemo}>
            Load the demo graph
          </button>
        </p>
      ) : null}
      <div ref={news}>
        {progress ? <ProgressLine progress={progress} cancel={ingest.cancel} /> : null}
        {error ? <ErrorNote error={error} /> : null}
      </div>
    </div>
  );
}

function DropZone({ busy, send }: { busy: boolean; send: (file: File) => void }) {
  const [over, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const file = event.dataTransfer.files[0];
    if (file && !busy) send(file);
  };
  const hover = (event: DragEvent) => {
    event.preventDefault();
    setOver(true);
  };
  return (
    <div className={over ? "drop-zone over" : "drop-zone"} onDragOver={hover} onDragEnter={hover} onDragLeave={() => setOver(false)} onDrop={drop}>
      <p>Drop a ZIP of markdown notes here</p>
      <button type="button" className="primary" disabled={busy} onClick={() => input.current?.click()}>
        Choose a ZIP
      </button>
      <input
        ref={input}
        type="file"
        accept=".zip,application/zip"
        className="unseen"
        aria-label="ZIP of markdown notes"
        tabIndex={-1}
        onChange={(event) => {
          const file = event.target.files?.[0];
          if (file) send(file);
          event.target.value = "";
        }}
      />
    </div>
  );
}

function GithubForm({ busy, send }: { busy: boolean; send: (source: string, branch: string) => void }) {
  const [source, setSource] = useState("");
  const [branch, setBranch] = useState("");
  const id = useId();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send(source.trim(), branch.trim());
  };
  return (
    <form className="github" onSubmit={submit}>
      <label htmlFor={id}>or read a GitHub repository</label>
      <div className="row">
        <input id={id} type="url" required placeholder="https://github.com/owner/repository" value={source} onChange={(event) => setSource(event.target.value)} />
        <input type="text" className="branch" aria-label="Branch" placeholder="branch" value={branch} onChange={(event) => setBranch(event.target.value)} />
        <button type="submit" disabled={busy}>
          Read
        </button>
      </div>
    </form>
  );
}

function ProgressLine({ progress, cancel }: { progress: Progress; cancel: () => void }) {
  const percent = progress.stage === "sending" ? Math.round(progress.share * 100) : null;
  return (
    <div className="progress-line">
      <p role="status">{percent === null ? `Reading ${progress.what}…` : `Sending ${progress.what}`}</p>
      <progress aria-label={percent === null ? "Reading" : "Sent"} {...(percent === null ? {} : { value: percent, max: 100 })} />
      <button type="button" className="link" onClick={cancel}>
        Cancel
      </button>
    </div>
  );
}
