import { type ChangeEvent, lazy, Suspense, useMemo, useRef, useState } from "react";
import { ApiError } from "../../api";
import { NoModel } from "../../builds/NoModel";
import { faultsIn, JsonField } from "../../sessions/JsonField";
import { DESIGN_DRAFT as DRAFT, readObject, type Unreadable } from "../../sessions/planText";
import { beginBuild, runPlan } from "../../sessions/sessionApi";
import { sessionPath } from "../../sessions/sessionPlace";
import { say } from "../../shell/Toasts";
import { goTo, useQueryField } from "../../shell/useAddress";
import { usePageTitle } from "../../shell/usePageTitle";
import type { Edited } from "../blocks/BlockEditor";
import { type JsonObject, lacksIn, placeOfFault } from "../blocks/blockDocument";
import { type Design, keepDesign, nameOf } from "./designs";
import { asDesign, emptyDesign, keysOf, startersOf } from "./starters";

const BlockEditor = lazy(() => import("../blocks/BlockEditor"));

const written = (document: JsonObject) => JSON.stringify(document, null, 2);

/** What was begun and not saved lasts as long as the tab. */
function draftOf(key: string, begun: JsonObject): JsonObject {
  const read = readObject(sessionStorage.getItem(`${DRAFT} ${key}`) ?? "", "plan");
  return "value" in read ? (read.value as JsonObject) : begun;
}

