import { type FormEvent, useId, useState } from "react";
import { ApiError } from "../api";
import { beginBuild, exportBuild } from "../sessions/sessionApi";
import { sessionPath } from "../sessions/sessionPlace";
import type { Story } from "../sessions/sessionStory";
import { ErrorNote } from "../shell/ErrorNote";
import { goTo } from "../shell/useAddress";
import { NoModel } from "./NoModel";
import { LONGEST_GOAL } from "./specText";

const asError = (failure: unknown, sentence: string) => (failure instanceof ApiError ? failure : new ApiError(sentence, "page_fault", 0));

/** What can be done with what was made: take it along, find it, or wish for more. */
export function BuildEnd({ id, goal, story }: { id: string; goal: string; story: Story }) {
  if (story.state !== "done" || story.build.folder === null) return null;
  return (
    <section className="build-end" aria-labelledby="build-end-title">
      <h2 id="build-end-title">What next?</h2>
      <ContinueForm id={id} />
      <Export id={id} goal={goal} folder={story.build.folder} />
    </section>
  );
}

function ContinueForm({ id }: { id: string }) {
  const [wish, setWish] = useState("");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError | null>(null);
  const field = useId();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const goal = wish.trim();
    if (busy || !goal) return;
    setBusy(true);
    setError(null);
    try {
      goTo(sessionPath(await beginBuild({ spec: { project: { goal } }, continues: id })));
    } catch (failure) {
      setError(asError(failure, "The wish could not be sent."));
      setBusy(false);
    }
  };
  return (
    <form aria-label="Continue" onSubmit={submit}>
      <label htmlFor={field} className="soft">
        Continue with what is there: what should change?
      </label>
      <div className="wish">
        <input
          id={field}
          type="text"
          autoComplete="off"
          required
          maxLength={LONGEST_GOAL}
          placeholder="Make the title bigger"
          value={wish}
          onChange={(event) => setWish(event.target.value)}
        />
        <button type="submit" aria-disabled={busy}>
          {busy ? "Starting…" : "Continue"}
        </button>
      </div>
      {error ? error.code === "no_model" ? <NoModel error={error} /> : <ErrorNote error={error} /> : null}
    </form>
  );
}

function Export({ id, goal, folder }: { id: string; goal: string; folder: string }) {
  const [error, setError] = useState<ApiError | null>(null);
  const download = async () => {
    setError(null);
    try {
      save(await exportBuild(id), `${fileName(goal)}.zip`);
    } catch (failure) {
      setError(asError(failure, "It could not be downloaded."));
    }
  };
  return (
    <>
      <p>
        <button type="button" onClick={() => void download()}>
          Download as ZIP
        </button>
      </p>
      {error ? <ErrorNote error={error} /> : null}
      <p className="soft folder">
        The files lie in <code>{folder}</code>
      </p>
    </>
  );
}

const fileName = (goal: string) =>
  goal
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "")
    .slice(0, 60) || "build";

function save(file: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  window.setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
