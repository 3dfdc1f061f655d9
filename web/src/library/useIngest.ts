import { useRef, useState } from "react";
import { ApiError, ingestGithub, ingestZip, loadDemo } from "../api";
import type { IngestAnswer } from "../wire";

export type Progress = { stage: "sending"; share: number; what: string } | { stage: "reading"; what: string };

export interface Ingest {
  progress: Progress | null;
  error: ApiError | null;
  sendZip: (file: File, fields: Fields) => void;
  sendGithub: (source: string, branch: string, fields: Fields) => void;
  sendDemo: () => void;
  cancel: () => void;
}

export interface Fields {
  subdirectory?: string;
  name?: string;
}

/** One ingest at a time, whichever way the notes come in. */
export function useIngest(begun: () => void, done: (answer: IngestAnswer) => void): Ingest {
  const [progress, setProgress] = useState<Progress | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  const abort = useRef<AbortController | null>(null);

  async function run(first: Progress, work: (signal: AbortSignal) => Promise<IngestAnswer>): Promise<void> {
    const control = new AbortController();
    abort.current = control;
    setError(null);
    setProgress(first);
    begun();
    try {
      done(await work(control.signal));
    } catch (failure) {
      if (failure instanceof ApiError) setError(failure);
      else if (!control.signal.aborted) setError(new ApiError("The page could not read the answer.", "page_fault", 0));
    } finally {
      setProgress(null);
    }
  }

  const reading = (what: string): Progress => ({ stage: "reading", what });
  return {
    progress,
    error,
    sendZip: (file, fields) => {
      const sent = (share: number) => setProgress(share < 1 ? { stage: "sending", share, what: file.name } : reading(file.name));
      void run({ stage: "sending", share: 0, what: file.name }, (signal) => ingestZip(file, fields, sent, signal));
    },
    sendGithub: (source, branch, fields) =>
      void run(reading(source), (signal) => ingestGithub({ source, ...(branch && { branch }), ...fields }, signal)),
    sendDemo: () => void run(reading("the demo graph"), loadDemo),
    cancel: () => abort.current?.abort(),
  };
}