/** One design, as blocks or as JSON: the same document, whichever shows it. */
export function DesignDesk({ id, begun }: { id: string | null; begun: Design }) {
  const { kind } = begun;
  const key = window.location.pathname + window.location.search.replace(/[?&]as=json/, "");
  const [document, setDocument] = useState(() => draftOf(key, begun.document));
  const [round, setRound] = useState(0);
  const [text, setText] = useState(() => written(document));
  const [as, setAs] = useQueryField("as");
  const [edited, setEdited] = useState<Edited | null>(null);
  const [unreadable, setUnreadable] = useState<Unreadable | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  const [busy, setBusy] = useState<"run" | "save" | null>(null);
  const [refused, setRefused] = useState<{ block?: string } | null>(null);
  const file = useRef<HTMLInputElement>(null);
  const isText = as === "json";
  usePageTitle(`${nameOf({ kind, document })} · Studio`);
  const thing = kind === "plan" ? "plan" : "spec";

  const take = (next: JsonObject) => {
    setDocument(next);
    sessionStorage.setItem(`${DRAFT} ${key}`, JSON.stringify(next));
  };
  const replace = (next: JsonObject) => {
    take(next);
    setText(written(next));
    setRound(round + 1);
    setError(null);
    setRefused(null);
    setUnreadable(null);
  };
  /** Another document in its place. The blocks begin anew with it, so the way back is in the toast. */
  const begin = (next: JsonObject, text: string) => {
    const before = isText ? current() : document;
    replace(next);
    if (before && written(before) !== written(emptyDesign(kind))) say(text, async () => replace(before));
  };
  /** The document as it stands, or null where its text is none. */
  const current = (): JsonObject | null => {
    if (!isText) return document;
    const read = readObject(text, thing);
    setUnreadable("unreadable" in read ? read.unreadable : null);
    return "value" in read ? asDesign(kind, read.value as JsonObject) : null;
  };
  const show = (next: "blocks" | "json") => {
    const now = current();
    if (!now) return;
    replace(now);
    setAs(next === "json" ? "json" : "", "replace");
  };
  const trying = async (what: "run" | "save", act: (now: JsonObject) => Promise<string>) => {
    const now = current();
    if (busy || !now) return;
    setBusy(what);
    setError(null);
    try {
      const next = await act(now);
      sessionStorage.removeItem(`${DRAFT} ${key}`);
      setBusy(null);
      goTo(next);
    } catch (failure) {
      setError(failure instanceof ApiError ? failure : new ApiError("The page could not send it.", "page_fault", 0));
      setBusy(null);
    }
  };
  // The server takes a plan of which something is not written yet: who puts it together is told before it starts.
  const lacks = useMemo(() => (refused && !isText ? lacksIn(document) : []), [refused, isText, document]);
  const run = () => {
    const [first] = kind === "plan" && !isText ? lacksIn(document) : [];
    if (!first) return void start();
    setError(null);
    setRefused({ block: edited ? placeOfFault(edited.places, first.path) : undefined });
  };
  const start = () => trying("run", async (now) => sessionPath(kind === "plan" ? (await runPlan(now)).session_id : await beginBuild({ spec: now })));
  const save = () =>
    trying("save", async (now) => {
      const kept = await keepDesign({ kind, document: now }, id);
      say("Saved: it is listed in the studio, whichever browser opens it.");
      return `/studio/plan/${kept}`;
    });
  const open = async (event: ChangeEvent<HTMLInputElement>) => {
    const [chosen] = event.target.files ?? [];
    event.target.value = "";
    if (!chosen) return;
    const read = readObject(await chosen.text(), thing);
    if ("unreadable" in read) setError(new ApiError(`${chosen.name}: ${read.unreadable.sentence}`, "page_fault", 0));
    else begin(asDesign(kind, read.value as JsonObject), `${chosen.name} is open in place of “${nameOf({ kind, document })}”.`);
  };
  const download = () => {
    const now = current();
    if (!now) return;
    const link = window.document.createElement("a");
    link.href = URL.createObjectURL(new Blob([written(now)], { type: "application/json" }));
    link.download = `${nameOf({ kind, document: now }).replace(/[^\p{L}\p{N}]+/gu, "-").toLowerCase()}.json`;
    link.click();
    window.setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  };
  const faults = faultsIn(error);
  const atBlocks = useMemo(() => {
    const found = new Map<string, string>();
    for (const { path, message } of faultsIn(error)) {
      const block = edited && placeOfFault(edited.places, path);
      if (block) found.set(block, [found.get(block), `${path.split(".").at(-1)} ${message}`].filter(Boolean).join("\n"));
    }
    for (const { path, lacked } of lacks) {
      const block = edited && placeOfFault(edited.places, path);
      if (block) found.set(block, `Lacks ${lacked.join("\nand ")}.`);
    }
    return found;
  }, [error, lacks]);
  const keys = useMemo(() => (kind === "plan" ? keysOf(document.plan) : []), [document]);
  return (
    <>
      <div className="page-head">
        <h1>{nameOf({ kind, document })}</h1>
        <div className="row">
          <div className="row studio-modes" role="group" aria-label="Shown as">
            <button type="button" aria-pressed={!isText} onClick={() => show("blocks")}>
              Blocks
            </button>
            <button type="button" aria-pressed={isText} onClick={() => show("json")}>
              JSON
            </button>
          </div>
          <button type="button" onClick={download}>
            Export
          </button>
          <button type="button" aria-disabled={busy !== null} onClick={() => void save()}>
            {busy === "save" ? "Saving…" : "Save"}
          </button>
          <button type="button" className="primary" aria-disabled={busy !== null} onClick={run}>
            {busy === "run" ? "Starting…" : kind === "plan" ? "Run" : "Build it"}
          </button>
        </div>
      </div>
      <div className="row studio-starters" role="group" aria-label="Begin with">
        <span className="soft">Begin with</span>
        {startersOf(kind).map(({ name, hint, document: starter }) => (
          <button key={name} type="button" title={hint} onClick={() => begin(structuredClone(starter), `“${name}” is open in place of “${nameOf({ kind, document })}”.`)}>
            {name}
          </button>
        ))}
        <button type="button" className="quiet" title="A file that was exported" onClick={() => file.current?.click()}>
          Import
        </button>
        <input ref={file} type="file" accept=".json,application/json" hidden onChange={(event) => void open(event)} />
      </div>
      {error?.code === "no_model" ? <NoModel error={error} /> : null}
      {error && !isText && error.code !== "no_model" ? (
        <div className="error-note" role="alert">
          {faults.length === 0 ? (
            <p>{error.message}</p>
          ) : (
            <ul>
              {faults.map(({ path, message }, index) => (
                <li key={index}>
                  <code>{path}</code> {message}
                </li>
              ))}
            </ul>
          )}
        </div>
      ) : null}
      {lacks.length > 0 ? (
        <div className="error-note faults" role="alert">
          <p>The plan cannot be run yet:</p>
          <ul>
            {lacks.map(({ path, block, lacked }) => (
              <li key={path}>
                “{block}” lacks {lacked.join(" and ")}.
              </li>
            ))}
          </ul>
        </div>
      ) : null}
      {isText ? (
        <div className="plan-editor">
          <JsonField label={kind === "plan" ? "Plan" : "Spec"} thing={thing} hint="The same as JSON. Going back to the blocks loses nothing of it." rows={24} text={text} change={setText} unreadable={unreadable} error={error?.code === "no_model" ? null : error} submit={run} />
        </div>
      ) : (
        <Suspense fallback={<p className="soft" role="status">Opening the blocks…</p>}>
          <BlockEditor
            key={round}
            kind={kind}
            document={document}
            change={(next) => {
              setEdited(next);
              if (JSON.stringify(next.document) !== JSON.stringify(document)) take(next.document);
            }}
            faults={atBlocks}
            goTo={refused}
            keys={keys}
          />
        </Suspense>
      )}
    </>
  );
}
