import { type ChangeEvent, type DragEvent, type FormEvent, useEffect, useId, useRef, useState } from "react";
import { counted } from "../counted";
import { ApiError } from "../api";
import { ErrorNote } from "../shell/ErrorNote";
import { chosenFiles, droppedFiles, type FolderFile, githubAddress, packFolder } from "./folderFiles";
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
  const [left, setLeft] = useState("");
  const [refused, setRefused] = useState<ApiError | null>(null);
  const sendFiles = async (files: FolderFile[]) => {
    setLeft("");
    setRefused(null);
    ingest.forgetError();
    if (files.length === 1 && /\.zip$/i.test(files[0]!.path)) return ingest.sendZip(files[0]!.file, fields);
    try {
      const packed = await packFolder(files, (done, of) => setLeft(`Packing ${done.toLocaleString("en")} of ${counted(of, "note")}…`));
      if (!packed) throw new ApiError("There is no Markdown file in it. Notes end in .md, .markdown or .mdx.", "no_markdown", 0);
      const stayed = [packed.others && `${packed.others.toLocaleString("en")} other files`, packed.hidden && `${packed.hidden.toLocaleString("en")} in hidden or built folders`];
      const told = stayed.filter(Boolean).join(" and ");
      setLeft(`Sent: ${counted(packed.notes, "note")}, ${Math.ceil(packed.archive.size / 1024).toLocaleString("en")} KB.${told ? ` Left out: ${told}.` : ""}`);
      ingest.sendZip(packed.archive, fields);
    } catch (failure) {
      setLeft("");
      setRefused(failure instanceof ApiError ? failure : new ApiError("The folder could not be read.", "page_fault", 0));
    }
  };
  const fields = { ...(subdirectory.trim() && { subdirectory: subdirectory.trim() }), ...(name.trim() && { name: name.trim() }) };
  return (
    <div className="ingest-panel">
      <DropZone busy={busy} send={sendFiles} />
      <p className="soft" role="status">{left}</p>
      {refused ? <ErrorNote error={refused} /> : null}
      <GithubForm
        busy={busy}
        tried={() => {
          setLeft("");
          setRefused(null);
          ingest.forgetError();
        }}
        send={(source, branch) => ingest.sendGithub(source, branch, fields)}
      />
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

function DropZone({ busy, send }: { busy: boolean; send: (files: FolderFile[]) => void }) {
  const [over, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  useEffect(() => folder.current?.setAttribute("webkitdirectory", ""), []);
  const choose = (event: ChangeEvent<HTMLInputElement>) => {
    const files = chosenFiles(event.target.files!);
    event.target.value = "";
    if (files.length > 0) send(files);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    if (busy) return;
    // What was dropped is forgotten when this function returns.
    const { items, files } = event.dataTransfer;
    const plain = chosenFiles(files);
    const walks = [...items].some((item) => item.webkitGetAsEntry?.());
    if (walks) void droppedFiles(items).then(send);
    else if (plain.length > 0) send(plain);
  };
  const hover = (event: DragEvent) => {
    event.preventDefault();
    setOver(true);
  };
  return (
    <div className={over ? "drop-zone over" : "drop-zone"} onDragOver={hover} onDragEnter={hover} onDragLeave={() => setOver(false)} onDrop={drop}>
      <p>Drop a folder of notes here, or files, or a ZIP</p>
      <div className="row">
        <button type="button" className="primary" disabled={busy} onClick={() => folder.current?.click()}>
          Choose a folder
        </button>
        <button type="button" disabled={busy} onClick={() => input.current?.click()}>
          Choose files or a ZIP
        </button>
      </div>
      <input ref={folder} type="file" multiple className="unseen" aria-label="Folder of markdown notes" tabIndex={-1} onChange={choose} />
      <input
        ref={input}
        type="file"
        accept=".zip,application/zip,.md,.markdown,.mdx"
        multiple
        className="unseen"
        aria-label="ZIP of markdown notes"
        tabIndex={-1}
        onChange={choose}
      />
    </div>
  );
}

function GithubForm({ busy, tried, send }: { busy: boolean; tried: () => void; send: (source: string, branch: string) => void }) {
  const [source, setSource] = useState("");
  const [branch, setBranch] = useState("");
  const id = useId();
  const [wrong, setWrong] = useState(false);
  useEffect(() => {
    if (busy) setWrong(false); // something else is being read
  }, [busy]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const address = githubAddress(source);
    tried();
    setWrong(address === null);
    if (address) send(address, branch.trim());
  };
  return (
    <form className="github" onSubmit={submit}>
      <label htmlFor={id}>or read a GitHub repository</label>
      <div className="row">
        <input id={id} type="text" inputMode="url" placeholder="github.com/owner/repository" aria-invalid={wrong} aria-describedby={wrong ? `${id}-wrong` : undefined} value={source} onChange={(event) => setSource(event.target.value)} />
        <input type="text" className="branch" aria-label="Branch" placeholder="branch" value={branch} onChange={(event) => setBranch(event.target.value)} />
        <button type="submit" disabled={busy}>
          Read
        </button>
      </div>
      {wrong ? (
        <p id={`${id}-wrong`} className="field-fault" role="alert">
          Name an owner and a repository: github.com/owner/repository
        </p>
      ) : null}
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
