import { useRef, useState } from "react";
import { ApiError, ingestGithub, ingestZip, loadDemo, readAgain } from "../api";
import type { IngestAnswer } from "../wire";

export type Progress = { stage: "sending"; share: number; what: string } | { stage: "reading"; what: string };

export interface Ingest {
  progress: Progress | null;
  error: ApiError | null;
  sendZip: (file: File, fields: Fields) => void;
  sendGithub: (source: string, branch: string, fields: Fields) => void;
  sendDemo: () => void;
  /** Reads a graph again, its notes at another address: what was sent is sent again. */
  readAt: (graphId: string, basePath: string) => void;
  cancel: () => void;
  /** What went wrong is said until something else is tried. */
  forgetError: () => void;
}

export interface Fields {
  basePath?: string;
  subdirectory?: string;
  name?: string;
}

/** One ingest at a time, whichever way the notes come in. */
export function useIngest(begun: () => void, done: (answer: IngestAnswer) => void): Ingest {
  const [progress, setProgress] = useState<Progress | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  const abort = useRef<AbortController | null>(null);
  const sent = useRef<{ file: File; fields: Fields; graphId?: string } | null>(null);

  async function run(first: Progress, work: (signal: AbortSignal) => Promise<IngestAnswer>): Promise<void> {
    const control = new AbortController();
    abort.current = control;
    setError(null);
    setProgress(first);
    begun();
    try {
      const answer = await work(control.signal);
      if (sent.current) sent.current.graphId ??= answer.graphId;
      done(answer);
    } catch (failure) {
      if (failure instanceof ApiError) setError(failure);
      else if (!control.signal.aborted) setError(new ApiError("The page could not read the answer.", "page_fault", 0));
    } finally {
      setProgress(null);
    }
  }

  const reading = (what: string): Progress => ({ stage: "reading", what });
  const sendZip = (file: File, fields: Fields) => {
    sent.current = { file, fields };
    const tell = (share: number) => setProgress(share < 1 ? { stage: "sending", share, what: file.name } : reading(file.name));
    void run({ stage: "sending", share: 0, what: file.name }, (signal) => ingestZip(file, { ...fields }, tell, signal));
  };
  const forget = () => (sent.current = null);
  return {
    progress,
    error,
    sendZip,
    sendGithub: (source, branch, fields) => {
      forget();
      void run(reading(source), (signal) => ingestGithub({ source, ...(branch && { branch }), ...fields }, signal));
    },
    sendDemo: () => {
      forget();
      void run(reading("the demo graph"), loadDemo);
    },
    readAt: (graphId, basePath) => {
      const last = sent.current?.graphId === graphId ? sent.current : null;
      if (last) sendZip(last.file, { ...last.fields, basePath });
      else void run(reading(graphId), () => readAgain(graphId, basePath));
    },
    cancel: () => abort.current?.abort(),
    forgetError: () => setError(null),
  };
}
